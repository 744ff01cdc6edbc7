import { SdkError, SdkErrorCode } from '@modelcontextprotocol/client';
import { type ToolCall, ToolSearchError } from '@tool-search/core';
import type { InputRequests } from '@tool-search/core/source';
import { Deadline } from '@tool-search/core/internal';
import { plainQuestion, type Questioner } from './plain-question.js';
import { type Asker, allowedMethods, type InputSettings } from './asker.js';

/** Largest delay that a Node timer supports. A larger one fires at once. */
const MAX_TIMER_MS = 2 ** 31 - 1;

/** One call to a server: its time, and the caller whom the server may ask. */
export interface AskedCall {
  /** Aborts when the call is over. */
  readonly signal: AbortSignal;
  readonly asker: Asker;
  /** Whether the call ended because a question was not answered. */
  readonly isRefused: boolean;
  /** The error to report instead of the one with which the work ended. */
  reason(error: unknown): unknown;
  /** Call it when the work has ended. */
  clear(): void;
}

/**
 * Follows a call. The time in which its caller is asked does not count. A question that the caller cannot answer ends
 * the call: a server that asked would otherwise report an error of its own.
 */
export function askedCall(
  questioner: Questioner,
  call: ToolCall,
  settings: InputSettings | undefined,
  signal: AbortSignal,
): AskedCall {
  const deadline = new Deadline(Math.min(Math.max(call.deadline - Date.now(), 1), MAX_TIMER_MS), signal);
  const { source } = questioner;
  const allowed = allowedMethods(settings);
  let refusal: { readonly error: unknown } | undefined;
  const ask = async (given: InputRequests) => {
    const goOn = deadline.hold();
    try {
      const requests = passedOn(questioner, given, allowed);
      if (!call.ask) throw unanswerable(source);
      return await call.ask(requests);
    } catch (error) {
      refusal = { error };
      deadline.abort(error);
      throw error;
    } finally {
      goOn();
    }
  };
  return {
    signal: deadline.signal,
    asker: { methods: call.asks ?? [], ask, log: (entry) => call.log?.(entry) },
    get isRefused() {
      return refusal !== undefined;
    },
    reason: (error) => {
      if (refusal) return refusal.error;
      return deadline.passed ? new SdkError(SdkErrorCode.RequestTimeout, 'no answer in time') : error;
    },
    clear: () => deadline.clear(),
  };
}

/** The questions as a caller may see them. @throws ToolSearchError `INPUT_REQUIRED` for what is not allowed */
function passedOn(questioner: Questioner, requests: InputRequests, allowed: readonly string[]): InputRequests {
  return Object.fromEntries(
    Object.entries(requests).map(([key, { method, params }]) => {
      if (!allowed.includes(method)) {
        const message = `The server of ${questioner.source} asks for ${method}, which is not allowed.`;
        throw new ToolSearchError('INPUT_REQUIRED', message, {
          hint: 'An operator can allow it with the option input of the source.',
        });
      }
      const isQuestion = method === 'elicitation/create' && params !== undefined;
      return [key, { method, params: isQuestion ? plainQuestion(questioner, params) : (params ?? {}) }];
    }),
  );
}

function unanswerable(source: string): ToolSearchError {
  return new ToolSearchError('INPUT_REQUIRED', `The server of ${source} asks its caller, who cannot be asked here.`);
}
