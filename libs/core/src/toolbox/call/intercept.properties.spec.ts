import fc from 'fast-check';
import { FakeSource } from '../../testing/fakes/fake-source.js';
import { openToolbox } from '../../testing/open-toolbox.js';
import type { InterceptedResult, ToolCallInterceptor } from '../../tool/tool-call-interceptor.js';
import type { ToolResult } from '../../tool/tool-result.js';
import { isToolSearchError, ToolSearchError } from '../../tool/tool-search.error.js';

const MAX = 20;
const UNLUCKY = 13;

/** What one interceptor does before the rest, with an answer of the rest, and with an error of it. */
interface Stage {
  readonly before: 'call' | 'answer' | 'refuse' | 'fail';
  /** Added to the number in the arguments; 0 calls `next()` without arguments. */
  readonly plus: number;
  readonly onAnswer: 'keep' | 'append' | 'refuse' | 'fail' | 'again';
  readonly onError: 'pass' | 'answer' | 'refuse' | 'fail';
}

const stages = fc.array(
  fc.record<Stage>({
    before: fc.constantFrom<Stage['before'][]>('call', 'call', 'call', 'call', 'answer', 'refuse', 'fail'),
    plus: fc.constantFrom(0, 0, 1, 5, 12),
    onAnswer: fc.constantFrom<Stage['onAnswer'][]>('keep', 'keep', 'append', 'append', 'refuse', 'fail', 'again'),
    onError: fc.constantFrom<Stage['onError'][]>('pass', 'pass', 'answer', 'refuse', 'fail'),
  }),
  { maxLength: 5 },
);

type Outcome = { readonly text: string } | { readonly code: string; readonly message?: string };

/** The same in words of one step at a time. @param log what each interceptor saw, in order */
function expected(all: readonly Stage[], index: number, count: number, log: string[]): Outcome {
  const own = all[index];
  if (!own) {
    log.push(`tool ${count}`);
    return count === UNLUCKY ? { code: 'TOOL_FAILED' } : { text: `ran ${count}` };
  }
  const refused = { code: 'CALL_REFUSED', message: `no ${index}` };
  log.push(`${index} got ${count}`);
  if (own.before === 'answer') return { text: `own ${index}` };
  if (own.before === 'refuse') return refused;
  if (own.before === 'fail') return { code: 'INTERNAL' };
  const changed = count + own.plus;
  const rest: Outcome =
    own.plus > 0 && changed > MAX ? { code: 'INVALID_ARGUMENTS' } : expected(all, index + 1, changed, log);
  if ('code' in rest) {
    log.push(`${index} caught ${rest.code}`);
    if (own.onError === 'pass') return rest;
    if (own.onError === 'answer') return { text: `instead ${index}` };
    return own.onError === 'refuse' ? refused : { code: 'INTERNAL' };
  }
  log.push(`${index} read ${rest.text}`);
  if (own.onAnswer === 'keep') return rest;
  if (own.onAnswer === 'append') return { text: `${rest.text}+${index}` };
  return own.onAnswer === 'refuse' ? refused : { code: 'INTERNAL' };
}

const answer = (text: string): InterceptedResult => ({ content: [{ type: 'text', text }] });
const textOf = ({ content: [block] }: Pick<InterceptedResult, 'content'>) => (block?.type === 'text' ? block.text : '');

function interceptorOf(own: Stage, index: number, log: string[]): ToolCallInterceptor {
  const refuse = () => Promise.reject(new ToolSearchError('CALL_REFUSED', `no ${index}`));
  const fail = () => Promise.reject(new Error('secret'));
  return {
    async intercept({ arguments: { count } }, next) {
      log.push(`${index} got ${Number(count)}`);
      if (own.before === 'answer') return answer(`own ${index}`);
      if (own.before === 'refuse') return refuse();
      if (own.before === 'fail') return fail();
      let result: InterceptedResult;
      try {
        result = await (own.plus === 0 ? next() : next({ count: Number(count) + own.plus }));
      } catch (error) {
        log.push(`${index} caught ${isToolSearchError(error) ? error.code : 'another error'}`);
        if (own.onError === 'pass') throw error;
        if (own.onError === 'answer') return answer(`instead ${index}`);
        return own.onError === 'refuse' ? refuse() : fail();
      }
      log.push(`${index} read ${textOf(result)}`);
      if (own.onAnswer === 'keep') return result;
      if (own.onAnswer === 'append') return answer(`${textOf(result)}+${index}`);
      if (own.onAnswer === 'refuse') return refuse();
      return own.onAnswer === 'again' ? next() : fail();
    },
  };
}

function outcomeOf(result: ToolResult, wanted: Outcome): Outcome {
  if (result.ok) return { text: textOf(result) };
  return { code: result.code, ...('message' in wanted && { message: result.message }) };
}

it('interceptors nest: each sees what the one before it passes on, and decides about what the one behind it gives', async () => {
  let chain: readonly Stage[] = [];
  let log: string[] = [];
  const source = new FakeSource('shop', [
    {
      name: 'count',
      inputSchema: { type: 'object', properties: { count: { type: 'integer', maximum: MAX } }, required: ['count'] },
      run: ({ count }) => {
        log.push(`tool ${Number(count)}`);
        if (count === UNLUCKY) throw new Error('secret');
        return `ran ${Number(count)}`;
      },
    },
  ]);
  const interceptors = Array.from({ length: 5 }, (_, index): ToolCallInterceptor => ({
    intercept: (call, next) => {
      const own = chain[index];
      return own ? interceptorOf(own, index, log).intercept(call, next) : next();
    },
  }));
  const { toolbox } = await openToolbox({ sources: [source], interceptors });
  await fc.assert(
    fc.asyncProperty(stages, fc.integer({ min: 0, max: MAX }), async (all, count) => {
      chain = all;
      log = [];
      const steps: string[] = [];
      const wanted = expected(all, 0, count, steps);
      expect(outcomeOf(await toolbox.call('shop.count', { count }), wanted)).toEqual(wanted);
      expect(log).toEqual(steps);
    }),
    { numRuns: 500 },
  );
});
