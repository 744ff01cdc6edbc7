import { type AuditEntry, type AuditHead, brokenLink, nextEntry, NO_AUDIT } from './audit-entry.js';

const change = (index: number) => ({
  action: 'kill_switch.engaged',
  actor: 'olga',
  reason: `reason ${index}`,
  tenantId: 'acme',
  subject: `tool:t${index}`,
  at: 1000 + index,
  idempotencyKey: `key ${index}`,
  // Every third entry is a note without a change.
  ...(index % 3 !== 2 && { put: { kind: 'kill_switch' as const, key: 'k', tenantId: '', value: {}, expiresAt: 0 } }),
});

function chain(length: number): AuditEntry[] {
  const entries: AuditEntry[] = [];
  let head: AuditHead = NO_AUDIT;
  for (let index = 0; index < length; index++) {
    const entry = nextEntry(head, change(index), index === 0 ? null : { n: index }, {
      n: index + 1,
      deep: { list: [1, 'a'] },
    });
    entries.push(entry);
    head = entry;
  }
  return entries;
}

describe('a chain of audit entries', () => {
  it('is whole as it was written, and counts revisions by what was changed', () => {
    const entries = chain(6);
    expect(brokenLink(NO_AUDIT, entries)).toBeUndefined();
    expect(entries.map(({ seq, revision }) => [seq, revision])).toEqual([
      [1, 1],
      [2, 2],
      [3, 2],
      [4, 3],
      [5, 4],
      [6, 4],
    ]);
    // Also with the key order of a store that reorders JSON.
    const turned = entries.map((entry) =>
      Object.fromEntries(Object.entries(JSON.parse(JSON.stringify(entry))).toReversed()),
    );
    expect(brokenLink(NO_AUDIT, turned as unknown as AuditEntry[])).toBeUndefined();
    expect(brokenLink(entries[2]!, entries.slice(3))).toBeUndefined();
  });

  const fields = Object.keys(chain(1)[0]!) as (keyof AuditEntry)[];
  it('has the fields that are tried below', () => expect(fields).toHaveLength(13));

  it.each(fields.flatMap((field) => [0, 2, 4].map((index) => [field, index] as const)))(
    'shows that %s of entry %i was changed',
    (field, index) => {
      const entries = chain(5);
      const value = entries[index]![field];
      const other = typeof value === 'number' ? value + 1 : typeof value === 'string' ? `${value}x` : { n: 99 };
      entries[index] = { ...entries[index]!, [field]: other };
      expect(brokenLink(NO_AUDIT, entries)).toBeDefined();
    },
  );

  it.each([0, 1, 3])('shows that entry %i was taken out, or put in twice', (index) => {
    const entries = chain(5);
    expect(brokenLink(NO_AUDIT, entries.toSpliced(index, 1))).toMatchObject({ seq: index + 1 });
    expect(brokenLink(NO_AUDIT, entries.toSpliced(index, 0, entries[index]!))).toBeDefined();
    expect(brokenLink(NO_AUDIT, entries.toSpliced(index, 2, entries[index + 1]!, entries[index]!))).toBeDefined();
  });

  it('shows that an entry was written anew with a hash that fits it', () => {
    const entries = chain(5);
    const { hash } = nextEntry(
      entries[0]!,
      { ...change(1), actor: 'eve' },
      { n: 1 },
      { n: 2, deep: { list: [1, 'a'] } },
    );
    entries[1] = { ...entries[1]!, actor: 'eve', hash };
    expect(brokenLink(NO_AUDIT, entries)).toEqual({ seq: 3, reason: 'the entry before it is another one' });
  });

  it('shows that a revision was left out', () => {
    const [first] = chain(1);
    const second = nextEntry({ ...first!, revision: 5 }, change(1), null, null);
    expect(brokenLink(NO_AUDIT, [first!, second])).toEqual({ seq: 2, reason: 'a revision was left out' });
  });
});
