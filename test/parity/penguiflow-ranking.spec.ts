import { FakeSource, openToolbox } from '@tool-search/core/testing';
import { namesOf, opened } from './github-and-slack.js';

/* Guarantees of PenguiFlow's search ranking that hold here; rows PF-… of docs/parity.md. */

describe('ranking', () => {
  it('puts what fits best first, with higher scores', async () => {
    const { toolbox } = await opened();
    const { tools } = await toolbox.search({ query: 'create github issue' });
    expect(tools[0]!.name).toBe('github.create_issue');
    expect(tools[0]!.score).toBeGreaterThan(tools[1]!.score);
    for (const { score } of tools) expect(score > 0 && score <= 1).toBe(true);
  });

  it('does not prefer a harmless tool or a short name to one that fits as well', async () => {
    const same = { description: 'Archive the letters.' };
    const { toolbox } = await openToolbox({
      sources: [
        new FakeSource('a', [{ ...same, name: 'archive_letters_now', sideEffects: 'stateful' }]),
        new FakeSource('b', [{ ...same, name: 'archive_letters_now', sideEffects: 'pure' }]),
      ],
    });
    const { tools } = await toolbox.search({ query: 'archive the letters' });
    expect(tools.map(({ name, score }) => [name, score])).toEqual([
      ['a.archive_letters_now', tools[0]!.score],
      ['b.archive_letters_now', tools[0]!.score],
    ]);
  });

  it('reads the words of names, in snake and camel case, of tags, and of parameters', async () => {
    const { toolbox } = await opened();
    for (const [query, name] of [
      ['send message', 'slack.sendMessage'],
      ['chat', 'slack.sendMessage'],
      ['milestone', 'github.create_issue'],
      ['issues', 'github.list_issues'],
    ] as const) {
      expect(namesOf((await toolbox.search({ query })).tools)).toContain(name);
    }
  });

  it('knows word stems, and never takes a word of the query for an operator', async () => {
    const { toolbox } = await opened();
    for (const query of ['creating issues', 'issue AND NOT', 'NEAR(issue', 'issue OR']) {
      expect(namesOf((await toolbox.search({ query })).tools)).toContain('github.create_issue');
    }
  });

  it('by pattern scores the whole name .95, its start .9, a part .85, a tag .8 and the description .75', async () => {
    const { toolbox } = await openToolbox({
      sources: [
        new FakeSource('m', [
          { name: 'mail', description: '-' },
          { name: 'mail_all', description: '-' },
          { name: 'send_mail', description: '-' },
          { name: 'tagged', description: '-', tags: ['MAIL'] },
          { name: 'described', description: 'About mail.' },
        ]),
      ],
    });
    const { tools } = await toolbox.search({ query: 'mail', type: 'regex' });
    expect(tools.map(({ name, score }) => [name, score])).toEqual([
      ['m.mail', 0.95],
      ['m.mail_all', 0.9],
      ['m.send_mail', 0.85],
      ['m.tagged', 0.8],
      ['m.described', 0.75],
    ]);
  });

  it('by pattern ignores case and finds a whole namespace', async () => {
    const { toolbox } = await opened();
    const { tools } = await toolbox.search({ query: 'GITHUB\\.\\w+', type: 'regex' });
    expect(namesOf(tools)).toEqual(['github.create_issue', 'github.list_issues']);
  });

  it('by pattern refuses what is none, and does not take it for words', async () => {
    const { toolbox } = await opened();
    await expect(toolbox.search({ query: 'issue[', type: 'regex' })).rejects.toMatchObject({
      code: 'INVALID_PATTERN',
      message: expect.stringContaining('position'),
    });
    expect((await toolbox.search({ query: 'create repository', type: 'regex' })).tools).toEqual([]);
  });

  it('by name finds the one tool, by name or last part, and a tag; not a description', async () => {
    const { toolbox } = await opened();
    const found = async (query: string) => {
      const { tools } = await toolbox.search({ query, type: 'exact' });
      return tools.map(({ name, score }) => [name, score]);
    };
    expect(await found('github.create_issue')).toEqual([['github.create_issue', 1]]);
    expect(await found('CREATE_ISSUE')).toEqual([['github.create_issue', 0.9]]);
    expect(await found('chat')).toEqual([['slack.sendMessage', 0.5]]);
    expect(await found('Post to a channel.')).toEqual([]);
    expect(await found('nonexistent.tool')).toEqual([]);
  });
});
