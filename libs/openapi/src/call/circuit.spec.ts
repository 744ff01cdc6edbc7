import { Circuit } from './circuit.js';
import { UpstreamUnavailableError } from './upstream-unavailable.error.js';

const unavailable = expect.objectContaining({ code: 'SOURCE_UNAVAILABLE' });

describe('Circuit', () => {
  let changes: number;
  let circuit: Circuit;
  let probe: jest.Mock<Promise<{ status: number }>, []>;
  beforeEach(() => {
    jest.useFakeTimers({ now: 1_000_000 });
    changes = 0;
    probe = jest.fn(() => Promise.resolve({ status: 404 }));
    circuit = new Circuit(probe, () => (changes += 1));
  });
  afterEach(() => jest.useRealTimers());

  const answer = (status: number, operation = 'a') => circuit.run(operation, async () => ({ status }));
  const fail = (outage: Error = new UpstreamUnavailableError(new Error('down')), operation = 'a') =>
    circuit.run(operation, () => Promise.reject(outage)).catch((error: unknown) => error);
  const late = (operation: string) => fail(new UpstreamUnavailableError(new Error('no time left'), true), operation);
  const open = async () => {
    for (let i = 0; i < 5; i++) expect(await fail()).toBeInstanceOf(UpstreamUnavailableError);
  };
  const wait = (ms: number) => jest.setSystemTime(Date.now() + ms);

  it('refuses at once after five outages in a row, without asking', async () => {
    await open();
    const work = jest.fn();
    await expect(circuit.run('a', work)).rejects.toEqual(unavailable);
    expect([work.mock.calls.length, circuit.isOpen, changes]).toEqual([0, true, 1]);
  });

  it('counts anew after an answer, whatever it was', async () => {
    for (let i = 0; i < 4; i++) await fail();
    expect(await answer(500)).toEqual({ status: 500 });
    for (let i = 0; i < 4; i++) await fail();
    expect(circuit.isOpen).toBe(false);
  });

  it.each([502, 503])('takes HTTP %d for an outage, and hands it over', async (status) => {
    for (let i = 0; i < 5; i++) expect(await answer(status)).toEqual({ status });
    expect(circuit.isOpen).toBe(true);
  });

  it('counts what takes too long once for each operation, and forgets it with an answer', async () => {
    for (let i = 0; i < 9; i++) expect(await late('slow')).toBeInstanceOf(UpstreamUnavailableError);
    for (let i = 0; i < 9; i++) expect(await answer(504, 'slower')).toEqual({ status: 504 });
    expect(circuit.isOpen).toBe(false);
    for (const operation of ['b', 'c', 'd']) await late(operation);
    expect(circuit.isOpen).toBe(true);
    await jest.advanceTimersByTimeAsync(1_500);
    expect(await answer(200)).toEqual({ status: 200 });
    for (let i = 0; i < 4; i++) await late(String(i));
    await answer(200);
    for (let i = 0; i < 4; i++) await late(String(i));
    expect(circuit.isOpen).toBe(false);
  });

  it('does not count what was given up or refused here', async () => {
    for (let i = 0; i < 9; i++) await fail(new Error('given up'));
    expect(circuit.isOpen).toBe(false);
    // A cancelled call is not a success either: it does not reset the failures.
    for (let i = 0; i < 4; i++) await fail();
    await fail(new Error('given up'));
    await fail();
    expect(circuit.isOpen).toBe(true);
  });

  it('probes after a while, so that nobody decides for all with a call, and others do not wait for it', async () => {
    await open();
    wait(1_500);
    let finish: (answered: { status: number }) => void = () => undefined;
    probe.mockImplementation(() => new Promise((resolve) => (finish = resolve)));
    const trying = answer(200);
    await expect(answer(200)).rejects.toEqual(unavailable);
    finish({ status: 405 });
    expect(await trying).toEqual({ status: 200 });
    expect([circuit.isOpen, changes, probe.mock.calls.length]).toEqual([false, 2, 1]);
    expect(await answer(200)).toEqual({ status: 200 });
  });

  it.each([502, 503, 504])('stays open when the probe is answered with HTTP %d', async (status) => {
    await open();
    wait(1_500);
    probe.mockResolvedValue({ status });
    await expect(answer(200)).rejects.toEqual(unavailable);
    expect(circuit.isOpen).toBe(true);
  });

  it('waits longer each time, up to a minute', async () => {
    await open();
    probe.mockRejectedValue(new UpstreamUnavailableError(new Error('down')));
    for (let i = 0; i < 12; i++) {
      wait(60_000);
      await expect(answer(200)).rejects.toBeInstanceOf(UpstreamUnavailableError);
    }
    probe.mockResolvedValue({ status: 200 });
    wait(15_000);
    await expect(answer(200)).rejects.toEqual(unavailable);
    wait(45_000);
    expect(await answer(200)).toEqual({ status: 200 });
  });
});
