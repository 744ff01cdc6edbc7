import fc from 'fast-check';
import { githubOperations } from '../datasets/github-operations.js';
import { GITHUB_REQUESTS } from '../datasets/github-requests.js';
import { definitionOf, sortedByName } from '../datasets/tool-definitions.js';
import { AiSdkEngine, aiSdkWords } from './ai-sdk-engine.js';
import { originalSearch, SEARCH } from './ai-sdk-original.js';

describe('AiSdkEngine', () => {
  it('splits names at capitals, underscores and dots, and keeps letters of every script', () => {
    expect(aiSdkWords('mail.sendHTTPLetter_v2X')).toEqual(['mail', 'send', 'httpletter', 'v2', 'x']);
    expect(aiSdkWords('Größe — 天気!')).toEqual(['größe', '天気']);
    expect(aiSdkWords('…')).toEqual([]);
  });

  it('never shows a hidden tool', async () => {
    const engine = new AiSdkEngine();
    await engine.build(['a', 'b'].map((name) => definitionOf({ name, namespace: '', description: 'letter' })));
    expect((await engine.search('letter', 10)).names).toEqual(['a', 'b']);
    expect((await engine.search('letter', 10, 0.5)).names).toEqual(['b']);
  });

  it('takes over a changed catalog', async () => {
    const engine = new AiSdkEngine();
    await engine.build([definitionOf({ name: 'a', namespace: '', description: 'letter' })]);
    await engine.change([definitionOf({ name: 'b', namespace: '', description: 'letter' })])();
    expect((await engine.search('letter', 10)).names).toEqual(['b']);
  });

  it('returns what the package returns for requests to real operations, in the same order', async () => {
    const tools = (await githubOperations()).filter((_, position) => position % 4 === 0);
    const engine = new AiSdkEngine();
    await engine.build(tools);
    const queries = GITHUB_REQUESTS.map(({ query }) => query).filter((_, position) => position % 6 === 0);
    expect(queries.length).toBeGreaterThan(10);
    for (const query of queries) {
      const { returned, shown } = await originalSearch(tools, query, 10);
      expect((await engine.search(query, 10)).names).toEqual(returned);
      expect(returned).not.toEqual([]);
      expect(foundNames(shown)).toEqual(returned.toSorted());
    }
  });

  it('returns what the package returns for any tools, query and limit', async () => {
    const word = fc.constantFrom(
      'send',
      'sendLetter',
      'LETTER',
      'pdf2Text',
      'été',
      '天気',
      'a',
      'İx',
      'x_y',
      'HTTPServer',
    );
    const separator = fc.constantFrom(' ', '_', '-', '.', '', ', ');
    const phrase = fc
      .array(fc.tuple(word, separator), { minLength: 1, maxLength: 6 })
      .map((parts) => parts.flat().join(''));
    const described = fc.record({ name: phrase, description: fc.oneof(phrase, fc.constant(''), fc.string()) });
    await fc.assert(
      fc.asyncProperty(
        fc.array(described, { minLength: 1, maxLength: 12 }),
        fc.oneof(phrase, fc.string({ minLength: 1 })),
        fc.integer({ min: 1, max: 6 }),
        async (given, query, limit) => {
          const tools = sortedByName(given.map((each) => definitionOf({ ...each, namespace: '' })));
          const engine = new AiSdkEngine();
          await engine.build(tools);
          const { returned, shown } = await originalSearch(tools, query, limit);
          expect((await engine.search(query, limit)).names).toEqual(returned);
          expect(foundNames(shown)).toEqual(returned.toSorted());
        },
      ),
    );
  });
});

function foundNames(shown: readonly { readonly name: string }[]): readonly string[] {
  const names = shown.map(({ name }) => name);
  return names.filter((name) => name !== SEARCH).toSorted();
}
