import type { JsonObject } from '../json/json.js';
import type { ToolContext } from './tool-context.js';
import type { ToolDefinition } from './tool-definition.js';
import type { SourceAnswer } from './tool-source.js';

/** A call of a tool, or a read of a resource or prompt, before it runs. Frozen. */
export interface InterceptedCall {
  /** The id of the call in events and in the record. */
  readonly id: string;
  /** By its canonical name, whichever name the model used; `kind` is set for a resource or prompt. */
  readonly tool: ToolDefinition;
  /**
   * As JSON, checked against the input schema, under the names that models read, before the tool's own transforms. Of a
   * template: `{ uri }`.
   */
  readonly arguments: JsonObject;
  readonly context: ToolContext;
  /** Aborts when the caller cancels, the time of the call is over or the tool is disabled. */
  readonly signal: AbortSignal;
}

/** What a call has come to: the tool's answer within the limits of every result, and redacted. */
export interface InterceptedResult extends SourceAnswer {
  /** The answer exceeded the limit and was cut. */
  readonly truncated?: boolean;
}

/**
 * Runs the rest of the call: the interceptors that follow, then the tool or a stored result.
 *
 * Callable once, and only until the interceptor has ended. What it resolves with is frozen.
 *
 * @param changed other arguments, checked like those of the model. @default the arguments of the call
 * @throws ToolSearchError how the call failed, in words for the model, for example `LIMIT_REACHED`; `INVALID_ARGUMENTS` if the
 *   changed arguments do not fit the input schema
 */
export type NextCall = (changed?: JsonObject) => Promise<InterceptedResult>;

/**
 * A stage of the application around each call of a tool and each read of a resource or prompt, whichever source it comes
 * from and by whichever way. It runs within the time of the call, also where a stored result answers.
 */
export interface ToolCallInterceptor {
  /**
   * Returns what `next` resolves with, or a result of its own, for this call alone: it is neither stored nor shared.
   *
   * To refuse the call, throw `new ToolSearchError('CALL_REFUSED', words)`: the model reads the words, at most 500
   * characters, and the hint. Any other error that is not from `next` ends the call with `INTERNAL`, is logged, and its
   * words reach nobody else.
   */
  intercept(call: InterceptedCall, next: NextCall): InterceptedResult | Promise<InterceptedResult>;
}

/** An interceptor and the name of its class, for the log. */
export interface NamedInterceptor {
  readonly name: string;
  readonly interceptor: ToolCallInterceptor;
}
