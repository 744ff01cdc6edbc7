import { type CacheEntry, HeldResultStore, ResultCache } from '@tool-search/core/stores';
import { MemoryHeldResultStore, MemoryResultCache } from '@tool-search/core/internal';
import { Global, Logger, Module } from '@nestjs/common';
import { PatternRedactor } from '@tool-search/redaction';
import { type GatewayApp, startGatewayApp } from '../gateway/support/gateway-app.js';
import { WireCaller } from '../gateway/support/wire.js';

// Assembled here, so that the repository holds nothing that looks like a credential.
const TOKEN = `ghp_${'aB3dE5gH7jK9mN2pQ4rS6tU8vW1xY0zC'}1234`;
const VALUES = [TOKEN, 'ada@example.org', '+442079460321', 'DE89370400440532013000', '4111111111111111', '826-38-2651'];
const RECORD = {
  token: TOKEN,
  contact: { 'ada@example.org': '+442079460321' },
  pay: ['DE89370400440532013000', 4111111111111111],
  ssn: '826-38-2651',
};
const REDACTED = {
  token: '[secret]',
  contact: { '[email]': '[phone]' },
  pay: ['[iban]', '[card]'],
  ssn: '[national-id]',
};

/** Keeps what is stored readable. */
class OpenStore extends MemoryHeldResultStore {
  readonly bodies: string[] = [];

  override hold(...given: Parameters<HeldResultStore['hold']>) {
    this.bodies.push(Buffer.from(given[2].body).toString('latin1'));
    return super.hold(...given);
  }
}

/** Keeps what is cached readable. */
class OpenCache extends MemoryResultCache {
  readonly texts: string[] = [];

  override write(entry: CacheEntry) {
    this.texts.push(entry.text);
    return super.write(entry);
  }
}

describe.each(['express', 'fastify'] as const)('results over HTTP on %s, redacted', (adapter) => {
  const store = new OpenStore();
  const bounds = { maxEntries: 10, maxBytes: 1e6, maxEntriesPerTenant: 10, maxBytesPerTenant: 1e6 };
  const cache = new OpenCache(bounds);
  let redacting = true;
  let gateway: GatewayApp;
  let caller: WireCaller;

  @Global()
  @Module({
    providers: [
      { provide: HeldResultStore, useValue: store },
      { provide: ResultCache, useValue: cache },
    ],
    exports: [HeldResultStore, ResultCache],
  })
  class StoreModule {}

  beforeAll(async () => {
    const patterns = new PatternRedactor();
    gateway = await startGatewayApp(adapter, {
      imports: [StoreModule],
      tools: (all) => [
        ...all,
        { name: 'record', description: 'Reads a record.', outputSchema: { type: 'object' }, run: () => RECORD },
        { name: 'raw', description: 'Reads a record as it is.', run: () => RECORD },
        { name: 'kept', description: 'Reads a kept record.', sideEffects: 'read', run: () => RECORD },
        { name: 'letter', description: 'Reads a letter.', run: () => `Dear ada@example.org, use ${TOKEN}.` },
        { name: 'list', description: 'Lists records.', run: () => Array.from({ length: 500 }, () => RECORD) },
        {
          name: 'failing',
          description: 'Fails.',
          run: () => ({ isError: true, content: [{ type: 'text', text: `no account for ada@example.org` }] }),
        },
      ],
      options: {
        resultCache: { tools: [{ match: ['shop.kept'], ttlMs: 60_000 }] },
        redaction: {
          redactor: {
            redact: (texts, call) => (redacting ? patterns.redact(texts, call) : Promise.reject(new Error(TOKEN))),
          },
          except: ['shop.raw'],
        },
        tuning: { redaction: { timeoutMs: 600_000 } }, // for a busy machine
      },
    });
    Logger.overrideLogger(false);
    caller = await WireCaller.of(gateway.url, 'modern', { path: '/mcp/all' });
  });
  afterAll(async () => {
    await gateway.app.close();
    Logger.overrideLogger(undefined as never);
  });

  const expectClean = (given: unknown) => {
    for (const value of VALUES) expect(JSON.stringify(given)).not.toContain(value);
  };

  it('reach the model without values, as text and as structured content', async () => {
    const { result } = await caller.call('shop__record', {});
    expect(JSON.parse(result.content[0].text)).toEqual(REDACTED);
    expectClean(result);
    const letter = await caller.call('shop__letter', {});
    expect(letter.result.content[0].text).toBe('Dear [email], use [secret].');
    const failed = await caller.call('shop__failing', {});
    expect(failed.result.isError).toBe(true);
    expectClean(failed);
  });

  it('are not promised to keep an output schema', async () => {
    const { result } = await caller.ask('tools/list');
    const record = result.tools.find(({ name }: { name: string }) => name === 'shop__record');
    expect(record.outputSchema).toBeUndefined();
  });

  it('are stored redacted, and read on redacted', async () => {
    const { result } = await caller.call('shop__list', {});
    const handle = /r_[\w-]{22}/.exec(JSON.stringify(result))?.[0];
    expect(handle).toBeDefined();
    const part = await caller.call('tool_result', { handle, pointer: '/499' });
    expect(JSON.stringify(part)).toContain('[secret]');
    expectClean([result, part]);
    expect(store.bodies.length).toBeGreaterThan(0);
    expectClean(store.bodies);
  });

  it('are cached without values', async () => {
    const [first, second] = [await caller.call('shop__kept', {}), await caller.call('shop__kept', {})];
    expect(gateway.events).toContainEqual(expect.objectContaining({ tool: 'shop.kept', cached: true }));
    expect(second.result.content).toEqual(first.result.content);
    expect(cache.texts).toHaveLength(1);
    expectClean([first, second, cache.texts]);
  });

  it('are in no event', async () => {
    expect(gateway.events).toContainEqual(
      expect.objectContaining({ type: 'tool.called', tool: 'shop.record', redacted: 12 }),
    );
    expectClean(gateway.events);
  });

  it('stay as they are for tools that are excepted', async () => {
    const { result } = await caller.call('shop__raw', {});
    expect(JSON.parse(result.content[0].text)).toEqual(RECORD);
  });

  it('are withheld while the redactor fails', async () => {
    redacting = false;
    const { result } = await caller.call('shop__record', {});
    redacting = true;
    expect(result).toMatchObject({ isError: true, _meta: { 'tool-search/code': 'REDACTION_FAILED' } });
    expectClean([result, gateway.events]);
  });
});
