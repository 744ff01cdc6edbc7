import { isToolSearchError } from '@tool-search/core';
import type { TimeSlicer } from '@tool-search/core/source';
import { SdkHttpError } from '@modelcontextprotocol/client';
import { among, isMissing, isRefused, isTimeout } from '../errors/error-kinds.js';
import type { Reading } from '../tools/listed-tools.js';
import type { ItemList } from './exposed-items.js';

/**
 * Adds a list of context items. One that is too long, or that the server refuses, is left out: the tools stay usable.
 *
 * Call `signal.throwIfAborted()` of the load afterwards: a list that was aborted is left out as well.
 */
export async function addItems(
  { kind, key, method }: ItemList,
  pages: AsyncIterable<readonly unknown[]>,
  listed: Reading,
  slices: TimeSlicer,
  limit: number,
): Promise<void> {
  try {
    for await (const page of pages) {
      if ((await slices.run(listed.add(page, kind))) <= limit) continue;
      return listed.leaveOut(kind, `with the ${key}, the source is over its limit of ${limit} (limits.tools)`);
    }
  } catch (error) {
    if (isMissing(error)) return;
    if (isToolSearchError(error) && error.code === 'SOURCE_LIMIT') listed.leaveOut(kind, error.message);
    else if (isRefused(error)) listed.leaveOut(kind, `the server answered ${method} with an error`);
    else if (isTimeout(error)) listed.leaveOut(kind, `the server did not answer ${method} in time`);
    else {
      // Its tools were listed before, so they stay, whatever status a missing method has and whatever ends the connection.
      const status = among(error, SdkHttpError)?.status;
      const reason =
        status === undefined ? `ended the connection at ${method}` : `answered ${method} with HTTP status ${status}`;
      listed.leaveOut(kind, `the server ${reason}`);
    }
  }
}
