import { definitionOf } from '../datasets/tool-definitions.js';
import { MastraEngine, mastraWords } from './mastra-engine.js';

const tools = [
  definitionOf({ name: 'create_issue', namespace: 'github', description: 'Open a ticket' }),
  definitionOf({ name: 'mailer', namespace: '', description: 'Write a letter about a ticket, a ticket, a ticket' }),
  definitionOf({ name: 'ticket', namespace: '', description: 'Buy one for a journey by train' }),
  definitionOf({ name: 'weather', namespace: 'sky', description: 'Forecast for a place' }),
];

async function found(text: string, limit = 10, share?: number): Promise<readonly string[]> {
  const engine = new MastraEngine();
  await engine.build(tools);
  return (await engine.search(text, limit, share)).names;
}

describe('MastraEngine', () => {
  it('splits at punctuation and underscores and drops single characters', () => {
    expect(mastraWords('Create_issue: a "GitHub" ticket!')).toEqual(['create', 'issue', 'github', 'ticket']);
  });

  it('finds a tool by the parts of its name', async () => {
    expect(await found('create issue')).toEqual(['github.create_issue']);
  });

  it('puts the tool first whose name is a word of the query, then those whose name contains one', async () => {
    expect((await found('ticket'))[0]).toBe('ticket');
    expect((await found('mail ticket')).slice(0, 2)).toEqual(['ticket', 'mailer']);
  });

  it('forgets what is beyond twice the wanted number before it looks at names', async () => {
    const crowd = Array.from({ length: 4 }, (_, number) =>
      definitionOf({ name: `a${number}`, namespace: '', description: 'ticket ticket ticket' }),
    );
    const engine = new MastraEngine();
    const named = definitionOf({ name: 'ticket', namespace: '', description: 'one of a very long text without more' });
    await engine.build([...crowd, named]);
    expect((await engine.search('ticket', 2)).names).not.toContain('ticket');
    expect((await engine.search('ticket', 3)).names[0]).toBe('ticket');
  });

  it('never shows a hidden tool', async () => {
    expect(await found('forecast ticket', 10, 0.25)).toEqual(['sky.weather']);
  });
});
