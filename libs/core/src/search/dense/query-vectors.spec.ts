import { TrigramEmbedder } from '../../testing/fakes/trigram-embedder.js';
import { type QueryFault, QueryVectors } from './query-vectors.js';

function opened(before: (texts: readonly string[]) => unknown, deadlineMs = 60_000) {
  const clock = { now: 0 };
  const faults: QueryFault[] = [];
  const embedder = new TrigramEmbedder('test', before);
  const queries = new QueryVectors(
    embedder,
    deadlineMs,
    (fault) => faults.push(fault),
    () => clock.now,
  );
  return { queries, embedder, faults, clock };
}
const boom = () => {
  throw new Error('boom');
};

describe('QueryVectors', () => {
  it('embeds a query once, as a query', async () => {
    const { queries, embedder } = opened(() => undefined);
    const first = await queries.of('refund');
    expect(first?.values.some((value) => value !== 0)).toBe(true);
    expect(await queries.of('refund')).toBe(first);
    expect(embedder.asked).toEqual([{ text: 'refund', kind: 'query' }]);
  });

  it('does without a vector that fails, and rests for a growing while', async () => {
    const { queries, embedder, faults, clock } = opened(boom);
    const rests: number[] = [];
    for (let round = 0; round < 9; round++) {
      expect(await queries.of(`query ${round}`)).toBeUndefined();
      expect(await queries.of('another')).toBeUndefined();
      rests.push(faults.at(-1)!.retryInMs);
      clock.now += faults.at(-1)!.retryInMs;
    }
    expect(rests).toEqual([1_000, 2_000, 4_000, 8_000, 16_000, 32_000, 60_000, 60_000, 60_000]);
    expect(embedder.asked).toHaveLength(9);
    expect(faults[0]!.error).toMatchObject({ message: 'boom' });
  });

  it('starts with a short rest again after a success, and remembers what it knows while it rests', async () => {
    let isDown = true;
    const { queries, faults, clock } = opened(() => isDown && boom());
    await queries.of('a');
    clock.now += 1_000;
    isDown = false;
    expect(await queries.of('a')).toBeDefined();
    isDown = true;
    await queries.of('b');
    expect(await queries.of('a')).toBeDefined();
    expect(faults.map(({ retryInMs }) => retryInMs)).toEqual([1_000, 1_000]);
  });

  it('does not wait for a late vector, and aborts its request', async () => {
    const signals: AbortSignal[] = [];
    const embedder = new TrigramEmbedder();
    const silent = Object.assign(embedder, {
      embed: (_: unknown, __: unknown, signal: AbortSignal) => {
        signals.push(signal);
        return new Promise<never>(() => {});
      },
    });
    const faults: QueryFault[] = [];
    const queries = new QueryVectors(silent, 5, (fault) => faults.push(fault));
    expect(await Promise.all([queries.of('a'), queries.of('b'), queries.of('c')])).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
    expect(signals.map(({ aborted }) => aborted)).toEqual([true, true, true]);
    expect(faults.map(({ error }) => String(error))).toEqual(['Error: no answer within 5 ms']);
  });

  it('takes a caller that gives up for no fault of the embedder', async () => {
    const caller = new AbortController();
    const { queries, faults } = opened(() => {
      caller.abort();
      return new Promise(() => {});
    });
    expect(await queries.of('a', caller.signal)).toBeUndefined();
    expect(faults).toEqual([]);
  });

  it('takes a vector that is none for a fault', async () => {
    const embedder = Object.assign(new TrigramEmbedder(), { embed: async () => [[1, 2]] });
    const faults: QueryFault[] = [];
    const queries = new QueryVectors(embedder, 60_000, (fault) => faults.push(fault));
    expect(await queries.of('a')).toBeUndefined();
    expect(String(faults[0]?.error)).toMatch('does not consist of 256 numbers');
  });
});
