import type { CatalogSnapshot } from '../tool/snapshot/catalog-snapshot.js';

/**
 * Orders the tools of a snapshot by canonical name in code unit order, and equal names (of several tenants) by dense
 * id. The order does not depend on the rest of the catalog.
 *
 * @param isSorted whether the tools are in catalog order, so that names of one owner need no comparison
 */
export function byName(snapshot: CatalogSnapshot, isSorted = false): (id: number, other: number) => boolean {
  return (id, other) => {
    const [tool, otherTool] = [snapshot.find(id), snapshot.find(other)];
    if (!tool || !otherTool) return false;
    if ((isSorted && tool.owner === otherTool.owner) || tool.name === otherTool.name) return id < other;
    return tool.name < otherTool.name;
  };
}
