import { isToolSearchError, ToolSearchError } from '../../tool/tool-search.error.js';
import { withTimeout } from '../../async/with-timeout.js';

const DEADLINE_MS = 10_000;

/** Runs work on the control store, for at most 10 s. @throws ToolSearchError `STORE_UNAVAILABLE` for uncoded errors */
export async function guardedWork<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await withTimeout(work, DEADLINE_MS, late);
  } catch (error) {
    if (isToolSearchError(error)) throw error;
    throw new ToolSearchError('STORE_UNAVAILABLE', 'What operators decide cannot be read or written at the moment.', {
      hint: 'Nothing is known to have changed. Look at the current state before you try again.',
      cause: error,
    });
  }
}

// After the deadline, the work may still complete.
function late(cause: Error): ToolSearchError {
  return new ToolSearchError('STORE_UNAVAILABLE', 'The store of what operators decide does not answer.', {
    hint: 'A change may have been made all the same. Look at the current state before you try again.',
    cause,
  });
}
