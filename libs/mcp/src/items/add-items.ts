import { isToolSearchError } from '@tool-search/core';
import type { TimeSlicer } from '@tool-search/core/internal';
import { SdkHttpError } from '@modelcontextprotocol/client';
import { among, isMissing, isRefused, isTimeout, NoList } from '../errors/error-kinds.js';
import type { Reading } from '../tools/listed-tools.js';
import type { ItemList } from './exposed-items.js';

/**
 * Adds a list of context items. One that is too long is left out; one that breaks off, or that the server refuses, keeps
 * what earlier lists had. The tools stay usable in any case.
 *
 * Call `signal.throwIfAborted()` of the load afterwards: a list that was aborted is left out as well.
 *
 * @returns what ended a list of which a part had been read; undefined otherwise
 */
export async function addItems(
  { kind, key, method }: ItemList,
  pages: AsyncIterable<readonly unknown[]>,
  listed: Reading,
  slices: TimeSlicer,
  limit: number,
): Promise<unknown> {
  let isBegun = false;
  try {
    for await (const page of pages) {
      const count = await slices.run(listed.add(page, kind));
      isBegun = true;
      if (count <= limit) continue;
      listed.leaveOut(kind, `with the ${key}, the source is over its limit of ${limit} (limits.tools)`);
      return undefined;
    }
  } catch (error) {
    if (isMissing(error)) return undefined;
    // Null is an empty list.
    if (error instanceof NoList && error.isNull) return undefined;
    if (isToolSearchError(error) && error.code === 'SOURCE_LIMIT') {
      listed.leaveOut(kind, error.message);
      return undefined;
    }
    listed.leaveOut(kind, reasonOf(method, error), true);
    return isBegun ? error : undefined;
  }
  return undefined;
}

function reasonOf(method: string, error: unknown): string {
  if (isRefused(error)) return `the server answered ${method} with an error`;
  if (isTimeout(error)) return `the server did not answer ${method} in time`;
  // Its tools were listed before, so they stay, whatever status a missing method has and whatever ends the connection.
  const status = among(error, SdkHttpError)?.status;
  return status === undefined
    ? `the server ended the connection at ${method}`
    : `the server answered ${method} with HTTP status ${status}`;
}
