import { CallersCircuit } from './callers-circuit.js';
import { CircuitOpenError } from './circuit-breaker.js';

const ADA = { tenantId: 'acme', userId: 'ada' };
const BOB = { tenantId: 'globex', userId: 'bob' };
const failed = new Error('connection reset');
const fail = () => ({ work: () => Promise.reject(failed), judge: () => 'down' as const });
const succeed = () => ({ work: () => Promise.resolve('answer'), judge: () => 'up' as const });

describe('a circuit that callers share', () => {
  let isUp: boolean;
  const answers = jest.fn(() => Promise.resolve(isUp));
  let circuit: CallersCircuit;
  const times = async (count: number, who: typeof ADA, attempt: Parameters<typeof circuit.runFor>[1]) => {
    const reasons: unknown[] = [];
    for (let n = 0; n < count; n++) reasons.push(await circuit.runFor(who, attempt).catch((error: unknown) => error));
    return reasons;
  };
  beforeEach(() => {
    jest.useFakeTimers();
    answers.mockClear();
    circuit = new CallersCircuit(() => undefined, undefined, 0, answers);
  });
  afterEach(() => jest.useRealTimers());

  it('opens only for the caller whose calls fail, as long as the server answers others', async () => {
    isUp = true;
    const reasons = await times(12, ADA, fail());
    expect(reasons.slice(0, 5)).toEqual(Array(5).fill(failed));
    expect(reasons.slice(5)).toEqual(Array(7).fill(expect.any(CircuitOpenError)));
    expect([answers.mock.calls.length, circuit.isOpen]).toEqual([1, false]);
    expect(await times(1, BOB, succeed())).toEqual(['answer']);
    // After a second, one call of this caller finds out.
    jest.advanceTimersByTime(1_000);
    expect(await times(2, ADA, succeed())).toEqual(['answer', 'answer']);
  });

  it('opens for all callers once its own probe fails too', async () => {
    isUp = false;
    for (let n = 0; n < 5; n++) await times(1, { tenantId: 'acme', userId: `user${n}` }, fail());
    expect([answers.mock.calls.length, circuit.isOpen]).toEqual([1, true]);
    expect(await times(1, BOB, succeed())).toEqual([expect.any(CircuitOpenError)]);
    jest.advanceTimersByTime(1_000);
    expect(await times(2, ADA, succeed())).toEqual(['answer', 'answer']);
  });

  it('ignores calls that their caller cancelled', async () => {
    isUp = false;
    expect(await times(20, ADA, { ...fail(), isWithdrawn: () => true })).toEqual(Array(20).fill(failed));
    expect([answers.mock.calls.length, circuit.isOpen]).toEqual([0, false]);
    expect(await times(1, ADA, succeed())).toEqual(['answer']);
  });

  it('lets the next call probe where the probing one was given up', async () => {
    isUp = false;
    await times(5, ADA, fail());
    jest.advanceTimersByTime(1_000);
    expect(await times(1, BOB, { ...fail(), isWithdrawn: () => true })).toEqual([failed]);
    expect(circuit.isOpen).toBe(true);
    // Without another wait.
    expect(await times(1, BOB, succeed())).toEqual(['answer']);
    expect(circuit.isOpen).toBe(false);
  });

  it('is opened by the question of its own where a caller whose calls fail was the probe', async () => {
    isUp = false;
    for (let n = 0; n < 5; n++) await times(1, { tenantId: 'acme', userId: `user${n}` }, fail());
    isUp = true;
    jest.advanceTimersByTime(1_000);
    expect(await times(1, ADA, fail())).toEqual([failed]);
    expect(circuit.isOpen).toBe(false);
    expect(await times(1, BOB, succeed())).toEqual(['answer']);
  });

  it('does not count for a caller what its own judgement leaves open', async () => {
    isUp = true;
    const outcomes = [];
    for (let n = 0; n < 12; n++)
      outcomes.push(await circuit.runFor(ADA, fail(), () => 'unknown').catch((error: unknown) => error));
    expect(outcomes).toEqual(Array(12).fill(failed));
    expect(circuit.isOpen).toBe(false);
  });
});
