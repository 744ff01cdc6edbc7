import { ProtocolError, ProtocolErrorCode } from '@modelcontextprotocol/server';
import { z } from 'zod';

/**
 * Parameters of a list. With a schema of its own, a cursor of another kind is answered with −32602; the SDK's would
 * answer −32603.
 */
export const LIST_PARAMS = z.object({ cursor: z.string().optional() });

/** One page of a list, and the cursor of the next one. */
export interface ListPage<T> {
  readonly items: readonly T[];
  readonly nextCursor?: string;
}

/**
 * A page of a list that is sorted by name. The cursor is the name of the last item, so a list that changes between two
 * pages neither repeats nor skips an item that stays. A cursor with another name only selects another page of the
 * caller's own list.
 *
 * @throws ProtocolError −32602 for a cursor that this server cannot have made
 */
export function listPage<T extends { readonly name: string }>(
  sorted: readonly T[],
  cursor: string | undefined,
  size: number,
): ListPage<T> {
  const after = cursor === undefined ? undefined : nameIn(cursor);
  const start = after === undefined ? 0 : sorted.findIndex(({ name }) => name > after);
  const items = start < 0 ? [] : sorted.slice(start, start + size);
  const last = items.at(-1);
  const hasMore = last !== undefined && start + size < sorted.length;
  return { items, ...(hasMore && { nextCursor: Buffer.from(`1 ${last.name}`).toString('base64url') }) };
}

function nameIn(cursor: string): string {
  const [, name] = /^1 ([\w.-]{1,128})$/.exec(Buffer.from(cursor.slice(0, 256), 'base64url').toString()) ?? [];
  if (name !== undefined) return name;
  throw new ProtocolError(ProtocolErrorCode.InvalidParams, 'This cursor is not one of this list. Begin without one.');
}
