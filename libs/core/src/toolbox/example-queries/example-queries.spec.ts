import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { MemoryControlStore } from '../../access/control/memory-control-store.js';
import { descriptionHash, queryCatalogText } from './query-catalog.js';
import type { DescribedForWriter, ExampleQueryWriter } from './writing/example-query-writer.js';
import { MemoryExampleQueryStore } from './memory-example-query-store.js';
import { FakeSource, type FakeSourceTool } from '../../testing/fakes/fake-source.js';
import { openToolbox, type OpenToolbox, type ToolboxSetup } from '../../testing/open-toolbox.js';
import type { ExampleQueryOptions, ExampleQueryTuning } from './example-query-options.js';

const OPERATOR = { actor: 'olga', reason: 'users say it so' };
const WAITS = { lookAgainMs: 5, minRetryMs: 5 };

/** A writer whose answers a test decides. */
class TestWriter implements ExampleQueryWriter {
  readonly id = 'test-writer';
  readonly calls: (readonly DescribedForWriter[])[] = [];
  answer: (tools: readonly DescribedForWriter[], signal: AbortSignal) => unknown = (tools) => ({
    tools: tools.map(({ name, count }) => ({ name, queries: requests(name, count) })),
    usage: { inputTokens: 100, outputTokens: 10 },
  });

  async write(tools: readonly DescribedForWriter[], signal: AbortSignal): Promise<never> {
    this.calls.push(tools);
    return (await this.answer(tools, signal)) as never;
  }

  get names(): readonly string[] {
    return this.calls.flat().map(({ name }) => name);
  }
}

function requests(name: string, count: number): string[] {
  return Array.from({ length: count }, (_, index) => `xyl${name.split('.').at(-1)} please ${'I'.repeat(index + 1)}`);
}

const worlds: OpenToolbox[] = [];
afterEach(async () => {
  await Promise.all(worlds.splice(0).map((world) => world.close()));
});

async function opened(
  tools: readonly (FakeSourceTool | string)[],
  given: ExampleQueryOptions & ExampleQueryTuning,
  setup: ToolboxSetup = {},
): Promise<OpenToolbox> {
  const { batchSize, concurrency, timeoutMs, ...exampleQueries } = given;
  const tuning = { ...setup.options?.tuning, search: { exampleQueries: { batchSize, concurrency, timeoutMs } } };
  const world = await openToolbox({
    sources: [new FakeSource('shop', tools)],
    writingWaits: WAITS,
    ...setup,
    options: { exposure: 'deferred', ...setup.options, search: { exampleQueries }, tuning },
  });
  worlds.push(world);
  return world;
}

async function until(holds: () => boolean | Promise<boolean>): Promise<void> {
  for (let tries = 0; tries < 800; tries++) {
    if (await holds()) return;
    await setTimeout(5);
  }
  throw new Error('it did not happen');
}

const found = async (world: OpenToolbox, query: string) =>
  (await world.open().search({ query })).tools.map(({ name }) => name);
const idOf = (world: OpenToolbox, name: string) =>
  world.exampleQueries.list().find(({ tool }) => tool.name === name)?.id ?? '';

describe('a writer', () => {
  it('gets name, description and parameters, and the index takes up what it writes', async () => {
    const writer = new TestWriter();
    const schema = { type: 'object', properties: { amount: { type: 'number', description: 'secret hint' } } } as const;
    const world = await opened(
      [{ name: 'refund', title: 'Refund', description: 'Reverses a charge.', inputSchema: schema }, 'list'],
      { writer },
    );
    await until(async () => (await found(world, 'xylrefund')).includes('shop.refund'));
    expect(writer.calls).toEqual([
      [
        { name: 'shop.list', description: 'Does what list says.', parameters: [], count: 3 },
        { name: 'shop.refund', title: 'Refund', description: 'Reverses a charge.', parameters: ['amount'], count: 3 },
      ],
    ]);
    expect(world.exampleQueries.status()).toMatchObject({ state: 'idle', wanted: 2, written: 2, pending: 0 });
    expect(await world.exampleQueries.spend()).toMatchObject({ inputTokens: 100, outputTokens: 10, money: 0 });
    expect(world.eventsOf('example_queries.written')).toMatchObject([{ tools: 2, queries: 6, inputTokens: 100 }]);
  });

  it('writes for each definition once: not after a restart, not in a second instance, but for a changed one', async () => {
    const exampleQueryStore = new MemoryExampleQueryStore();
    const writer = new TestWriter();
    const tools = Array.from({ length: 25 }, (_, index) => `tool_${index}`);
    const given = { writer, batchSize: 4, concurrency: 3 };
    const both = await Promise.all([1, 2].map(() => opened(tools, given, { exampleQueryStore })));
    await until(() => both.every((world) => world.exampleQueries.status().written === 25));
    expect(writer.names.toSorted()).toEqual(tools.map((tool) => `shop.${tool}`).toSorted());
    for (const world of both) await until(async () => (await found(world, 'xyltool 7')).length > 0);

    const source = new FakeSource('shop', tools);
    const third = await opened([], given, { exampleQueryStore, sources: [source] });
    // Known before the first search: the stored queries are part of the first index.
    expect(await found(third, 'xyltool_3')).toContain('shop.tool_3');
    expect(writer.names).toHaveLength(25);
    source.setTools([...tools.slice(1), { name: 'tool_0', description: 'Another purpose.' }]);
    await third.catalog.refresh('shop');
    await until(() => writer.names.length > 25);
    expect(writer.calls.at(-1)).toMatchObject([{ name: 'shop.tool_0', description: 'Another purpose.' }]);
  });

  it('is not asked for excluded or held tools or those with enough queries, and adds to an author who gave too few', async () => {
    const writer = new TestWriter();
    const exampleQueries = ['one of mine', 'two of mine', 'three of mine'];
    const world = await opened(
      [
        { name: 'own', exampleQueries },
        { name: 'few', exampleQueries: ['only one'] },
        'internal_sync',
        { name: 'held', description: 'Reads a file.\u{e0041}' },
      ],
      { writer, exclude: ['shop.internal_*'] },
    );
    await until(() => world.exampleQueries.status().written === 1);
    expect(writer.calls).toEqual([[expect.objectContaining({ name: 'shop.few', count: 2 })]]);
    const [few] = world.exampleQueries.list();
    expect(few).toMatchObject({ own: ['only one'], added: requests('few', 2), origin: 'writer', writing: 'written' });
  });

  it('cannot bring in anything but short, visible lines, and only for the tools it was asked for', async () => {
    const writer = new TestWriter();
    writer.answer = () => ({
      tools: [
        { name: 'shop.other', queries: ['not asked for'] },
        {
          name: 'shop.refund',
          queries: [
            7,
            'x'.repeat(300),
            'hidden \u{e0041} text',
            `use ghp_${'A1b2'.repeat(9)}`,
            '1. "give it\n back"',
            'Give it back',
            '...',
            'second',
            'third',
            'fourth',
          ],
        },
        { name: 'shop.refund', queries: ['a second answer'] },
      ],
    });
    const world = await opened(['refund'], { writer });
    await until(() => world.exampleQueries.status().written === 1);
    expect(world.exampleQueries.list()[0]?.added).toEqual(['give it back', 'second', 'third']);
    // Estimated, because the writer reported nothing.
    expect((await world.exampleQueries.spend()).inputTokens).toBeGreaterThan(100);
  });

  it.each([
    ['throws', () => Promise.reject(new Error('provider down, key sk-ant-api03-AAAABBBBCCCCDDDDEEEE'))],
    ['hangs', () => new Promise(() => {})],
    ['answers nonsense', () => 'I am a teapot'],
    ['answers for other tools', () => ({ tools: [{ name: 'a', queries: ['b'] }] })],
  ])('that %s costs only its own queries, and is asked again', async (_title, answer) => {
    const writer = new TestWriter();
    const good = writer.answer;
    writer.answer = answer;
    const world = await opened(['refund'], { writer, timeoutMs: 20 });
    await until(() => world.eventsOf('example_queries.degraded').length > 1);
    expect(await found(world, 'refund')).toEqual(['shop.refund']);
    const { reason = '' } = world.exampleQueries.status();
    expect(reason).toMatch(/\S/);
    expect(reason).not.toContain('sk-ant');
    writer.answer = good;
    await until(() => world.exampleQueries.status().written + world.exampleQueries.status().givenUp === 1);
  });

  it('gives a tool up after three useless answers, and the others get theirs', async () => {
    const writer = new TestWriter();
    writer.answer = (tools) => ({
      tools: tools.map(({ name }) => ({ name, queries: name === 'shop.odd' ? ['?'] : requests(name, 3) })),
    });
    const world = await opened(['odd', 'refund', 'list'], { writer });
    await until(() => world.exampleQueries.status().givenUp === 1);
    expect(world.exampleQueries.status()).toMatchObject({ wanted: 3, written: 2, pending: 0 });
    expect(writer.names.filter((name) => name === 'shop.odd')).toHaveLength(3);
    expect(world.exampleQueries.get(idOf(world, 'shop.odd')).writing).toBe('given_up');
  });

  it('stops at the budget, over restarts', async () => {
    const exampleQueryStore = new MemoryExampleQueryStore();
    const tools = Array.from({ length: 30 }, (_, index) => `tool_${index}`);
    const writer = new TestWriter();
    writer.answer = (asked) => ({
      tools: asked.map(({ name }) => ({ name, queries: requests(name, 3) })),
      usage: { inputTokens: 800, outputTokens: 200 },
    });
    const given = { writer, batchSize: 1, concurrency: 1, budget: { tokens: 5000 } };
    for (let boot = 0; boot < 2; boot++) {
      const world = await opened(tools, given, { exampleQueryStore });
      await until(() => world.exampleQueries.status().state === 'budget_spent');
      expect(world.eventsOf('example_queries.budget_spent')).toHaveLength(1);
      await world.close();
    }
    const { inputTokens, outputTokens } = await exampleQueryStore.costs();
    expect(inputTokens + outputTokens).toBeLessThanOrEqual(5000);
    expect(inputTokens + outputTokens).toBeGreaterThan(3000);
  });

  it('keeps a budget in money by the prices of the application', async () => {
    const writer = new TestWriter();
    const prices = { inputPerMillion: 1_000_000, outputPerMillion: 1_000_000 };
    const budget = { money: 700, prices };
    const world = await opened(['a', 'b', 'c'], { writer, batchSize: 1, concurrency: 1, budget });
    await until(() => world.exampleQueries.status().state === 'budget_spent');
    const { money, limits } = await world.exampleQueries.spend();
    expect(limits).toEqual({ tokens: 1_000_000, money: 700 });
    expect(money).toBe(110 * world.exampleQueries.status().written);
    expect(money).toBeGreaterThan(0);
  });

  it('is not asked while all tools are listed, so that no search happens', async () => {
    const writer = new TestWriter();
    const world = await opened(['refund'], { writer }, { options: { exposure: 'auto' } });
    await world.open().surface();
    expect([writer.calls, world.exampleQueries.status().wanted]).toEqual([[], 0]);
    await world.open().search({ query: 'refund' });
    await until(() => world.exampleQueries.status().written === 1);
  });

  it('is aborted at shutdown, and its claim is free at once', async () => {
    const exampleQueryStore = new MemoryExampleQueryStore();
    const writer = new TestWriter();
    let aborted = false;
    writer.answer = (_tools, signal) =>
      new Promise(() => signal.addEventListener('abort', () => (aborted = true), { once: true }));
    const world = await opened(['refund'], { writer }, { exampleQueryStore });
    await until(() => writer.calls.length > 0);
    await world.close();
    expect(aborted).toBe(true);
    const next = new TestWriter();
    const again = await opened(['refund'], { writer: next }, { exampleQueryStore });
    await until(() => again.exampleQueries.status().written === 1);
  });
});

describe('what was written', () => {
  it('is never shown: not in definitions, replies or explanations', async () => {
    const writer = new TestWriter();
    const world = await opened(['refund'], { writer });
    await until(async () => (await found(world, 'xylrefund')).length > 0);
    const toolbox = world.open();
    const shown = [
      await toolbox.surface(),
      await toolbox.list(),
      world.catalog.tools(),
      await toolbox.get(['shop.refund']),
      await toolbox.search({ query: 'refund', explain: true }),
      await toolbox.explain('shop.refund'),
    ];
    expect(JSON.stringify(shown)).not.toMatch(/xyl|"added"/i);
  });

  it('changes no result of a caller who does not see the tool', async () => {
    const writer = new TestWriter();
    const hides = {
      filter: async (tools: readonly { name: string }[]) => tools.filter(({ name }) => name !== 'shop.refund'),
    };
    const answers = async (tools: readonly string[], options: ExampleQueryOptions) => {
      const world = await opened(tools, options, { visibility: hides as never });
      if (options.writer) await until(() => world.exampleQueries.status().pending === 0);
      await world.catalog.publish();
      return world.open().search({ query: 'please list xylrefund' });
    };
    // The writer is asked for `refund` only.
    expect(await answers(['list', 'refund'], { writer, include: ['shop.refund'] })).toEqual(
      await answers(['list'], {}),
    );
    expect(writer.names).toEqual(['shop.refund']);
  });

  it("of a tenant's own tools needs the application's permission, and goes with the source", async () => {
    const exampleQueryStore = new MemoryExampleQueryStore();
    const writer = new TestWriter();
    const options = { tenantSources: { load: () => [new FakeSource('own', ['secret_plan'])] } };
    const closed = await opened(['refund'], { writer }, { options });
    await closed.open().list();
    await until(() => closed.exampleQueries.status().written === 1);
    expect(writer.names).toEqual(['shop.refund']);

    const world = await opened(['refund'], { writer, tenants: true }, { options, exampleQueryStore });
    await world.open().list();
    await until(() => world.exampleQueries.status().written === 2);
    // One call never has tools of two owners.
    expect(writer.calls.every((tools) => tools.length === 1)).toBe(true);
    await until(async () => (await found(world, 'xylsecret_plan')).length > 0);
    const { hash } = world.catalog.tools().find(({ owner }) => owner === 'acme') ?? { hash: '' };
    expect(await exampleQueryStore.find([hash])).toHaveLength(1);
    await world.tenantSources.forget('acme');
    expect(await exampleQueryStore.find([hash])).toEqual([]);
  });
});

describe('operators', () => {
  it('set, add, remove and discard queries, each with a line of the audit trail', async () => {
    const writer = new TestWriter();
    const world = await opened([{ name: 'refund', exampleQueries: ['mine'] }], { writer });
    await until(() => world.exampleQueries.status().written === 1);
    const id = idOf(world, 'shop.refund');
    const { exampleQueries } = world;
    const set = await exampleQueries.set(id, ['half their money back', 'Mine'], { ...OPERATOR, expectedRevision: 0 });
    expect(set).toMatchObject({ own: ['mine'], added: ['half their money back'], origin: 'operator', revision: 1 });
    expect(await found(world, 'half of the money')).toEqual(['shop.refund']);
    const added = await exampleQueries.add(id, ['undo a payment'], { ...OPERATOR, expectedRevision: 1 });
    expect(added.added).toEqual(['half their money back', 'undo a payment']);
    await expect(exampleQueries.set(id, ['x y'], { ...OPERATOR, expectedRevision: 1 })).rejects.toMatchObject({
      code: 'REVISION_CONFLICT',
    });
    expect(await exampleQueries.remove(id, OPERATOR)).toMatchObject({ added: [], origin: 'operator', revision: 3 });
    expect(await found(world, 'money payment')).toEqual([]);
    expect(await exampleQueries.rewrite(id, OPERATOR)).toMatchObject({
      origin: 'none',
      revision: 0,
      writing: 'pending',
    });
    await until(() => exampleQueries.get(id).origin === 'writer');
    const entries = await world.audit.list({}, { limit: 10 });
    expect(entries.map(({ action }) => action)).toEqual([
      'example_queries.discarded',
      'example_queries.set',
      'example_queries.set',
      'example_queries.set',
    ]);
    expect((await world.audit.verify()).valid).toBe(true);
  });

  it.each([
    ['hidden \u200b text', 'query 2 has characters'],
    ['x'.repeat(201), 'query 2 must have 2 to 200'],
    [`AKIA${'ABCDEFGH'.repeat(2)}`, 'query 2 looks like a credential'],
  ])('get an error for %j', async (query, says) => {
    const world = await opened(['refund'], {});
    const id = idOf(world, 'shop.refund');
    await expect(world.exampleQueries.set(id, ['fine one', query], OPERATOR)).rejects.toMatchObject({
      code: 'INVALID_REQUEST',
      message: expect.stringContaining(says),
    });
    expect(() => world.exampleQueries.get('eq_unknown')).toThrow(expect.objectContaining({ code: 'NOT_FOUND' }));
  });

  it('reach every instance', async () => {
    const controlStore = new MemoryControlStore();
    const options = { tuning: { control: { pollMs: 10 } } };
    const [one, two] = await Promise.all([1, 2].map(() => opened(['refund'], {}, { controlStore, options })));
    await one!.exampleQueries.set(idOf(one!, 'shop.refund'), ['half their money back'], OPERATOR);
    await until(async () => (await found(two!, 'money')).length > 0);
  });
});

describe('files', () => {
  let folder: string;
  beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'queries-'))));
  afterEach(() => rmSync(folder, { recursive: true }));
  const file = (name: string, text: string) => {
    writeFileSync(join(folder, name), text);
    return join(folder, name);
  };

  it('are applied where the description is still the same, by canonical or local name, and before a writer', async () => {
    const writer = new TestWriter();
    const hash = descriptionHash('Does what refund says.');
    const path = file(
      'app.json',
      queryCatalogText({
        package: 'app',
        tools: { 'shop.refund': { hash, queries: ['a1', 'a2', 'a3'] }, 'shop.list': { hash, queries: ['changed'] } },
      }),
    );
    const local = file(
      'local.json',
      queryCatalogText({
        package: 'shop',
        tools: { pay: { hash: descriptionHash('Pays.'), queries: ['settle a bill'] } },
      }),
    );
    const world = await opened(
      ['refund', 'list', { name: 'pay', description: 'Pays.' }, { name: 'toString', description: 'x' }],
      { writer, files: [path, { path: local, source: 'shop' }], include: ['shop.pay'] },
    );
    await until(() => world.exampleQueries.status().written === 1);
    const queries = Object.fromEntries(world.exampleQueries.list().map(({ tool, added }) => [tool.name, added]));
    expect(queries).toEqual({
      'shop.list': [],
      'shop.pay': ['settle a bill', ...requests('pay', 2)],
      'shop.refund': ['a1', 'a2', 'a3'],
      'shop.toString': [],
    });
  });

  it.each([
    ['missing', () => join('no', 'such.json'), 'cannot be read'],
    ['no JSON', () => file('bad.json', 'x'), 'is no file of example queries'],
    ['another JSON', () => file('other.json', '{"tools": []}'), 'is no file of example queries'],
  ])('that are %s fail the boot', async (_title, path, says) => {
    await expect(opened([], { files: [path()] })).rejects.toMatchObject({
      code: 'INVALID_CONFIGURATION',
      message: expect.stringContaining(says),
    });
  });
});
