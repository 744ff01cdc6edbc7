import { definitionOf, sortedByName } from '../datasets/tool-definitions.js';
import { MiniSearchEngine } from './mini-search-engine.js';
import { OramaEngine } from './orama-engine.js';

const tools = sortedByName([
  definitionOf({ name: 'convert', namespace: 'money', description: 'Exchange rates' }),
  definitionOf({ name: 'create_issue', namespace: 'github', description: 'Opens a ticket', tags: ['planning'] }),
  definitionOf({ name: 'forecast', namespace: 'sky', description: 'Weather of a place' }),
]);

describe.each([
  ['MiniSearch', () => new MiniSearchEngine()],
  ['Orama', () => new OramaEngine()],
])('%s', (_, create) => {
  it.each([
    ['convert', 'money.convert'],
    ['github', 'github.create_issue'],
    ['ticket', 'github.create_issue'],
    ['planning', 'github.create_issue'],
    ['weather', 'sky.forecast'],
  ])('finds %j by one of the four fields', async (text, name) => {
    const engine = create();
    await engine.build(tools);
    expect((await engine.search(text, 10)).names).toEqual([name]);
  });

  it('answers "none" if no tool has a word of the query, and never returns a hidden tool', async () => {
    const engine = create();
    await engine.build(tools);
    expect(await engine.search('zzz', 10)).toEqual({ names: [] });
    expect((await engine.search('ticket', 10, 0.34)).names).toEqual([]);
    expect((await engine.search('weather', 10, 0.34)).names).toEqual(['sky.forecast']);
  });
});

describe('MiniSearchEngine', () => {
  it('takes over a changed catalog', async () => {
    const engine = new MiniSearchEngine();
    await engine.build(tools);
    const [issue, convert] = tools;
    const renamed = definitionOf({ name: 'create_issue', namespace: 'github', description: 'Files a bug' });
    const added = definitionOf({ name: 'send', namespace: 'mail', description: 'Writes a letter' });
    await engine.change([renamed, added, ...(issue && convert ? [convert] : [])])();
    const names = async (text: string) => (await engine.search(text, 10)).names;
    expect(await names('ticket')).toEqual([]);
    expect(await names('bug')).toEqual(['github.create_issue']);
    expect(await names('letter')).toEqual(['mail.send']);
    expect(await names('weather')).toEqual([]);
  });
});
