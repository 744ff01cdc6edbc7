import { fakeTool } from '../../../testing/fakes/fake-tools.js';
import { CatalogSnapshot } from '../../../tool/snapshot/catalog-snapshot.js';
import type { ToolDefinition } from '../../../tool/tool-definition.js';
import { ToolSet } from '../../../tool/snapshot/tool-set.js';
import type { SearchAnswer } from '../../tool-index.js';
import { MemoryToolIndex } from '../memory-tool-index.js';
import { CopyMarks, isNearCopy } from './near-duplicates.js';

const mail = (name: string, description: string) => fakeTool({ name: `mail.${name}`, namespace: 'mail', description });
const original = mail('send_email', 'Send an email to one or more recipients.');
const others = [
  mail('draft_email', 'Write an email and keep it as a draft.'),
  mail('search_emails', 'Search for emails by sender, subject or text.'),
  mail('delete_email', 'Delete an email for good.'),
];
const clones = (count: number): ToolDefinition[] =>
  Array.from({ length: count }, (_, i) => ({ ...original, name: `${original.name}_${i + 1}`, hash: `clone ${i}` }));

describe('near-copies of a tool', () => {
  const search = async (tools: readonly ToolDefinition[]): Promise<{ answer: SearchAnswer; names: string[] }> => {
    const snapshot = new CatalogSnapshot(
      1,
      [...tools].sort((a, b) => (a.name < b.name ? -1 : 1)),
    );
    const index = new MemoryToolIndex();
    await index.apply({ next: snapshot });
    const query = { text: 'send email', type: 'bm25', limit: 4 } as const;
    const answer = await index.search(
      query,
      snapshot,
      ToolSet.of(tools.length, () => true),
    );
    return { answer, names: answer.hits.map(({ id }) => snapshot.at(id).name) };
  };

  it.each([3, 100, 1_000])('take the place of one, be they %i', async (count) => {
    const { answer, names } = await search([...others, original, ...clones(count)]);
    expect(names[0]).toBe('mail.send_email');
    expect([...names].sort()).toEqual([...others, original].map(({ name }) => name).sort());
    expect(answer.hits[0]?.similar?.length).toBeGreaterThanOrEqual(Math.min(count, 3));
    expect(answer.hits[1]?.similar).toBeUndefined();
  });

  it('are read once, however often they are found', async () => {
    let reads = 0;
    const tools = [original, ...clones(100)].map((tool) =>
      Object.defineProperty({ ...tool }, 'description', { get: () => ((reads += 1), original.description) }),
    );
    const snapshot = new CatalogSnapshot(1, tools);
    const index = new MemoryToolIndex();
    await index.apply({ next: snapshot });
    const all = ToolSet.of(tools.length, () => true);
    const search = () => index.search({ text: 'send email', type: 'bm25', limit: 4 }, snapshot, all);
    await search();
    const before = reads;
    expect((await search()).hits[0]?.similar).not.toEqual([]);
    expect(reads).toBe(before);
  });

  it('do not depend on the words of hidden tools', async () => {
    const verbs = Array.from({ length: 30 }, (_, i) => `${'abcdefghij'[i % 10]}${'xyz'[Math.floor(i / 10)]}erb`);
    const nouns = Array.from({ length: 30 }, (_, i) => `${'klmnopqrst'[i % 10]}${'xyz'[Math.floor(i / 10)]}oun`);
    const named = verbs.flatMap((verb, i) =>
      nouns.filter((_, j) => (i + j) % 3 === 0).map((noun) => mail(`${verb}_${noun}`, `Handles an email, ${verb}.`)),
    );
    const visible = named.flatMap((tool) => [
      tool,
      { ...tool, name: `${tool.name}_copy`, hash: `copy of ${tool.name}` },
    ]);
    const hidden = mail('aaa_hidden', [...nouns, ...verbs].reverse().join(' '));
    const sorted = [hidden, ...visible].sort((a, b) => (a.name < b.name ? -1 : 1));
    const namesFound = async (tools: readonly ToolDefinition[]): Promise<string[]> => {
      const snapshot = new CatalogSnapshot(1, tools);
      const index = new MemoryToolIndex();
      await index.apply({ next: snapshot });
      const seen = ToolSet.of(tools.length, (id) => snapshot.at(id) !== hidden);
      const { hits } = await index.search({ text: 'handles email', type: 'bm25', limit: 500 }, snapshot, seen);
      return hits.map(({ id }) => snapshot.at(id).name);
    };
    const alone = await namesFound(sorted.filter((tool) => tool !== hidden));
    expect(alone.filter((name) => name.endsWith('_copy'))).toEqual([]);
    expect(await namesFound(sorted)).toEqual(alone);
  });

  it('are not looked for across sources', async () => {
    const twin = { ...original, name: 'post.send_email', namespace: 'post', source: 'post', hash: 'twin' };
    const { names } = await search([...others, original, twin]);
    expect(names.slice(0, 2)).toEqual(['mail.send_email', 'post.send_email']);
  });
});

const DESCRIPTION = 'Sends an email to one or more recipients, with attachments.';
const tool = (name: string, description = DESCRIPTION, source = 'mail') =>
  fakeTool({ name: `mail.${name}`, namespace: 'mail', description, source });
const isCopy = (left: ReturnType<typeof tool>, right: ReturnType<typeof tool>) =>
  isNearCopy(new CopyMarks(left), new CopyMarks(right));

describe('isNearCopy', () => {
  it.each([
    ['send_email', 'send_email_2'],
    ['send_email_17', 'send_email_018'],
    ['send_email', 'send_email_v2'],
    ['send_email', 'send_email_copy_3'],
    ['send_email', 'send_email_clone'],
    ['send_email_a1b2', 'send_email_f9'],
  ])('takes %s and %s for one', (left, right) => {
    expect(isCopy(tool(left), tool(right))).toBe(true);
  });

  it('forgives a word of the description', () => {
    expect(isCopy(tool('send_email'), tool('send_email_2', `${DESCRIPTION} (Copy 2.)`))).toBe(true);
    expect(isCopy(tool('send_email'), tool('send_email_2', `${DESCRIPTION} Deprecated`))).toBe(true);
  });

  it.each([
    ['get_user', 'get_users'],
    ['list_issues', 'list_issues_for_repo'],
    ['reply_mail', 'reply_all_mail'],
    ['count_words', 'word_counts'],
    ['read_a', 'read_b'],
  ])('distinguishes %s from %s', (left, right) => {
    expect(isCopy(tool(left), tool(right))).toBe(false);
  });

  it('distinguishes tools of two sources, and tools with different effects', () => {
    expect(isCopy(tool('send_email'), tool('send_email', DESCRIPTION, 'other'))).toBe(false);
    expect(isCopy(tool('step_1'), tool('step_2', 'Opens the gate of the garage.'))).toBe(false);
  });
});
