import { Circuit, CircuitOpen, MAX_FAILURES, type Standing } from './circuit.js';

class Failure extends Error {
  constructor(readonly standing: Standing) {
    super(standing);
  }
}

describe('a circuit', () => {
  let turned: jest.Mock;
  let circuit: Circuit;
  const work = jest.fn<Promise<string>, []>();
  const call = () => circuit.call(work);
  const fail = (standing: Standing) => work.mockRejectedValue(new Failure(standing));
  const open = async () => {
    fail('away');
    for (let n = 0; n < MAX_FAILURES; n++) await expect(call()).rejects.toThrow('away');
    work.mockClear();
  };

  beforeEach(() => {
    jest.useFakeTimers({ now: 1_000_000 });
    turned = jest.fn();
    circuit = new Circuit((error) => (error as Failure).standing, turned);
    work.mockReset();
  });
  afterEach(() => jest.useRealTimers());

  it('opens after five failures in a row, says so once, and tries nothing any more', async () => {
    await open();
    expect(turned).toHaveBeenCalledTimes(1);
    await expect(call()).rejects.toBeInstanceOf(CircuitOpen);
    expect(work).not.toHaveBeenCalled();
    expect(circuit.isOpen).toBe(true);
  });

  it.each<Standing | 'success'>(['there', 'success'])(
    'begins to count again after one that is there (%s)',
    async (kind) => {
      fail('away');
      for (let n = 1; n < MAX_FAILURES; n++) await call().catch(() => undefined);
      if (kind === 'success') work.mockResolvedValue('done');
      else fail(kind);
      await call().catch(() => undefined);
      fail('away');
      for (let n = 1; n < MAX_FAILURES; n++) await call().catch(() => undefined);
      expect(circuit.isOpen).toBe(false);
    },
  );

  it('does not count what tells nothing', async () => {
    fail('unknown');
    for (let n = 0; n < 3 * MAX_FAILURES; n++) await expect(call()).rejects.toThrow('unknown');
    expect(circuit.isOpen).toBe(false);
  });

  it('is not opened by one user alone on a connection of his own, but by two, or by what all share', async () => {
    fail('away');
    for (let n = 0; n < 3 * MAX_FAILURES; n++) await expect(circuit.call(work, 'eve')).rejects.toThrow('away');
    expect(circuit.isOpen).toBe(false);
    await expect(circuit.call(work, 'ada')).rejects.toThrow('away');
    expect(circuit.isOpen).toBe(true);
    expect(turned).toHaveBeenCalledTimes(1);
    work.mockResolvedValue('tools');
    await circuit.load(work);
    fail('away');
    for (let n = 0; n < 3 * MAX_FAILURES; n++) await circuit.call(work, 'eve').catch(() => undefined);
    expect(circuit.isOpen).toBe(false);
    await circuit.load(work).catch(() => undefined);
    expect(circuit.isOpen).toBe(true);
  });

  it('forgets who failed with an answer', async () => {
    fail('away');
    for (let n = 0; n < 3 * MAX_FAILURES; n++) await circuit.call(work, 'eve').catch(() => undefined);
    work.mockResolvedValue('done');
    await circuit.call(work, 'ada');
    fail('away');
    for (let n = 1; n < MAX_FAILURES; n++) await circuit.call(work, n % 2 ? 'ada' : 'bob').catch(() => undefined);
    expect(circuit.isOpen).toBe(false);
    await circuit.call(work, 'eve').catch(() => undefined);
    expect(circuit.isOpen).toBe(true);
  });

  it('lets one call through after a second, then after ever longer, up to a minute', async () => {
    await open();
    for (const seconds of [1, 2, 4, 8, 16, 32, 60, 60]) {
      jest.setSystemTime(Date.now() + seconds * 1_000 - 1);
      await expect(call()).rejects.toBeInstanceOf(CircuitOpen);
      jest.setSystemTime(Date.now() + 1);
      await expect(call()).rejects.toThrow('away');
    }
    expect(work).toHaveBeenCalledTimes(8);
  });

  it('refuses the others while one finds out, and closes with it', async () => {
    await open();
    jest.setSystemTime(Date.now() + 1_000);
    let answer: (words: string) => void = () => undefined;
    work.mockReturnValue(new Promise((resolve) => (answer = resolve)));
    const trial = call();
    await expect(call()).rejects.toBeInstanceOf(CircuitOpen);
    answer('back');
    await expect(trial).resolves.toBe('back');
    expect(circuit.isOpen).toBe(false);
    expect(turned).toHaveBeenCalledTimes(2);
  });

  it('stays open when the one that was to find out tells nothing', async () => {
    await open();
    jest.setSystemTime(Date.now() + 1_000);
    fail('unknown');
    await expect(call()).rejects.toThrow('unknown');
    expect(circuit.isOpen).toBe(true);
  });

  it('always lets a load through, which closes it when it succeeds', async () => {
    await open();
    await expect(circuit.load(work)).rejects.toThrow('away');
    expect(circuit.isOpen).toBe(true);
    work.mockResolvedValue('tools');
    await expect(circuit.load(work)).resolves.toBe('tools');
    expect(circuit.isOpen).toBe(false);
    await expect(call()).resolves.toBe('tools');
  });

  it('counts loads that fail', async () => {
    fail('away');
    for (let n = 0; n < MAX_FAILURES; n++) await circuit.load(work).catch(() => undefined);
    await expect(call()).rejects.toBeInstanceOf(CircuitOpen);
  });
});
