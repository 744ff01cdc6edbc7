import type { StoredCounter } from '@tool-search/core/internal';
import { applied, GroupedUpdates, type WaitingUpdate } from './grouped-updates.js';

const adding = (state: readonly (string | number)[] | undefined) => Number(state?.[0] ?? 0) + 1;

describe('grouped updates', () => {
  it('share transactions, and each sees what those before it left', async () => {
    let stored = new Map<string, StoredCounter>();
    let transactions = 0;
    const grouped = new GroupedUpdates(async (group) => {
      transactions += 1;
      const { written, answers } = applied(group, stored, 1000);
      stored = new Map([...stored, ...written]);
      return answers;
    });
    const add = () =>
      grouped.add(['a'], ([state]) => ({
        answer: adding(state),
        writes: [{ state: [adding(state)], expiresAt: 2000 }],
      }));
    const answers = await Promise.all(Array.from({ length: 250 }, add));
    expect(answers).toEqual(Array.from({ length: 250 }, (_, index) => index + 1));
    expect(transactions).toBe(3);
    expect(await add()).toBe(251);
  });

  it('fail together if their transaction fails, and go on afterwards', async () => {
    let isBroken = true;
    const grouped = new GroupedUpdates(async (group) => {
      if (isBroken) throw new Error('the disk is full');
      return applied(group, new Map(), 0).answers;
    });
    const one = () => grouped.add(['a'], () => ({ answer: 'counted' }));
    const failed = await Promise.allSettled([one(), one()]);
    expect(failed.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    isBroken = false;
    expect(await one()).toBe('counted');
  });

  it('fail alone if only their own change throws', () => {
    const said: unknown[] = [];
    const update = (change: WaitingUpdate['change']): WaitingUpdate => ({
      ids: ['a'],
      change,
      resolve: (answer) => said.push(answer),
      reject: (error) => said.push(String(error)),
    });
    const write = { state: [1], expiresAt: 2000 };
    const { written, answers } = applied(
      [
        update(() => ({ answer: 'first', writes: [write] })),
        update(() => {
          throw new Error('wrong');
        }),
        update(([state]) => ({ answer: state })),
      ],
      new Map([['a', { state: [9], expiresAt: 1 }]]),
      1000,
    );
    for (const answer of answers) answer();
    expect(said).toEqual(['first', 'Error: wrong', [1]]);
    expect(written).toEqual([['a', write]]);
  });
});
