import type { ControlPlane } from '../control/control-plane.js';
import type { ControlKind, ControlRecord } from '../control/control-store.js';

const PAGE = 500;

/**
 * All records of a kind of one tenant in the order of their keys, read page by page. A record may be removed before the next
 * one is taken.
 *
 * @throws ToolSearchError `STORE_UNAVAILABLE`
 */
export async function* eachRecord(
  plane: ControlPlane,
  kind: ControlKind,
  tenantId: string,
): AsyncGenerator<ControlRecord, void> {
  for (let after: string | undefined; ;) {
    const page = { limit: PAGE, ...(after !== undefined && { after }) };
    const read = await plane.guarded(() => plane.store.list(kind, page, tenantId));
    yield* read;
    if (read.length < PAGE) return;
    after = read.at(-1)?.key;
  }
}
