import { isToolSearchError, ToolSearchError, type ToolSearchErrorCode } from './tool-search.error.js';

interface GuardOptions {
  readonly hint?: string;
  /** Errors with these codes reach the caller unchanged. @default `INVALID_REQUEST` */
  readonly passes?: (code: ToolSearchErrorCode) => boolean;
}

/**
 * Runs work on a store and hides its error messages from callers.
 *
 * @param what the contents of the store, in the plural, at the start of a sentence
 * @throws ToolSearchError `STORE_UNAVAILABLE`
 */
export async function guardStore<T>(
  what: string,
  work: () => Promise<T>,
  { hint = 'Try again in a moment.', passes = (code) => code === 'INVALID_REQUEST' }: GuardOptions = {},
): Promise<T> {
  try {
    return await work();
  } catch (cause) {
    if (isToolSearchError(cause) && passes(cause.code)) throw cause;
    throw new ToolSearchError('STORE_UNAVAILABLE', `${what} cannot be read or written at the moment.`, { hint, cause });
  }
}
