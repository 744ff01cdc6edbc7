import type { CatalogSnapshot } from '../tool/snapshot/catalog-snapshot.js';

/**
 * Orders the tools of a snapshot by canonical name in code unit order, equal names (of several tenants) by dense id: an
 * order that does not depend on what else is in the catalog.
 *
 * @param isSorted the tools are known to be in the catalog's order, so that names need no comparison within one owner
 */
export function byName(snapshot: CatalogSnapshot, isSorted = false): (id: number, other: number) => boolean {
  return (id, other) => {
    const [tool, otherTool] = [snapshot.find(id), snapshot.find(other)];
    if (!tool || !otherTool) return false;
    if ((isSorted && tool.owner === otherTool.owner) || tool.name === otherTool.name) return id < other;
    return tool.name < otherTool.name;
  };
}
