import type { ToolPolicies } from '../../access/policies/tool-policies.js';
import type { CatalogReader } from '../../catalog/catalog-reader.js';
import type { CatalogSnapshot } from '../../tool/snapshot/catalog-snapshot.js';
import type { ToolEvents } from '../../tool/tool-event.js';

const MAX_SNAPSHOTS = 20;

/** The newest 20 snapshots of the shared tools that this process published, and when. Kept in memory. */
export class CatalogHistory {
  readonly #published: { readonly at: number; readonly snapshot: CatalogSnapshot }[] = [];
  #startedAt = Infinity;
  #policyRevision = 0;

  constructor(
    events: ToolEvents,
    reader: CatalogReader,
    private readonly policies: ToolPolicies,
    now: () => number,
  ) {
    events.on('catalog.published', ({ owner }) => {
      if (owner !== undefined) return;
      if (this.#startedAt === Infinity) {
        this.#startedAt = now();
        this.#policyRevision = policies.revision;
      }
      this.#published.push({ at: now(), snapshot: reader.current() });
      if (this.#published.length > MAX_SNAPSHOTS) this.#published.shift();
    });
  }

  /** The shared tools at this moment; undefined if this process did not publish them, or not recently enough. */
  at(time: number): CatalogSnapshot | undefined {
    return this.#published.findLast(({ at }) => at <= time)?.snapshot;
  }

  /** Whether the application's own policies of this moment are those of now, as far as this process knows. */
  hasSamePolicies(time: number): boolean {
    return time >= this.#startedAt && this.policies.revision === this.#policyRevision;
  }
}
