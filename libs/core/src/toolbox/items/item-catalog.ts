import type { CatalogReader } from '../../catalog/catalog-reader.js';
import { CatalogSnapshot } from '../../tool/snapshot/catalog-snapshot.js';
import type { ToolViews } from '../tool-views.js';

const NO_ITEMS = new CatalogSnapshot(0, []);

/** The context items of a catalog, as a catalog of their own: the same gate and views govern them. */
export interface ItemCatalog {
  readonly reader: CatalogReader;
  readonly views: ToolViews;
}

/** The context items beside a catalog's tools. */
export function itemCatalog(catalog: CatalogReader, views: ToolViews): ItemCatalog {
  const reader: CatalogReader = {
    current: (tenantId) => catalog.current(tenantId).items ?? NO_ITEMS,
    sources: (tenantId) => catalog.sources(tenantId),
    // Nothing is searched among them.
    prepare: () => Promise.resolve(),
  };
  return { reader, views: views.over(reader) };
}
