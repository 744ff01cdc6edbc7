import { failure, type ToolFailure } from '../../tool/tool-result.js';
import { ToolSearchError } from '../../tool/tool-search.error.js';

/** The refusal of a call that a limit does not let through. @param retryAfterMs undefined: waiting does not help */
export function limitReached(tool: string, limit: string, retryAfterMs: number | undefined): ToolFailure {
  const message = `${tool} was not called: the limit ${limit} is reached.`;
  if (retryAfterMs === undefined) {
    const refused = failure(
      'LIMIT_REACHED',
      message,
      'One call may take more than the limit holds. Go on without this tool.',
    );
    return { ...refused, limit };
  }
  const retryAfterSeconds = Math.max(1, Math.ceil(retryAfterMs / 1000));
  const hint = `Do not repeat the call within ${retryAfterSeconds} s: it would be refused again. Go on without it, or say when it is possible.`;
  return { ...failure('LIMIT_REACHED', message, hint), limit, retryAfterSeconds };
}

/** The refusal while the counters of a hard limit cannot be read. */
export function uncheckedFailure(tool: string): ToolFailure {
  return failure(
    'STORE_UNAVAILABLE',
    `${tool} was not called: its limits cannot be checked at the moment.`,
    'Nothing has happened. Try again in a moment.',
  );
}

/** The refusal where counters can never be reached, for example inside a transaction that they would wait for. */
export function uncountableFailure(tool: string): ToolFailure {
  return failure(
    'INTERNAL',
    `${tool} was not called: its limits cannot be counted where the application calls it.`,
    'Nothing has happened, and trying again does not help. Go on without this tool.',
  );
}

/** A failed call as an error, for code that does the work of a tool itself. */
export function errorOf({ code, message, hint, limit, retryAfterSeconds, content }: ToolFailure): ToolSearchError {
  return new ToolSearchError(code, message, {
    ...(hint !== undefined && { hint }),
    ...(limit !== undefined && { limit }),
    ...(retryAfterSeconds !== undefined && { retryAfterSeconds }),
    ...(content !== undefined && { content }),
  });
}
