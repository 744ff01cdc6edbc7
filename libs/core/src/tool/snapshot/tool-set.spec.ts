import fc from 'fast-check';
import { ToolSet } from './tool-set.js';

const members = fc.tuple(fc.nat(130), fc.uniqueArray(fc.nat(130))).map(([length, ids]) => {
  const kept = new Set(ids.filter((id) => id < length));
  return { length, kept, set: ToolSet.of(length, (id) => kept.has(id)) };
});

describe('ToolSet', () => {
  it('behaves as a Set of its ids', () => {
    fc.assert(
      fc.property(members, ({ length, kept, set }) => {
        expect(set.size).toBe(kept.size);
        expect([...set.ids()]).toEqual([...kept].sort((a, b) => a - b));
        for (let id = 0; id < length + 40; id++) expect(set.has(id)).toBe(kept.has(id));
      }),
    );
  });

  it('filters as an array does', () => {
    fc.assert(
      fc.property(members, fc.func(fc.boolean()), ({ set }, accepts) => {
        const filtered = set.filter((id) => accepts(id));
        expect([...filtered.ids()]).toEqual([...set.ids()].filter((id) => accepts(id)));
        expect(filtered.size).toBe([...filtered.ids()].length);
      }),
    );
  });

  it('counts what two sets share', () => {
    fc.assert(
      fc.property(fc.uniqueArray(fc.nat(99)), fc.uniqueArray(fc.nat(99)), (left, right) => {
        const setOf = (ids: readonly number[]) => ToolSet.of(100, (id) => ids.includes(id));
        expect(setOf(left).overlapWith(setOf(right))).toBe(left.filter((id) => right.includes(id)).length);
      }),
    );
  });

  it('has one fingerprint for equal sets and another for different ones', () => {
    fc.assert(
      fc.property(
        fc.nat(70),
        fc.infiniteStream(fc.boolean()),
        fc.infiniteStream(fc.boolean()),
        (length, one, other) => {
          const [left, right] = [one, other].map((stream) => [...stream.take(length)]);
          const sets = [left!, left!, right!].map((bits) => ToolSet.of(length, (id) => bits[id]!));
          expect(sets[0]!.fingerprint).toBe(sets[1]!.fingerprint);
          expect(sets[0]!.fingerprint === sets[2]!.fingerprint).toBe(String(left) === String(right));
        },
      ),
    );
  });

  it('keeps the ids at the edges of its words', () => {
    const edges = [0, 31, 32, 63, 64, 95];
    expect([...ToolSet.of(96, (id) => edges.includes(id)).ids()]).toEqual(edges);
  });

  it('contains no number outside its range', () => {
    const all = ToolSet.of(3, () => true);
    expect([-1, 3, 64].map((id) => all.has(id))).toEqual([false, false, false]);
  });
});
