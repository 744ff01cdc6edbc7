import { setImmediate } from 'node:timers/promises';
import { openToolbox, FakeSource } from '../../testing/index.js';
import type { CallRecord } from './call-record.js';
import { MemoryToolCallStore } from './memory-tool-call-store.js';
import { withDefaults } from '../../options/options.js';
import { type RecordOptions, recordSchema } from './record-options.js';
import { ToolCallRecords } from './tool-call-records.js';
import { DefinitionTokens } from '../../tool/token-count.js';
import { ToolEvents } from '../../tool/tool-event.js';
import { callerOf } from '../../access/tool-gate.js';
import { unavailableError } from '../call/call-errors.js';
import { failureOf } from '../../tool/tool-result.js';

const CALLER = callerOf({ tenantId: 'acme', userId: 'ada', runId: 'r1' });

function recordsOn(store: MemoryToolCallStore, options: RecordOptions | false = {}) {
  const events = new ToolEvents();
  const lost: number[] = [];
  const faults: unknown[] = [];
  events.on('record.lost', ({ records }) => void lost.push(records));
  const records = new ToolCallRecords(
    {
      store,
      events,
      controlRevision: () => 7,
      policyHash: () => 'abc',
      redaction: undefined,
      tokens: new DefinitionTokens(),
      onFault: (error) => void faults.push(error),
    },
    { ...withDefaults(recordSchema, options || {}), isOn: options !== false },
  );
  const note = (times: number) => {
    for (let n = 0; n < times; n++) records.note('shown', CALLER, { step: 1, tools: [] });
  };
  return { records, note, lost, faults };
}

class BrokenStore extends MemoryToolCallStore {
  isDown = true;

  override async add(records: readonly CallRecord[]): Promise<void> {
    if (this.isDown) throw new Error('the disk is full');
    await super.add(records);
  }
}

const secret = {
  redact: async (texts: readonly { text: string }[]) => texts.map(({ text }) => text.replace(/s3cret/g, '[secret]')),
};

describe('the record', () => {
  it('writes everything when it stops, and what comes later at once', async () => {
    const store = new MemoryToolCallStore();
    const { records, note } = recordsOn(store);
    records.start();
    note(250);
    await records.stop();
    expect(await store.list({}, { limit: 1000 })).toHaveLength(250);
    note(1);
    expect(await records.list({}, { limit: 201 })).toHaveLength(201);
    expect(await store.list({}, { limit: 1000 })).toHaveLength(251);
  });

  it('keeps records while the store takes none, and counts those that find no room', async () => {
    const store = new BrokenStore(100_000);
    const { records, note, lost, faults } = recordsOn(store);
    note(10_003);
    await expect(records.list({}, { limit: 1 })).resolves.toEqual([]);
    await expect(records.list({}, { limit: 1 })).resolves.toEqual([]);
    expect([faults.length, lost]).toEqual([1, []]);
    store.isDown = false;
    await records.stop();
    expect(await store.list({}, { limit: 100_000 })).toHaveLength(10_000);
    expect(lost).toEqual([3]);
  });

  it('removes old records while it writes new ones', async () => {
    const store = new MemoryToolCallStore();
    const { records, note } = recordsOn(store, { maxRecords: 100 });
    note(1000);
    await records.stop();
    const stored = async () => (await store.list({}, { limit: 1000 })).length;
    // A sweep that is due begins with the next write.
    while ((await stored()) > 110) {
      note(1);
      await setImmediate();
    }
    expect(await stored()).toBeGreaterThanOrEqual(100);
  });

  it('records nothing while it is off', async () => {
    const store = new MemoryToolCallStore();
    const { records, note } = recordsOn(store, false as never);
    note(1);
    await records.call(
      CALLER,
      () => 1,
      async () => failureOf(unavailableError()),
    );
    await records.stop();
    expect(await store.list({}, { limit: 10 })).toEqual([]);
  });
});

describe('the record of a toolbox', () => {
  const source = new FakeSource('crm', [
    { name: 'find', run: () => 'the key is s3cret' },
    { name: 'slow', run: () => new Promise(() => undefined) },
    {
      name: 'wrong',
      run: () => {
        throw new Error('oops');
      },
    },
  ]);
  const opened = async (options: NonNullable<Parameters<typeof openToolbox>[0]>['options'] = {}, of = source) => {
    const world = await openToolbox({ sources: [of], options });
    const all = () => world.records.list({ kind: 'call' }, { limit: 100, oldestFirst: true });
    return { ...world, all };
  };

  it('has no content unless the application records it', async () => {
    const { toolbox, all, close } = await opened();
    await toolbox.call('crm.find', { token: 's3cret' });
    const [record] = await all();
    expect(record).toMatchObject({ tool: 'crm.find', argumentBytes: 18, resultBytes: 17 });
    expect(JSON.stringify(record)).not.toContain('s3cret');
    await close();
  });

  it('has redacted content where the application records it, and longer arguments are left out', async () => {
    const { toolbox, all, close } = await opened({
      redaction: { redactor: secret, except: ['crm.wrong'] },
      record: { arguments: ['crm.*'], results: ['crm.*'], maxChars: 30 },
    });
    await toolbox.call('crm.find', { token: 's3cret' });
    await toolbox.call('crm.find', { token: 's3cret'.repeat(10) });
    await toolbox.call('crm.wrong', { token: 's3cret' });
    const [short, long, excepted] = await all();
    expect(short).toMatchObject({ arguments: '{"token":"[secret]"}', result: 'the key is [secret]' });
    expect(long).not.toHaveProperty('arguments');
    expect(excepted).not.toHaveProperty('arguments');
    expect(JSON.stringify(await all())).not.toContain('s3cret');
    await close();
  });

  it('leaves out arguments that could not be redacted', async () => {
    const redactor = {
      redact: async (texts: readonly { text: string }[]) => {
        if (texts.some(({ text }) => text.includes('s3cret'))) throw new Error('the redactor is down');
        return texts.map(({ text }) => text);
      },
    };
    const { toolbox, all, close } = await opened({ redaction: { redactor }, record: { arguments: ['*'] } });
    await toolbox.call('crm.find', { token: 's3cret' });
    expect((await all())[0]).not.toHaveProperty('arguments');
    expect((await all())[0]?.outcome).toBe('REDACTION_FAILED');
    await close();
  });

  it('refuses to record content without a redactor', async () => {
    await expect(opened({ record: { results: ['*'] } })).rejects.toMatchObject({ code: 'INVALID_CONFIGURATION' });
  });

  it('names the limit that refused a call, and the kill switch that came after the admission', async () => {
    const { toolbox, all, killSwitches, close } = await opened({
      limits: { rules: [{ id: 'once', match: { tool: 'crm.find' }, rate: { calls: 1, windowMs: 3_600_000 } }] },
    });
    await toolbox.call('crm.find', {});
    await toolbox.call('crm.find', {});
    const slow = toolbox.call(
      'crm.slow',
      {},
      {
        confirm: async () => {
          await killSwitches.engage({ kind: 'tool', value: 'crm.slow', actor: 'olga', reason: 'incident' });
          return undefined;
        },
      },
    );
    await slow;
    await toolbox.call('crm.wrong', {});
    const found = (await all()).map(({ tool, layer, rule, outcome, decision }) => [
      tool,
      decision,
      layer,
      rule,
      outcome,
    ]);
    expect(found).toEqual([
      ['crm.find', 'allow', 'approval', 'default', 'ok'],
      ['crm.find', 'deny', 'limit', 'once', 'LIMIT_REACHED'],
      ['crm.slow', 'deny', 'kill_switch', expect.any(String), 'TOOL_NOT_AVAILABLE'],
      ['crm.wrong', 'allow', 'approval', 'default', 'TOOL_FAILED'],
    ]);
    await close();
  });

  it('counts the tokens of what was shown and received', async () => {
    const long = new FakeSource('files', [{ name: 'read', run: () => 'word '.repeat(4000) }]);
    const { toolbox, records, close } = await openToolbox({
      sources: [source, long],
      options: { exposure: 'all', countTokens: (text) => text.length, results: false, ledger: { countAll: true } },
    });
    const { tools } = await toolbox.surface();
    await toolbox.call('crm.find', {});
    await toolbox.call('files.read', {});
    await toolbox.call('files.nothing', {});
    const [shown, found, read, refused] = await records.list({}, { limit: 10, oldestFirst: true });
    const sizes = tools.map(
      ({ name, description, inputSchema }) => JSON.stringify({ name, description, parameters: inputSchema }).length,
    );
    expect([shown?.tools, shown?.toolTokens]).toEqual([tools.map(({ name }) => name), sizes]);
    expect([found?.resultTokens, read?.resultTokens]).toEqual(['the key is s3cret'.length, 20_000]);
    expect(refused).not.toHaveProperty('resultTokens');
    await close();
  });

  it('counts a result at the first and every 50th call of a tool, and takes the others by their length', async () => {
    let calls = 0;
    const growing = new FakeSource('files', [{ name: 'read', run: () => 'x'.repeat((calls += 1)) }]);
    let counted = 0;
    const countTokens = (text: string) => {
      if (/^x+$/.test(text)) counted += 1;
      return counted * text.length;
    };
    const { toolbox, all, close } = await opened({ countTokens, results: false }, growing);
    for (let n = 0; n < 60; n++) await toolbox.call('files.read', {});
    const tokens = (await all()).map(({ resultTokens }) => resultTokens);
    expect(tokens).toEqual(Array.from({ length: 60 }, (_, n) => (n < 50 ? n + 1 : 2 * (n + 1))));
    expect(counted).toBe(2);
    await close();
  });

  it('takes the tokens per character of no other tenant', async () => {
    const own = new FakeSource('files', [{ name: 'read', run: (_, { tenantId }) => tenantId.repeat(10) }]);
    const countTokens = (text: string) => text.length * (text.includes('globex') ? 9 : 2);
    const { open, all, close } = await opened({ countTokens, results: false }, own);
    for (const tenantId of ['globex', 'acme']) await open({ tenantId }).call('files.read', {});
    expect((await all()).map(({ tenantId, resultTokens }) => [tenantId, resultTokens])).toEqual([
      ['globex', 540],
      ['acme', 80],
    ]);
    await close();
  });

  it('is written although the counter of the application throws', async () => {
    const countTokens = (text: string) => {
      if (text.includes('s3cret')) throw new Error('the counter is down');
      return text.length;
    };
    const { toolbox, all, close } = await opened({ countTokens, results: false });
    await toolbox.call('crm.find', {});
    expect((await all()).map((record) => [record.outcome, record.resultTokens])).toEqual([['ok', undefined]]);
    await close();
  });

  it('says whether a result came from the cache, and that the toolbox was narrowed', async () => {
    const { toolbox, all, close } = await opened();
    await toolbox.narrow({ deny: ['crm.slow'] }).call('crm.find', {});
    expect((await all())[0]).toMatchObject({ narrowed: true, cached: false });
    await close();
  });

  it('has a call whose arguments are refused as JSON text, like one with an object', async () => {
    const { toolbox, all, close } = await opened();
    for (const input of ['{"id":9007199254740993}', { id: 2 ** 53 }]) {
      expect(await toolbox.call('crm.find', input)).toMatchObject({ code: 'INVALID_ARGUMENTS' });
    }
    expect((await all()).map(({ tool, outcome }) => [tool, outcome])).toEqual([
      ['crm.find', 'INVALID_ARGUMENTS'],
      ['crm.find', 'INVALID_ARGUMENTS'],
    ]);
    await close();
  });

  it('has admissions of work that the application does itself, and their refusals', async () => {
    const { toolbox, records, killSwitches, close } = await opened();
    await toolbox.admit('crm.find');
    const held = await toolbox.hold('crm.find');
    await held.end();
    await killSwitches.engage({ kind: 'tool', value: 'crm.find', actor: 'olga', reason: 'incident' });
    await expect(toolbox.admit('crm.find')).rejects.toMatchObject({ code: 'TOOL_NOT_AVAILABLE' });
    const all = await records.list({ kind: 'admitted' }, { limit: 10, oldestFirst: true });
    expect(all.map(({ tool, layer, outcome }) => [tool, layer, outcome])).toEqual([
      ['crm.find', 'approval', 'ok'],
      ['crm.find', 'approval', 'ok'],
      ['crm.find', 'kill_switch', 'TOOL_NOT_AVAILABLE'],
    ]);
    await close();
  });
});
