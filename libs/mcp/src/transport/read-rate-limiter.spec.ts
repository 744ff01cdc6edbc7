import { ReadRateLimiter } from './read-rate-limiter.js';

it('passes bursts, and then limits to a thousand messages a second', () => {
  let now = 5_000;
  const pace = new ReadRateLimiter(() => now);
  expect([pace.waitAfter(60), pace.waitAfter(40), pace.waitAfter(50)]).toEqual([0, 0, 50]);
  now += 50;
  expect(pace.waitAfter(800)).toBe(800);
  expect(pace.waitAfter(1_000_000)).toBe(1_000);
  now += 60_000;
  expect(pace.waitAfter(100)).toBe(0);
});
