import type { CatalogReader } from '../../catalog/catalog-reader.js';
import { addTo } from '../../collections/records.js';
import { CatalogSnapshot } from '../../tool/snapshot/catalog-snapshot.js';
import type { ToolDefinition } from '../../tool/tool-definition.js';
import type { ToolViews } from '../tool-views.js';
import { areOfOneSource } from './listed-uris.js';

const NO_ITEMS = new CatalogSnapshot(0, []);

/** The context items of a catalog, as a catalog of their own: the same gate and views govern them. */
export interface ItemCatalog {
  readonly reader: CatalogReader;
  readonly views: ToolViews;
  /** The tools that name a page of MCP Apps, of those that this tenant may have. */
  readonly openersOf: (page: ToolDefinition, tenantId: string) => readonly ToolDefinition[];
}

/** The context items beside a catalog's tools. */
export function itemCatalog(catalog: CatalogReader, views: ToolViews): ItemCatalog {
  const reader: CatalogReader = {
    current: (tenantId) => catalog.current(tenantId).items ?? NO_ITEMS,
    sources: (tenantId) => catalog.sources(tenantId),
    // Nothing is searched among them.
    prepare: () => Promise.resolve(),
  };
  return {
    reader,
    views: views.over(reader),
    openersOf: (page, tenantId) =>
      openersIn(catalog.current(tenantId), page.uri ?? '').filter((tool) => areOfOneSource(tool, page)),
  };
}

const byPage = new WeakMap<CatalogSnapshot, ReadonlyMap<string, readonly ToolDefinition[]>>();

function openersIn(snapshot: CatalogSnapshot, page: string): readonly ToolDefinition[] {
  const shared = snapshot.below ? openersIn(snapshot.below, page) : [];
  return [...shared, ...(toolsByPage(snapshot).get(page) ?? [])];
}

/** The tools that a snapshot adds to the one below it, by the pages that they name. */
function toolsByPage(snapshot: CatalogSnapshot): ReadonlyMap<string, readonly ToolDefinition[]> {
  const known = byPage.get(snapshot);
  if (known) return known;
  const tools = new Map<string, ToolDefinition[]>();
  for (const tool of snapshot.own) if (tool.app?.resourceUri !== undefined) addTo(tools, tool.app.resourceUri, tool);
  byPage.set(snapshot, tools);
  return tools;
}
