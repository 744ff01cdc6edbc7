import { errorOf } from '../../access/limits/limit-failure.js';
import { abortable } from '../../async/deadline.js';
import { deepFreeze, isObject } from '../../json/json.js';
import { safeText } from '../../json/safe-text.js';
import type {
  InterceptedCall,
  InterceptedResult,
  NamedInterceptor,
  NextCall,
} from '../../tool/tool-call-interceptor.js';
import { failure, failureOf } from '../../tool/tool-result.js';
import { hintOf, isToolSearchError, ToolSearchError } from '../../tool/tool-search.error.js';
import { underShownNames } from './arguments-decision.js';
import { boundOutput } from './bound.js';
import type { Answer } from './cache-or-run.js';
import { toolError } from './call-errors.js';
import type { CallsSettings } from './call-options.js';
import type { CheckedCall } from './call-types.js';
import { checkArguments } from './check-arguments.js';

export interface InterceptionServices {
  /** The outermost first. */
  readonly interceptors: () => readonly NamedInterceptor[];
  readonly calls: CallsSettings;
  /** Logs the cause of a failure, which callers do not receive. */
  readonly reportFault: (tool: string, error: unknown) => void;
}

/** An answer, and whether the application has put its own in the place of the one that it got. */
export type InterceptedAnswer = Answer & {
  readonly changed?: {
    /** Whether the limit of bytes cut the application's own answer. */
    readonly isCut: boolean;
  };
};

type Rest = (call: CheckedCall) => Promise<InterceptedAnswer>;

const MAX_WORDS = 500;

/**
 * Runs the rest of a call within the application's own stages, the first of them outermost. An answer of the application is
 * bounded, but not redacted yet.
 *
 * @throws ToolSearchError `CALL_REFUSED`, `INTERNAL` for an interceptor that fails, and the errors of the rest
 */
export function intercepted(
  call: CheckedCall,
  services: InterceptionServices,
  rest: (call: CheckedCall) => Promise<Answer>,
): Promise<InterceptedAnswer> {
  const interceptors = services.interceptors();
  if (interceptors.length === 0) return rest(call);
  return interceptors.reduceRight<Rest>(
    (inner, interceptor) => (own) => around(own, interceptor, inner, services),
    rest,
  )(call);
}

async function around(
  call: CheckedCall,
  { name, interceptor }: NamedInterceptor,
  inner: Rest,
  services: InterceptionServices,
): Promise<InterceptedAnswer> {
  const rest = new RestOfCall(call, inner, services);
  try {
    const returned: unknown = await abortable(() => interceptor.intercept(shownCall(call), rest.next), call.signal);
    const { outcome } = await rest.end();
    // What it waited for may have ended because the time was over.
    call.signal.throwIfAborted();
    return outcome && returned === outcome.shown ? outcome.answer : changedAnswer(returned, services.calls);
  } catch (error) {
    const { error: inherited } = await rest.end();
    if (call.signal.aborted || (inherited !== undefined && error === inherited)) throw error;
    if (isToolSearchError(error) && error.code === 'CALL_REFUSED') throw await refusal(error, call);
    services.reportFault(call.tool.name, new Error(`the interceptor ${name} failed`, { cause: error }));
    throw unfinished(call);
  }
}

function unfinished({ state }: CheckedCall): ToolSearchError {
  const message = 'The application could not finish this call.';
  return state.isDispatched
    ? new ToolSearchError('INTERNAL', `${message} It may have taken effect.`, {
        hint: 'Check the state before you call it again; the operator finds the cause in the log.',
      })
    : new ToolSearchError('INTERNAL', message, { hint: 'Try again later; the operator finds the cause in the log.' });
}

interface Outcome {
  readonly answer: InterceptedAnswer;
  /** The answer as the interceptor sees it. */
  readonly shown: InterceptedResult;
}

/** The rest of a call as one interceptor may run it: once, and before the interceptor ends. */
class RestOfCall {
  #begun: Promise<Outcome> | undefined;
  #isOver = false;

  constructor(
    private readonly call: CheckedCall,
    private readonly rest: Rest,
    private readonly services: InterceptionServices,
  ) {}

  readonly next: NextCall = (changed) => {
    const shown = this.#once(changed).then((outcome) => outcome.shown);
    // An interceptor need not wait for it, and nobody else would.
    shown.catch(() => undefined);
    return shown;
  };

  /** From here on nothing can begin. Waits for what has begun: nothing of a call outlasts it. */
  async end(): Promise<{ readonly outcome?: Outcome; readonly error?: unknown }> {
    this.#isOver = true;
    try {
      const outcome = await this.#begun;
      return outcome ? { outcome } : {};
    } catch (error) {
      return { error };
    }
  }

  #once(changed: unknown): Promise<Outcome> {
    // Twice would take limits twice and repeat what the tool does; a stage that repeats calls does not belong here.
    if (this.#begun) return Promise.reject(new Error('next() was called twice; call it once'));
    if (this.#isOver) return Promise.reject(new Error('next() was called after the interceptor had ended'));
    return (this.#begun = this.#run(changed));
  }

  async #run(changed: unknown): Promise<Outcome> {
    try {
      const call = changed === undefined ? this.call : await checkArguments(this.call, changed);
      const answer = await this.rest(call);
      return { answer, shown: shownAnswer(answer) };
    } catch (error) {
      throw publicError(error, this.call, this.services);
    }
  }
}

function shownCall({ id, tool, executor, given, caller: { context }, signal }: CheckedCall): InterceptedCall {
  return Object.freeze({ id, tool, arguments: ownCopy(underShownNames(given, executor)), context, signal });
}

function shownAnswer({ output: { content, structured, truncated }, isError }: Answer): InterceptedResult {
  return ownCopy({
    content,
    ...(structured !== undefined && { structured }),
    ...(truncated && { truncated }),
    ...(isError && { isError }),
  });
}

/** A frozen copy: what an interceptor changes in place would otherwise change the call, a stored answer or another call. */
function ownCopy<T>(value: T): T {
  return deepFreeze(JSON.parse(JSON.stringify(value)) as T);
}

/** @throws TypeError if it is no result */
function changedAnswer(returned: unknown, { maxResultBytes }: CallsSettings): InterceptedAnswer {
  if (!isObject(returned) || !Array.isArray(returned['content'])) {
    throw new TypeError('it returned no result; return what next() gives, or { content: [{ type: "text", text }] }');
  }
  const result = ownCopy(returned as unknown as InterceptedResult);
  const { content, structured } = result;
  const output = boundOutput({ content, ...(structured !== undefined && { structured }) }, maxResultBytes);
  const truncated = output.truncated || result.truncated === true;
  return { output: { ...output, truncated }, isError: result.isError === true, changed: { isCut: output.truncated } };
}

/** The application's own words, as plain text. */
async function refusal(error: ToolSearchError, { metaNames, redaction }: CheckedCall): Promise<ToolSearchError> {
  const { message, retryAfterSeconds } = error;
  const hint = hintOf(error, metaNames);
  const words = plainText(message) || 'The application refused this call.';
  const refused = failure('CALL_REFUSED', words, hint === undefined ? undefined : plainText(hint));
  const redacted = redaction ? await redaction.failure(refused) : refused;
  return errorOf(retryAfterSeconds === undefined ? redacted : { ...redacted, retryAfterSeconds });
}

function plainText(text: string): string {
  return safeText(text.replaceAll(/\s+/g, ' ').trim(), MAX_WORDS);
}

// Interceptors read how a call failed in the words of the model, and a fault is logged even if they go on without it.
function publicError(
  error: unknown,
  { tool, signal, metaNames }: CheckedCall,
  { reportFault }: InterceptionServices,
): unknown {
  if (signal.aborted || (isToolSearchError(error) && error.cause === undefined)) return error;
  reportFault(tool.name, error);
  return isToolSearchError(error) ? errorOf(failureOf(error, metaNames)) : toolError(tool);
}
