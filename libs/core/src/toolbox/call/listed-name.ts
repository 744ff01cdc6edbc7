import { narrowingRefusal } from '../../access/narrowing.js';
import type { Caller } from '../../access/tool-gate.js';
import { bareNameIds, spelledId } from '../../catalog/names/spelled-names.js';
import type { CatalogSnapshot } from '../../tool/snapshot/catalog-snapshot.js';
import type { ToolboxRequest } from '../toolbox-request.js';

/**
 * Dense id of the tool that is meant by a name that no tool has: a wire name, or a name without its namespace. Lists
 * translate such names back for visible tools alone, so the tool is hidden. For the record and for events: the caller
 * gets the answer of an unknown name.
 *
 * @param bareNames whether the caller's list may show tools without their namespaces
 * @throws ToolSearchError `GATE_CLOSED`
 */
export async function idOfListedName(
  snapshot: CatalogSnapshot,
  name: string,
  request: ToolboxRequest,
  caller: Caller,
  bareNames = false,
): Promise<number | undefined> {
  const { tenantId } = caller.context;
  const spelled = await spelledId(snapshot, name, tenantId);
  if (!bareNames) return spelled;
  // Also where it is not needed: the time, and what visibility policies are asked, must not tell hidden from unknown names.
  const named = await bareNameIds(snapshot, name, tenantId);
  const before = await request.unswitched(caller);
  if (spelled !== undefined) return spelled;
  const possible = named.filter((id) => narrowingRefusal(caller.lineage, snapshot.at(id)) === undefined);
  // Of several, the one that was in the list until a switch or a sunset took it away.
  const shown = possible.filter((id) => before.find(snapshot.at(id).name, tenantId) !== undefined);
  if (possible.length === 1) return possible[0];
  return shown.length === 1 ? shown[0] : undefined;
}
