import type { InputRequests } from '@tool-search/core/source';
import type { CallerInput } from '@tool-search/core/internal';
import { isAnswer } from './answers.js';
import { PausedCall } from './paused-call.js';

const never = new AbortController().signal;
const form = (message: string) => ({ method: 'elicitation/create', params: { message } }) as const;
const accept = (content: object) => ({ action: 'accept', content });
const started = <T>(run: (ask: CallerInput['ask'], signal: AbortSignal) => Promise<T>) => new PausedCall(run, isAnswer);
const keysOf = (round: object) => Object.keys((round as { questions: InputRequests }).questions);

describe('PausedCall', () => {
  it('ends without a question', async () => {
    expect(await started(async () => 7).next({}, never)).toEqual({ done: 7 });
    await expect(started(() => Promise.reject(new Error('no'))).next({}, never)).rejects.toThrow('no');
  });

  it('goes on with the answers of later requests, and each answer counts once', async () => {
    const call = started(async (ask) => [await ask({ a: form('1') }), await ask({ a: form('2') })]);
    expect(keysOf(await call.next({}, never))).toEqual(['a']);
    expect(keysOf(await call.next({ a: accept({ n: 1 }) }, never))).toEqual(['a']);
    expect(await call.next({ a: accept({ n: 2 }) }, never)).toEqual({
      done: [{ a: accept({ n: 1 }) }, { a: accept({ n: 2 }) }],
    });
  });

  it('uses the answers that come with the first request', async () => {
    const call = started(async (ask) => ask({ a: form('1') }));
    expect(await call.next({ a: accept({}), b: accept({}) }, never)).toEqual({ done: { a: accept({}) } });
  });

  it('asks again for what is missing or of another kind', async () => {
    const call = started(async (ask) => ask({ a: form('1'), b: { method: 'roots/list' } }));
    for (const given of [{}, { a: accept({}) }, { a: 5, b: { roots: [] } }, { a: { roots: [] }, b: { roots: [] } }]) {
      expect(keysOf(await call.next(given, never))).toEqual(['a', 'b']);
    }
    expect(await call.next({ a: accept({}), b: { roots: [] } }, never)).toHaveProperty('done');
  });

  it('shows questions together that are asked at the same time, under keys of their own', async () => {
    const call = started((ask) => Promise.all([ask({ a: form('1') }), ask({ a: form('2') })]));
    expect(keysOf(await call.next({}, never))).toEqual(['a', 'a_2']);
    const given = { a: accept({ n: 1 }), a_2: accept({ n: 2 }) };
    expect(await call.next(given, never)).toEqual({ done: [{ a: accept({ n: 1 }) }, { a: accept({ n: 2 }) }] });
  });

  it('is cancelled with the request that waits for it', async () => {
    const client = new AbortController();
    const call = started(
      (_, signal) =>
        new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(new Error('gone')))),
    );
    const round = call.next({}, client.signal);
    client.abort();
    await expect(round).rejects.toThrow('gone');
  });
});
