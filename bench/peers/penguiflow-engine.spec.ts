import { definitionOf } from '../datasets/tool-definitions.js';
import { enrichedTags, PenguiflowEngine } from './penguiflow-engine.js';

const tools = [
  definitionOf({
    name: 'create_issue',
    namespace: 'github',
    description: 'Opens a ticket in a repository',
    tags: ['dev'],
  }),
  definitionOf({ name: 'create_message', namespace: 'mail', description: 'Writes a letter' }),
  definitionOf({ name: 'forecast', namespace: 'sky', description: 'Weather of a place in the next days' }),
  definitionOf({ name: 'convert', namespace: 'money', description: 'Exchange rates, not advice' }),
];

async function found(text: string, share?: number): Promise<readonly string[]> {
  const engine = new PenguiflowEngine();
  await engine.build(tools);
  return (await engine.search(text, 10, share)).names;
}

describe('PenguiflowEngine', () => {
  it('adds the words of the name to the tags, 24 at most', () => {
    const [issue] = tools;
    expect(enrichedTags(issue!)).toEqual(['dev', 'github', 'create', 'issue']);
    const long = definitionOf({
      name: Array.from({ length: 30 }, (_, n) => `w${n}`).join('_'),
      namespace: '',
      description: '',
    });
    expect(enrichedTags(long)).toHaveLength(24);
  });

  it('asks for all words first and for any of them when no tool has all', async () => {
    expect(await found('create ticket')).toEqual(['github.create_issue']);
    expect(await found('repositories forecasts')).toEqual(['sky.forecast', 'github.create_issue']);
  });

  it('ranks the better match first (the mended sign)', async () => {
    const engine = new PenguiflowEngine();
    await engine.build([
      definitionOf({
        name: 'b',
        namespace: '',
        description: 'a long story in which a letter is named once and never again',
      }),
      definitionOf({ name: 'longer_name', namespace: '', description: 'letter letter' }),
      definitionOf({ name: 'c', namespace: '', description: 'nothing' }),
    ]);
    expect((await engine.search('letter', 10)).names).toEqual(['longer_name', 'b']);
  });

  it('falls back to a pattern where FTS5 cannot read the query', async () => {
    expect(await found('NOT')).toEqual(['money.convert']);
    expect(await found('do NOT')).toEqual(['money.convert']);
    expect(await found('天气')).toEqual([]);
  });

  it('never shows a hidden tool', async () => {
    expect(await found('create', 0.5)).toEqual(['mail.create_message']);
    expect(await found('NOT', 0.25)).toEqual(['money.convert']);
  });
});
