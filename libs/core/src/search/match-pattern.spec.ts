import { fakeTool, fakeTools } from '../testing/fakes/fake-tools.js';
import { CatalogSnapshot } from '../tool/snapshot/catalog-snapshot.js';
import { isToolSearchError } from '../tool/tool-search.error.js';
import { ToolSet } from '../tool/snapshot/tool-set.js';
import { matchPattern } from './match-pattern.js';
import { TimeSlicer } from '../async/time-slicer.js';
import type { PatternField } from './tool-index.js';

const catalog = new CatalogSnapshot(1, [
  ...fakeTools(3_000),
  fakeTool({ name: 'hostile.text', description: 'a'.repeat(8_000) }),
]);
const everything = ToolSet.of(catalog.tools.length, () => true);
const match = (pattern: string, slices = new TimeSlicer(5)) => matchPattern(pattern, catalog, everything, 20, slices);
const refusalOf = async (pattern: string, slices?: TimeSlicer) => {
  const error: unknown = await match(pattern, slices).catch((reason: unknown) => reason);
  return isToolSearchError(error) ? error : undefined;
};

describe('matchPattern', () => {
  it.each(['(a+)+$', '^(a|a)*b', '(.*)(.*)(.*)x$', '(a?){30}a{30}', '.*', '(?i)ISSUE', '\\Qissue', '^', '(|a)*'])(
    'runs %s in linear time over thousands of tools',
    async (pattern) => {
      const hits = await match(pattern);
      expect(hits.length).toBeLessThanOrEqual(20);
    },
  );

  it.each([
    ['(?=a)b', 'PATTERN_UNSUPPORTED'],
    ['(?!a)b', 'PATTERN_UNSUPPORTED'],
    ['(?<=a)b', 'PATTERN_UNSUPPORTED'],
    ['(?<!a)b', 'PATTERN_UNSUPPORTED'],
    ['(?>a)b', 'PATTERN_UNSUPPORTED'],
    ['(a)\\1', 'PATTERN_UNSUPPORTED'],
    ['(?<n>a)\\k<n>', 'PATTERN_UNSUPPORTED'],
    ['(?:a?){500}a{500}$', 'PATTERN_TOO_COSTLY'],
    ['a{2000}', 'PATTERN_TOO_COSTLY'],
    ['(?:(?:a{100}){100}){100}', 'PATTERN_TOO_COSTLY'],
    ['(?:[a-z]{30}){30}', 'PATTERN_TOO_COSTLY'],
    // A single match cannot be interrupted, and one of the descriptions has 8,000 characters.
    ['[ab]*a[ab]{200}c', 'PATTERN_TOO_COSTLY'],
    ['x{5,2}', 'INVALID_PATTERN'],
    ['[', 'INVALID_PATTERN'],
    ['(', 'INVALID_PATTERN'],
    ['a**', 'INVALID_PATTERN'],
    ['*', 'INVALID_PATTERN'],
    ['a\\', 'INVALID_PATTERN'],
    ['[z-a]', 'INVALID_PATTERN'],
    ['', 'INVALID_QUERY'],
    ['x'.repeat(201), 'QUERY_TOO_LONG'],
    ['('.repeat(2_000) + ')'.repeat(2_000), 'QUERY_TOO_LONG'],
  ])('refuses %s with %s and says what to do', async (pattern, code) => {
    const refusal = await refusalOf(pattern);
    expect(refusal?.code).toBe(code);
    expect(refusal?.hint).toMatch(/./);
  });

  it('says where a pattern is wrong', async () => {
    expect((await refusalOf('issue[a'))?.message).toContain('position 5');
  });

  it('gives up when the time is over, however harmless the pattern looks', async () => {
    let now = 0;
    expect((await refusalOf('nothing', new TimeSlicer(5, undefined, () => (now += 10))))?.code).toBe(
      'PATTERN_TOO_COSTLY',
    );
  });

  it('stops in the middle when the search is no longer wanted', async () => {
    const controller = new AbortController();
    let now = 0;
    const slices = new TimeSlicer(5, controller.signal, () => (now += 2));
    const search = match('nothing', slices);
    setImmediate(() => controller.abort(new Error('gone')));
    await expect(search).rejects.toThrow('gone');
  });

  it('prefers the whole name to its start, its start to a part, a part to a tag, a tag to the description', async () => {
    const tools = [
      fakeTool({ name: 'a.other', description: 'Send mail.' }),
      fakeTool({ name: 'b.other', tags: ['mail'], description: '' }),
      fakeTool({ name: 'c.send_mail', description: '' }),
      fakeTool({ name: 'd.mail_send', description: '' }),
      fakeTool({ name: 'e.mail', description: '' }),
    ];
    const snapshot = new CatalogSnapshot(1, tools);
    const hits = await matchPattern(
      'mail',
      snapshot,
      ToolSet.of(5, () => true),
      5,
      new TimeSlicer(5),
    );
    expect(hits.map(({ id }) => tools[id]?.name)).toEqual([
      'e.mail',
      'd.mail_send',
      'c.send_mail',
      'b.other',
      'a.other',
    ]);
    expect(new Set(hits.map(({ score }) => score)).size).toBe(5);
  });

  it('searches only the given fields', async () => {
    const tools = [
      fakeTool({ name: 'a.mail', description: 'Send a letter.' }),
      fakeTool({ name: 'b.other', tags: ['mail'], description: 'Send a letter.' }),
      fakeTool({ name: 'c.mail', tags: ['mail'], description: 'Send mail.' }),
    ];
    const snapshot = new CatalogSnapshot(1, tools);
    const scope = ToolSet.of(3, () => true);
    const found = async (...fields: PatternField[]) => {
      const hits = await matchPattern('mail', snapshot, scope, 5, new TimeSlicer(5), fields);
      return hits.map(({ id, score }) => [tools[id]?.name, score]);
    };
    const inName = await found('name');
    expect(inName.map(([name]) => name)).toEqual(['a.mail', 'c.mail']);
    const [[, forTag], [, other]] = (await found('tags')) as [[string, number], [string, number]];
    expect([forTag, (await found('tags')).map(([name]) => name)]).toEqual([other, ['b.other', 'c.mail']]);
    expect((await found('description')).map(([name]) => name)).toEqual(['c.mail']);
    expect(await found('name', 'tags', 'description')).toEqual([...inName, ['b.other', forTag]]);
  });
});
