import { onAxis, roundTop, spanName, timeAxis } from './time-axis.js';

const HOUR = 3_600_000;

describe('the axis of time', () => {
  it('begins with a whole span and ends with the period', () => {
    expect(timeAxis(2.5 * HOUR, 5.25 * HOUR, HOUR)).toEqual({ from: 2 * HOUR, stepMs: HOUR, length: 4 });
    expect(timeAxis(0, 0, HOUR).length).toBe(1);
    expect(timeAxis(0, 1e15, 60_000).length).toBe(1000);
  });

  it('has a place for each span, also for one without an entry', () => {
    const axis = timeAxis(0, 3 * HOUR, HOUR);
    const entries = [{ at: HOUR }, { at: 9 * HOUR }, { at: -HOUR }];
    expect(onAxis(axis, entries, ({ at }) => at)).toEqual([undefined, { at: HOUR }, undefined]);
  });

  it('names the day in a period of several days only', () => {
    expect(spanName(timeAxis(0, 24 * HOUR, HOUR), 0)).toMatch(/^\d\d:\d\d$/);
    expect(spanName(timeAxis(0, 7 * 24 * HOUR, HOUR), 30)).toMatch(/[A-Z][a-z]{2}.*\d\d:\d\d$/);
  });

  it.each([
    [0, 2],
    [0.2, 2],
    [1, 2],
    [3, 4],
    [5, 10],
    [10, 10],
    [11, 20],
    [740, 1000],
  ])('ends above %d at %d', (value, top) => {
    expect(roundTop(value)).toBe(top);
  });
});
