import { CircuitBreaker, CircuitOpenError, MAX_FAILURES, type Outcome, type Verdict } from './circuit-breaker.js';

class Failure extends Error {
  constructor(readonly verdict: Verdict) {
    super(typeof verdict === 'string' ? verdict : 'limited');
  }
}

const judge = (outcome: Outcome): Verdict => ('error' in outcome ? (outcome.error as Failure).verdict : 'up');
const wait = (ms: number) => jest.setSystemTime(Date.now() + ms);

describe('a circuit breaker', () => {
  let changed: jest.Mock;
  let circuit: CircuitBreaker;
  const work = jest.fn<Promise<string>, []>();
  const call = () => circuit.run({ work, judge });
  const load = () => circuit.always({ work, judge });
  const fail = (verdict: Verdict) => work.mockRejectedValue(new Failure(verdict));
  const failAs = (subject: string, limit: number) => {
    fail({ subject, limit });
    return call().catch((error: unknown) => error);
  };
  const open = async () => {
    fail('down');
    for (let n = 0; n < MAX_FAILURES; n++) await expect(call()).rejects.toThrow('down');
    work.mockClear();
  };

  beforeEach(() => {
    jest.useFakeTimers({ now: 1_000_000 });
    changed = jest.fn();
    circuit = new CircuitBreaker(changed);
    work.mockReset();
  });
  afterEach(() => jest.useRealTimers());

  it('opens after five failures in a row, reports it once, and rejects calls', async () => {
    await open();
    expect(changed).toHaveBeenCalledTimes(1);
    await expect(call()).rejects.toBeInstanceOf(CircuitOpenError);
    expect(work).not.toHaveBeenCalled();
    expect(circuit.isOpen).toBe(true);
  });

  it.each<Verdict | 'success'>(['up', 'success'])('begins to count again after an answer (%s)', async (kind) => {
    fail('down');
    for (let n = 1; n < MAX_FAILURES; n++) await call().catch(() => undefined);
    if (kind === 'success') work.mockResolvedValue('done');
    else fail(kind);
    await call().catch(() => undefined);
    fail('down');
    for (let n = 1; n < MAX_FAILURES; n++) await call().catch(() => undefined);
    expect(circuit.isOpen).toBe(false);
  });

  it('counts calls without an outcome neither as a failure nor as an answer', async () => {
    fail('unknown');
    for (let n = 0; n < 3 * MAX_FAILURES; n++) await expect(call()).rejects.toThrow('unknown');
    expect(circuit.isOpen).toBe(false);
    fail('down');
    for (let n = 1; n < MAX_FAILURES; n++) await call().catch(() => undefined);
    fail('unknown');
    await call().catch(() => undefined);
    fail('down');
    await call().catch(() => undefined);
    expect(circuit.isOpen).toBe(true);
  });

  it('hands over a value that counts as a failure', async () => {
    work.mockResolvedValue('HTTP 503');
    const run = () => circuit.run({ work, judge: () => 'down' });
    for (let n = 0; n < MAX_FAILURES; n++) expect(await run()).toBe('HTTP 503');
    expect(circuit.isOpen).toBe(true);
  });

  it('is not opened by one user alone, but by two, or by what all share', async () => {
    const failFor = (user: string) => failAs(user, MAX_FAILURES - 1);
    for (let n = 0; n < 3 * MAX_FAILURES; n++) expect(await failFor('eve')).toBeInstanceOf(Failure);
    expect(circuit.isOpen).toBe(false);
    await failFor('ada');
    expect(circuit.isOpen).toBe(true);
    expect(changed).toHaveBeenCalledTimes(1);
    work.mockResolvedValue('tools');
    await load();
    for (let n = 0; n < 3 * MAX_FAILURES; n++) await failFor('eve');
    expect(circuit.isOpen).toBe(false);
    fail('down');
    await load().catch(() => undefined);
    expect(circuit.isOpen).toBe(true);
  });

  it('forgets who failed with an answer', async () => {
    const failFor = (user: string) => failAs(user, MAX_FAILURES - 1);
    for (let n = 0; n < 3 * MAX_FAILURES; n++) await failFor('eve');
    work.mockResolvedValue('done');
    await call();
    for (let n = 1; n < MAX_FAILURES; n++) await failFor(n % 2 ? 'ada' : 'bob');
    expect(circuit.isOpen).toBe(false);
    await failFor('eve');
    expect(circuit.isOpen).toBe(true);
  });

  it('counts what takes too long once for each operation, and forgets it with an answer', async () => {
    const late = (operation: string) => failAs(operation, 1);
    for (let n = 0; n < 9; n++) await late('slow');
    for (let n = 0; n < 9; n++) await late('slower');
    expect(circuit.isOpen).toBe(false);
    for (const operation of ['b', 'c', 'd']) await late(operation);
    expect(circuit.isOpen).toBe(true);
    wait(1_500);
    work.mockResolvedValue('done');
    expect(await call()).toBe('done');
    for (let n = 0; n < 4; n++) await late(String(n));
    work.mockResolvedValue('done');
    await call();
    for (let n = 0; n < 4; n++) await late(String(n));
    expect(circuit.isOpen).toBe(false);
  });

  it('lets one call through after a second, then after ever longer, up to a minute', async () => {
    await open();
    for (const seconds of [1, 2, 4, 8, 16, 32, 60, 60]) {
      wait(seconds * 1_000 - 1);
      await expect(call()).rejects.toBeInstanceOf(CircuitOpenError);
      wait(1);
      await expect(call()).rejects.toThrow('down');
    }
    expect(work).toHaveBeenCalledTimes(8);
  });

  it.each([
    ['shortest', 0, 0.75],
    ['longest', 1 - Number.EPSILON, 1.25],
  ])('with jitter waits at the %s %d for ever longer times', async (_, random, share) => {
    jest.spyOn(Math, 'random').mockReturnValue(random);
    circuit = new CircuitBreaker(changed, undefined, 0.25);
    await open();
    for (const seconds of [1, 2, 4, 60]) {
      wait(seconds * share * 1_000 - 1);
      if (seconds < 60) await expect(call()).rejects.toBeInstanceOf(CircuitOpenError);
      wait(1);
      await expect(call()).rejects.toThrow('down');
    }
    jest.restoreAllMocks();
  });

  it('refuses the others while one finds out, and closes with it', async () => {
    await open();
    wait(1_000);
    let answer: (words: string) => void = () => undefined;
    work.mockReturnValue(new Promise((resolve) => (answer = resolve)));
    const trial = call();
    await expect(call()).rejects.toBeInstanceOf(CircuitOpenError);
    answer('back');
    await expect(trial).resolves.toBe('back');
    expect(circuit.isOpen).toBe(false);
    expect(changed).toHaveBeenCalledTimes(2);
  });

  it.each<Verdict>(['unknown', { subject: 'slow', limit: 1 }])(
    'stays open when the one that was to find out fails with %j',
    async (verdict) => {
      await open();
      wait(1_000);
      fail(verdict);
      await expect(call()).rejects.toBeInstanceOf(Failure);
      expect(circuit.isOpen).toBe(true);
      await expect(call()).rejects.toBeInstanceOf(CircuitOpenError);
    },
  );

  it('always lets a load through, which closes it when it succeeds', async () => {
    await open();
    await expect(load()).rejects.toThrow('down');
    expect(circuit.isOpen).toBe(true);
    work.mockResolvedValue('tools');
    await expect(load()).resolves.toBe('tools');
    expect(circuit.isOpen).toBe(false);
    await expect(call()).resolves.toBe('tools');
  });

  it('counts loads that fail', async () => {
    fail('down');
    for (let n = 0; n < MAX_FAILURES; n++) await load().catch(() => undefined);
    await expect(call()).rejects.toBeInstanceOf(CircuitOpenError);
  });
});

describe('a circuit breaker with a probe', () => {
  const probe = jest.fn<Promise<string>, []>();
  const work = jest.fn<Promise<string>, []>();
  let changed: jest.Mock;
  let circuit: CircuitBreaker;
  const call = () => circuit.run({ work, judge });

  beforeEach(async () => {
    jest.useFakeTimers({ now: 1_000_000 });
    changed = jest.fn();
    probe.mockReset().mockResolvedValue('there');
    circuit = new CircuitBreaker(changed, { work: probe, judge });
    work.mockReset().mockRejectedValue(new Failure('down'));
    for (let n = 0; n < MAX_FAILURES; n++) await expect(call()).rejects.toThrow('down');
    work.mockReset().mockResolvedValue('done');
  });
  afterEach(() => jest.useRealTimers());

  it('probes by itself after a while, and callers do not wait for the probe', async () => {
    wait(1_500);
    let finish: (answer: string) => void = () => undefined;
    probe.mockImplementation(() => new Promise((resolve) => (finish = resolve)));
    const trying = call();
    await expect(call()).rejects.toBeInstanceOf(CircuitOpenError);
    expect(work).not.toHaveBeenCalled();
    finish('there');
    expect(await trying).toBe('done');
    expect([circuit.isOpen, changed.mock.calls.length, probe.mock.calls.length]).toEqual([false, 2, 1]);
    expect(await call()).toBe('done');
  });

  it('stays open when the value of the probe counts as a failure', async () => {
    circuit = new CircuitBreaker(changed, { work: probe, judge: () => 'down' });
    const down = { work, judge: (): Verdict => 'down' };
    for (let n = 0; n < MAX_FAILURES; n++) await circuit.run(down);
    wait(1_500);
    await expect(circuit.run(down)).rejects.toBeInstanceOf(CircuitOpenError);
    expect(probe).toHaveBeenCalledTimes(1);
    expect(circuit.isOpen).toBe(true);
  });

  it('waits longer each time, up to a minute', async () => {
    probe.mockRejectedValue(new Failure('down'));
    for (let n = 0; n < 12; n++) {
      wait(60_000);
      await expect(call()).rejects.toThrow('down');
    }
    probe.mockResolvedValue('there');
    wait(15_000);
    await expect(call()).rejects.toBeInstanceOf(CircuitOpenError);
    wait(45_000);
    expect(await call()).toBe('done');
  });
});
