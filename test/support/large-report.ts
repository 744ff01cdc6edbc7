import { FakeSource } from '@tool-search/core/testing';

/** The item that a task needs, far behind what a model is shown. */
export const WANTED = 4711;

const items = Array.from({ length: 13_400 }, (_, id) => ({
  id,
  owner: `owner-of-${(id * 7919) % 104_729}`,
  note: 'paid in full, nothing is open',
}));

/** 1 MB of JSON. */
export const REPORT = JSON.stringify({ total: items.length, items });

/** The owner of the wanted item. */
export const OWNER = items[WANTED]?.owner ?? '';

/** Tools that return 1 MB of JSON, and one that needs a value of it. */
export function reportSource(paid: (owner: unknown) => void): FakeSource {
  return new FakeSource('reports', [
    { name: 'list_items', description: 'Lists all items of the report.', run: () => ({ total: items.length, items }) },
    {
      name: 'pay_owner',
      description: 'Pays the owner of an item.',
      inputSchema: { type: 'object', properties: { owner: { type: 'string' } }, required: ['owner'] },
      run: ({ owner }) => {
        paid(owner);
        return `paid ${String(owner)}`;
      },
    },
  ]);
}
