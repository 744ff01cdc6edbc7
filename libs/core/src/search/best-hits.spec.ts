import fc from 'fast-check';
import { fakeTool } from '../testing/fakes/fake-tools.js';
import { CatalogSnapshot } from '../tool/snapshot/catalog-snapshot.js';
import { BestHits, byName } from './best-hits.js';

const names = ['d', 'b', 'a', 'c', 'b', 'e', 'f', 'g'];
const snapshot = new CatalogSnapshot(
  1,
  names.map((name) => fakeTool({ name })),
);
const nameOf = (id: number): string => names[id] ?? '';

describe('BestHits', () => {
  it('keeps what sorting by score, name and id would put first', () => {
    fc.assert(
      fc.property(
        fc.uniqueArray(fc.record({ id: fc.nat(7), score: fc.constantFrom(0.1, 0.2, 0.3) }), {
          selector: ({ id }) => id,
        }),
        fc.integer({ min: 0, max: 9 }),
        (offers, limit) => {
          const best = new BestHits(limit, byName(snapshot));
          for (const { id, score } of offers) best.offer(id, score);
          const sorted = [...offers].sort(
            (a, b) => b.score - a.score || nameOf(a.id).localeCompare(nameOf(b.id), 'en') || a.id - b.id,
          );
          expect(best.sorted()).toEqual(sorted.slice(0, limit));
        },
      ),
      { numRuns: 500 },
    );
  });
});
