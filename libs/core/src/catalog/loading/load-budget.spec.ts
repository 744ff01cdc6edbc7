import { LoadBudget } from './load-budget.js';

it('lets a source bring so much in a minute, and then wait until enough of that is a minute ago', () => {
  let now = 1_000;
  const budget = new LoadBudget(100, () => now);
  budget.spend(60);
  expect([budget.spent, budget.waitMs]).toEqual([60, 0]);
  now += 10_000;
  budget.spend(40);
  expect(budget.waitMs).toBe(0);
  now += 10_000;
  budget.spend(30);
  expect([budget.spent, budget.waitMs]).toEqual([130, 40_000]);
  budget.spend(60);
  expect(budget.waitMs).toBe(50_000);
  now += 50_000;
  expect([budget.spent, budget.waitMs]).toEqual([90, 0]);
});

it('lets one load be larger than the budget', () => {
  let now = 0;
  const budget = new LoadBudget(100, () => now);
  budget.spend(1_000);
  expect(budget.waitMs).toBe(60_000);
  now += 60_000;
  expect(budget.waitMs).toBe(0);
});
