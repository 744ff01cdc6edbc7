/// <reference types="jest" />
import { type LedgerEntry, NO_COUNTS, type TokenLedgerStore } from '../../exposure/ledger/token-ledger-store.js';

const HOUR = 3_600_000;

function entry(of: Partial<LedgerEntry>): LedgerEntry {
  return { tenantId: 'acme', userId: 'ada', sessionId: 's1', tokenizer: 'o200k_base', hour: HOUR, ...NO_COUNTS, ...of };
}

/**
 * The contract of {@link TokenLedgerStore} as a Jest suite, for every implementation. Needs Jest's globals.
 *
 * @param name title of the suite
 * @param make creates an empty store, with a function that closes it
 */
export function describeTokenLedgerStore(
  name: string,
  make: () => Promise<{ store: TokenLedgerStore; close: () => Promise<void> }>,
): void {
  describe(`${name} as a TokenLedgerStore`, () => {
    let store: TokenLedgerStore;
    let close: () => Promise<void>;
    beforeEach(async () => ({ store, close } = await make()));
    afterEach(() => close());

    it('is empty before anything is counted', async () => {
      expect(await store.sums({})).toEqual([]);
      expect(await store.sessions({}, { limit: 10 })).toEqual([]);
      await store.add([]);
      expect(await store.sweep(HOUR, 10)).toBe(0);
    });

    it('adds every number to what is there', async () => {
      const counts = {
        steps: 1,
        fullTokens: 9_000_000_000,
        shownTokens: 3,
        metaCalls: 4,
        searchTokens: 5,
        cacheKept: 6,
        cacheBroken: 7,
      };
      await store.add([entry(counts)]);
      await store.add([entry(counts), entry({ hour: 2 * HOUR, steps: 1 })]);
      const { steps, fullTokens, shownTokens, metaCalls, searchTokens, cacheKept, cacheBroken } = counts;
      expect(await store.sums({})).toEqual([
        {
          tokenizer: 'o200k_base',
          steps: 2 * steps + 1,
          fullTokens: 2 * fullTokens,
          shownTokens: 2 * shownTokens,
          metaCalls: 2 * metaCalls,
          searchTokens: 2 * searchTokens,
          cacheKept: 2 * cacheKept,
          cacheBroken: 2 * cacheBroken,
        },
      ]);
    });

    it('counts exactly what many add at the same moment, in whichever order', async () => {
      const sessions = ['s1', 's2', 's3', 's4'].map((sessionId) => entry({ sessionId, steps: 1 }));
      await Promise.all(
        Array.from({ length: 20 }, (_, round) => store.add(round % 2 === 0 ? sessions : [...sessions].reverse())),
      );
      const page = await store.sessions({}, { limit: 10 });
      expect(page.map(({ steps }) => steps)).toEqual([20, 20, 20, 20]);
    });

    it('sums by tokenizer: an estimate is never mixed with a count', async () => {
      await store.add([entry({ steps: 1 }), entry({ tokenizer: 'estimate', steps: 2 })]);
      const sums = await store.sums({ tenantId: 'acme' });
      expect(new Map(sums.map(({ tokenizer, steps }) => [tokenizer, steps]))).toEqual(
        new Map([
          ['o200k_base', 1],
          ['estimate', 2],
        ]),
      );
    });

    it('sums by hour and tokenizer, the oldest hour first', async () => {
      await store.add([
        entry({ hour: 3 * HOUR, steps: 1 }),
        entry({ hour: 2 * HOUR, steps: 2, shownTokens: 7 }),
        entry({ hour: 2 * HOUR, sessionId: 's2', steps: 4, shownTokens: 8 }),
        entry({ hour: 2 * HOUR, tenantId: 'globex', steps: 8 }),
        entry({ hour: 4 * HOUR, tokenizer: 'estimate', steps: 16 }),
      ]);
      const at = { tokenizer: 'o200k_base', ...NO_COUNTS };
      const acme = { tenantId: 'acme' };
      expect(await store.hours(acme, 10)).toEqual([
        { ...at, hour: 2 * HOUR, steps: 6, shownTokens: 15 },
        { ...at, hour: 3 * HOUR, steps: 1 },
        { ...at, hour: 4 * HOUR, tokenizer: 'estimate', steps: 16 },
      ]);
      expect(await store.hours({ ...acme, since: 3 * HOUR, until: 4 * HOUR }, 10)).toEqual([
        { ...at, hour: 3 * HOUR, steps: 1 },
      ]);
      expect((await store.hours({}, 1)).map(({ hour, steps }) => [hour, steps])).toEqual([[2 * HOUR, 14]]);
    });

    it('distinguishes tenants, users, sessions and hours', async () => {
      await store.add([
        entry({ steps: 1 }),
        entry({ userId: 'bob', steps: 2 }),
        entry({ sessionId: '', steps: 4 }),
        entry({ tenantId: 'globex', steps: 8 }),
        entry({ hour: 5 * HOUR, steps: 16 }),
      ]);
      const steps = async (filter: Parameters<TokenLedgerStore['sums']>[0]) => (await store.sums(filter))[0]?.steps;
      expect(await steps({})).toBe(31);
      expect(await steps({ tenantId: 'acme' })).toBe(23);
      expect(await steps({ tenantId: 'acme', userId: 'ada' })).toBe(21);
      expect(await steps({ tenantId: 'acme', userId: 'ada', sessionId: 's1' })).toBe(17);
      expect(await steps({ tenantId: 'acme', userId: 'ada', sessionId: '' })).toBe(4);
      expect(await steps({ since: 5 * HOUR })).toBe(16);
      expect(await steps({ since: 5 * HOUR + 1 })).toBeUndefined();
      expect(await steps({ tenantId: 'nobody' })).toBeUndefined();
    });

    it('lists every session once, over all pages, with its last hour', async () => {
      const names = Array.from({ length: 7 }, (_, index) => `session ${index}`);
      await store.add(names.map((sessionId) => entry({ sessionId, steps: 1 })));
      await store.add([entry({ sessionId: 'session 3', hour: 9 * HOUR, steps: 1 })]);
      const seen = [];
      let after: readonly [string, string, string, string] | undefined;
      for (;;) {
        const page = await store.sessions({ tenantId: 'acme' }, { limit: 3, ...(after && { after }) });
        seen.push(...page);
        const last = page.at(-1);
        if (page.length < 3 || !last) break;
        after = [last.tenantId, last.userId, last.sessionId, last.tokenizer];
      }
      expect(seen.map(({ sessionId }) => sessionId).sort()).toEqual(names);
      const third = seen.find(({ sessionId }) => sessionId === 'session 3');
      expect([third?.steps, third?.lastHour]).toEqual([2, 9 * HOUR]);
    });

    it('forgets old hours in batches', async () => {
      await store.add([1, 2, 3, 4].map((hour) => entry({ hour: hour * HOUR, steps: 1 })));
      expect(await store.sweep(4 * HOUR, 2)).toBe(2);
      expect(await store.sweep(4 * HOUR, 2)).toBe(1);
      expect(await store.sweep(4 * HOUR, 2)).toBe(0);
      expect((await store.sums({}))[0]?.steps).toBe(1);
    });
  });
}
