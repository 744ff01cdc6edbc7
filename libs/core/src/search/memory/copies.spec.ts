import { fakeTool } from '../../testing/fake-tools.js';
import { CatalogSnapshot } from '../../tool/catalog-snapshot.js';
import type { ToolDefinition } from '../../tool/tool-definition.js';
import { ToolSet } from '../../tool/tool-set.js';
import type { SearchAnswer } from '../tool-index.js';
import { MemoryToolIndex } from './memory-tool-index.js';

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

  it('are not looked for across sources', async () => {
    const twin = { ...original, name: 'post.send_email', namespace: 'post', source: 'post', hash: 'twin' };
    const { names } = await search([...others, original, twin]);
    expect(names.slice(0, 2)).toEqual(['mail.send_email', 'post.send_email']);
  });
});
