import type { CatalogSnapshot } from '../tool/catalog-snapshot.js';
import type { LawfulEngine } from '../tool/index-law.js';
import type { SourceStatus } from './source-feed.js';

/** Makes a snapshot searchable before it is published, so that search and calls speak of the same tools. */
export interface SnapshotPreparer extends LawfulEngine {
  /** Gets ready, before the first `apply`. */
  open?(): Promise<void>;
  close?(): Promise<void>;
  apply(change: {
    readonly next: CatalogSnapshot;
    readonly previous?: CatalogSnapshot;
    readonly isTransient?: boolean;
  }): Promise<void>;
  /** Whether a state can be prepared beside the newest one, for one request. @default false */
  readonly canFork?: boolean;
}

/** A catalog as toolboxes read it. */
export interface CatalogReader {
  /** The newest tools. */
  current(): CatalogSnapshot;
  /** How every source is doing. */
  sources(): readonly SourceStatus[];
  /** Makes what `current` answered searchable. */
  prepare(snapshot: CatalogSnapshot): Promise<void>;
}
