import type { CatalogSnapshot } from '../tool/snapshot/catalog-snapshot.js';
import type { EngineTraits } from '../tool/snapshot/statistics-scope.js';
import type { SourceStatus } from './loading/source-feed.js';

/** Makes a snapshot searchable before it is published, so that search and calls use the same tools. */
export interface SnapshotPreparer extends EngineTraits {
  /** Called before the first `apply`. */
  open?(): Promise<void>;
  close?(): Promise<void>;
  apply(change: { readonly next: CatalogSnapshot; readonly previous?: CatalogSnapshot }): Promise<void>;
}

export interface CatalogReader {
  /** The newest tools that a tenant could see. @param tenantId if absent, shared tools only */
  current(tenantId?: string): CatalogSnapshot;
  /** The status of all shared sources and, if a tenant is given, its own. */
  sources(tenantId?: string): readonly SourceStatus[];
  prepare(snapshot: CatalogSnapshot): Promise<void>;
}
