import { definitionOf } from '../datasets/tool-definitions.js';
import { PraisonaiEngine, praisonaiWords } from './praisonai-engine.js';

const tools = [
  definitionOf({ name: 'create_issue', namespace: 'github', description: 'Open a ticket in a repository' }),
  definitionOf({ name: 'list_issues', namespace: 'github', description: 'Show every ticket of a repository' }),
  definitionOf({ name: 'send', namespace: 'mail', description: 'Write a letter' }),
  definitionOf({ name: 'weather', namespace: 'sky', description: 'Forecast for a place' }),
  definitionOf({ name: 'convert', namespace: 'money', description: 'Exchange rates' }),
];

async function found(text: string, share?: number, builds?: 'every call' | 'once'): Promise<readonly string[]> {
  const engine = new PraisonaiEngine(builds);
  await engine.build(tools);
  return (await engine.search(text, 10, share)).names;
}

describe('PraisonaiEngine', () => {
  it('keeps underscores in words, so a name is found by its whole only', async () => {
    expect(praisonaiWords('Create_Issue in GitHub, now!')).toEqual(['create_issue', 'in', 'github', 'now']);
    expect(await found('create issue')).toEqual([]);
    expect(await found('create_issue')).toEqual(['github.create_issue']);
  });

  it('lets a word that most tools have count against them', async () => {
    // "a" is in four of five descriptions.
    expect(await found('a forecast a a a a a')).toEqual([]);
    expect(await found('forecast')).toEqual(['sky.weather']);
  });

  it('falls back to the query as a part of name or description, in the order of the catalog', async () => {
    expect(await found('ticket in')).toEqual(['github.create_issue', 'github.list_issues']);
    expect(await found('ti')).toEqual(['github.create_issue', 'github.list_issues']);
    expect(await found('icket')).toEqual(['github.create_issue', 'github.list_issues']);
    expect(await found('is')).toEqual(['github.create_issue', 'github.list_issues']);
  });

  it('searches only the visible tools', async () => {
    expect(await found('rates', 0.2)).toEqual(['money.convert']);
    expect(await found('create_issue', 0.2)).toEqual([]);
  });

  it('ranks alike when it is built once, and owns up to the time it spared', async () => {
    expect(await found('ticket repository', 1, 'once')).toEqual(await found('ticket repository', 1));
    const engine = new PraisonaiEngine('once');
    await engine.build(tools);
    expect((await engine.search('weather', 10)).sparedMs).toBeGreaterThan(0);
  });
});
