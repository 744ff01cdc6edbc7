import { LearnedQueryReader } from './learned-query-reader.js';
import type { LearnedQuery } from './learned-query-store.js';

function reader(list: () => Promise<readonly LearnedQuery[]>) {
  const clock = { now: 0 };
  const faults: string[] = [];
  let asked = 0;
  const store = {
    list: async () => {
      asked += 1;
      return list();
    },
  };
  const onFault = (error: unknown) => faults.push(String(error));
  const made = new LearnedQueryReader(store, onFault, 5, () => clock.now);
  return { clock, faults, asked: () => asked, list: (tenantId: string) => made.list(tenantId) };
}

describe('LearnedQueryReader', () => {
  it('answers without a store that hangs, and does not ask it again for a while', async () => {
    const { list, faults, asked } = reader(() => new Promise(() => {}));
    expect(await Promise.all([list('acme'), list('acme')])).toEqual([undefined, undefined]);
    expect(await list('globex')).toBeUndefined();
    expect(asked()).toBe(2);
    expect(faults).toEqual(['Error: no answer within 5 ms']);
  });

  it('asks again ever more rarely, and reports an outage once', async () => {
    let isUp = false;
    const { list, faults, asked, clock } = reader(async () => (isUp ? [] : Promise.reject(new Error('down'))));
    for (const now of [0, 999, 1_000, 2_999, 3_000]) {
      clock.now = now;
      expect(await list('acme')).toBeUndefined();
    }
    expect([asked(), faults]).toEqual([3, ['Error: down']]);
    isUp = true;
    clock.now = 7_000;
    expect(await list('acme')).toEqual([]);
    isUp = false;
    expect(await list('acme')).toBeUndefined();
    expect(faults).toEqual(['Error: down', 'Error: down']);
  });
});
