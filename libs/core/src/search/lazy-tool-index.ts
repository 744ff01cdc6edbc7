import type { CatalogSnapshot } from '../tool/snapshot/catalog-snapshot.js';
import type { ToolSet } from '../tool/snapshot/tool-set.js';
import type { CatalogChange, SearchAnswer, ToolIndex, ToolQuery } from './tool-index.js';

/**
 * Builds the index in memory when it is first needed: when the catalog has so many tools that some of them are held
 * back, when a request holds some back, or at the first search. From then on every snapshot is indexed before it is
 * published. Only for engines that can index an older snapshot after a newer one.
 */
export class LazyToolIndex implements ToolIndex {
  readonly engine;
  readonly statistics;
  readonly canFork;
  readonly #built = new WeakMap<CatalogSnapshot, Promise<void>>();
  #isNeeded = false;
  /** Called once, when the index is first needed. */
  onNeeded: () => void = () => undefined;

  /** @param needs whether models are not shown all tools of a snapshot, so that they will search */
  constructor(
    private readonly index: ToolIndex,
    private readonly needs: (next: CatalogSnapshot) => boolean,
  ) {
    this.engine = index.engine;
    this.statistics = index.statistics ?? 'visible';
    this.canFork = index.canFork ?? false;
  }

  /** Whether models search, as far as it is known. */
  get isNeeded(): boolean {
    return this.#isNeeded;
  }

  async open(): Promise<void> {
    await this.index.open?.();
  }

  async apply(change: CatalogChange): Promise<void> {
    if (!this.#isNeeded && this.needs(change.next)) this.#need();
    if (this.#isNeeded) await this.#build(change);
  }

  /** Indexes a published snapshot in the background, because searches of it are to be expected. */
  prepare(next: CatalogSnapshot): void {
    this.#need();
    // A search that needs it tries again, and reports the error.
    this.#build({ next }).catch(() => undefined);
  }

  async search(
    query: ToolQuery,
    snapshot: CatalogSnapshot,
    visible: ToolSet,
    signal?: AbortSignal,
  ): Promise<SearchAnswer> {
    this.#need();
    await this.#build({ next: snapshot });
    return this.index.search(query, snapshot, visible, signal);
  }

  async close(): Promise<void> {
    await this.index.close?.();
  }

  #need(): void {
    if (this.#isNeeded) return;
    this.#isNeeded = true;
    this.onNeeded();
  }

  #build({ next: snapshot, previous }: CatalogChange): Promise<void> {
    const known = this.#built.get(snapshot);
    if (known) return known;
    const built = this.#apply(snapshot, previous);
    this.#built.set(snapshot, built);
    built.catch(() => this.#built.delete(snapshot));
    return built;
  }

  async #apply(next: CatalogSnapshot, previous: CatalogSnapshot | undefined): Promise<void> {
    const { below } = next;
    if (below) await this.#build({ next: below });
    const before = below ?? (previous && this.#built.has(previous) ? previous : undefined);
    await this.index.apply({ next, ...(before && { previous: before }) });
  }
}
