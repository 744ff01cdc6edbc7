import { Throttle } from './throttle.js';

describe('a throttle', () => {
  beforeEach(() => jest.useFakeTimers());
  afterEach(() => jest.useRealTimers());

  it('runs at once, gathers what comes too early into one run, and then rests', () => {
    const run = jest.fn();
    const throttle = new Throttle(run, 1_000);
    for (let n = 0; n < 100; n++) throttle.request();
    expect(run).toHaveBeenCalledTimes(1);
    jest.advanceTimersByTime(1_000);
    expect(run).toHaveBeenCalledTimes(2);
    jest.advanceTimersByTime(60_000);
    expect(run).toHaveBeenCalledTimes(2);
    throttle.request();
    expect(run).toHaveBeenCalledTimes(3);
  });

  it('forgets what it has gathered when it is stopped', () => {
    const run = jest.fn();
    const throttle = new Throttle(run, 1_000);
    throttle.request();
    throttle.request();
    throttle.stop();
    jest.advanceTimersByTime(60_000);
    expect(run).toHaveBeenCalledTimes(1);
  });
});
