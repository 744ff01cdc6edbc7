import { isToolSearchError, ToolSearchError } from '../tool/tool-search.error.js';

/**
 * Work on a store of activations, whose own words no caller sees.
 *
 * @throws ToolSearchError `STORE_UNAVAILABLE` for whatever fails but a request that cannot be read
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
