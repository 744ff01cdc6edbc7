import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { descriptionHash, type QueryCatalog } from '../toolbox/example-queries/query-catalog.js';
import type {
  DescribedForWriter,
  ExampleQueryWriter,
} from '../toolbox/example-queries/writing/example-query-writer.js';
import { FakeSource } from '../testing/fakes/fake-source.js';
import { openToolbox } from '../testing/open-toolbox.js';
import { enrich } from './enrich.js';

const WAITS = { lookAgainMs: 1, minRetryMs: 1 };
const OWN = ['one of mine', 'two of mine', 'three of mine'];

class Writer implements ExampleQueryWriter {
  readonly id = 'test-writer';
  readonly asked: string[] = [];
  fails = false;

  async write(tools: readonly DescribedForWriter[]) {
    if (this.fails) throw new Error('provider down');
    this.asked.push(...tools.map(({ name }) => name));
    return {
      tools: tools.map(({ name, count }) => ({
        name,
        queries: ['b', 'c', 'd'].slice(0, count).map((word) => `${word} ${name}`),
      })),
    };
  }
}

describe('enrich', () => {
  let folder: string;
  let file: string;
  let writer: Writer;
  const shop = (...names: string[]) => new FakeSource('shop', [...names, { name: 'own', exampleQueries: OWN }]);
  const content = () => JSON.parse(readFileSync(file, 'utf8')) as QueryCatalog;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'enrich-'));
    file = join(folder, 'example-queries.json');
    writer = new Writer();
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  it('writes a file that the option takes, without tools that have queries of their own', async () => {
    const report = await enrich(file, { sources: [shop('refund', 'list')], writer, name: 'my-shop' }, WAITS);
    expect(report).toMatchObject({ tools: 2, written: 2, missing: [] });
    expect(report.spend.inputTokens).toBeGreaterThan(0);
    expect(content()).toMatchObject({ package: 'my-shop', tools: { 'shop.list': {}, 'shop.refund': {} } });
    const search = { exampleQueries: { files: [file] } };
    const world = await openToolbox({ sources: [shop('refund')], options: { exposure: 'deferred', search } });
    expect(world.exampleQueries.list().map(({ added }) => added)).toEqual([
      [],
      ['b shop.refund', 'c shop.refund', 'd shop.refund'],
    ]);
    await world.close();
  });

  it('keeps what people edited, writes only what is new or changed, and drops what is gone', async () => {
    await enrich(file, { sources: [shop('refund', 'list')], writer }, WAITS);
    const known = content();
    const edited = {
      hash: descriptionHash('Does what refund says.'),
      queries: ['edited one', 'edited two', 'edited three'],
    };
    const stale = { hash: '000000000000', queries: ['stale'] };
    writeFileSync(
      file,
      JSON.stringify({ ...known, tools: { 'shop.refund': edited, 'shop.list': stale, 'shop.gone': stale } }),
    );
    writer.asked.length = 0;
    const report = await enrich(file, { sources: [shop('refund', 'list', 'pay')], writer }, WAITS);
    expect(writer.asked).toEqual(['shop.list', 'shop.pay']);
    expect(report).toMatchObject({ tools: 3, written: 2 });
    expect(content().tools['shop.refund']).toEqual(edited);
    expect(Object.keys(content().tools)).toEqual(['shop.list', 'shop.pay', 'shop.refund']);
    const before = readFileSync(file, 'utf8');
    await enrich(file, { sources: [shop('pay', 'list', 'refund')], writer }, WAITS);
    expect(readFileSync(file, 'utf8')).toBe(before);
    expect(writer.asked).toHaveLength(2);
  });

  it('ends when the writer goes on failing, or the budget is spent, and says what is missing', async () => {
    writer.fails = true;
    expect(await enrich(file, { sources: [shop('refund')], writer }, WAITS)).toMatchObject({
      tools: 0,
      missing: ['shop.refund'],
      reason: 'provider down',
    });
    writer.fails = false;
    const budget = { tokens: 100 };
    expect(await enrich(file, { sources: [shop('refund')], writer, budget }, WAITS)).toMatchObject({
      missing: ['shop.refund'],
      reason: 'the budget is spent',
    });
  });

  it('leaves the file alone if a source does not load', async () => {
    const down = shop('refund');
    down.failWith(new Error('down'));
    await expect(enrich(file, { sources: [down], writer }, WAITS)).rejects.toMatchObject({
      code: 'SOURCE_UNAVAILABLE',
    });
    expect(() => readFileSync(file)).toThrow(/ENOENT/);
  });
});
