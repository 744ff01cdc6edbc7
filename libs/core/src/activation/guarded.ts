import { isToolSearchError, ToolSearchError } from '../tool/tool-search.error.js';

/**
 * Runs work on an activation store and hides its error messages from callers.
 *
 * @throws ToolSearchError `STORE_UNAVAILABLE` for every error except `INVALID_REQUEST`
 */
export async function guarded<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (isToolSearchError(error) && error.code === 'INVALID_REQUEST') throw error;
    throw new ToolSearchError('STORE_UNAVAILABLE', 'Activations cannot be read or written at the moment.', {
      hint: 'Try again in a moment.',
      cause: error,
    });
  }
}
