import type { ToolDefinition } from '../tool-definition.js';

type Place = Pick<ToolDefinition, 'owner' | 'name'>;

/** Compares two tools in catalog order: by owner, then by canonical name. Negative if `a` comes first. */
export function catalogOrder(a: Place, b: Place): number {
  if (a.owner !== b.owner) return a.owner < b.owner ? -1 : 1;
  return a.name === b.name ? 0 : a.name < b.name ? -1 : 1;
}
