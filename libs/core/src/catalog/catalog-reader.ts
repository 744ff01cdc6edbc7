import type { CatalogSnapshot } from '../tool/snapshot/catalog-snapshot.js';
import type { LawfulEngine } from '../tool/snapshot/index-law.js';
import type { SourceStatus } from './loading/source-feed.js';

/** Makes a snapshot searchable before it is published, so that search and calls speak of the same tools. */
export interface SnapshotPreparer extends LawfulEngine {
  /** Gets ready, before the first `apply`. */
  open?(): Promise<void>;
  close?(): Promise<void>;
  apply(change: { readonly next: CatalogSnapshot; readonly previous?: CatalogSnapshot }): Promise<void>;
}

/** A catalog as toolboxes read it. */
export interface CatalogReader {
  /** The newest tools that a tenant could see. @param tenantId shared tools alone where it is left out */
  current(tenantId?: string): CatalogSnapshot;
  /** How every source is doing; the shared ones and the tenant's own, where it is named. */
  sources(tenantId?: string): readonly SourceStatus[];
  /** Makes what `current` answered searchable. */
  prepare(snapshot: CatalogSnapshot): Promise<void>;
}
