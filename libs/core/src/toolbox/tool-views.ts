import { LRUCache } from 'lru-cache';
import type { ToolGate } from '../access/tool-gate.js';
import type { ToolCatalog } from '../catalog/tool-catalog.js';
import type { CatalogSnapshot } from '../tool/catalog-snapshot.js';
import type { Layer } from '../tool/decision.js';
import type { ToolContext } from '../tool/tool-context.js';
import type { ToolDefinition } from '../tool/tool-definition.js';
import type { ToolEvents } from '../tool/tool-event.js';
import { ToolSet } from '../tool/tool-set.js';
import { principalOf } from '../tool/principal.js';

/** What one context can see of one snapshot: immutable, so it may be shared between requests. */
export class ToolView {
  #deferred: ToolSet | undefined;
  #tools: readonly ToolDefinition[] | undefined;

  constructor(
    readonly snapshot: CatalogSnapshot,
    readonly visible: ToolSet,
    /** The gate's revision for which this view holds. */
    readonly gateRevision: number,
    readonly fault: boolean,
  ) {}

  /** The visible tools that are not always loaded. */
  get deferred(): ToolSet {
    this.#deferred ??= this.visible.filter((id) => this.snapshot.at(id).loading === 'deferred');
    return this.#deferred;
  }

  /** Visible tools in the catalog's order. */
  tools(): readonly ToolDefinition[] {
    this.#tools ??= Array.from(this.visible.ids(), (id) => this.snapshot.at(id));
    return this.#tools;
  }

  /** A visible tool by canonical name or alias. */
  find(name: string, tenantId: string): ToolDefinition | undefined {
    const id = this.snapshot.idOf(name, tenantId);
    return id !== undefined && this.visible.has(id) ? this.snapshot.at(id) : undefined;
  }
}

/** Remembers one toolbox's view where it may not be shared. */
export interface ViewMemo {
  entry?: {
    readonly view: Promise<ToolView>;
    readonly snapshot: CatalogSnapshot;
    readonly gateRevision: number;
    readonly at: number;
  };
}

const UNSHARED_TTL_MS = 5000;
const MAX_VIEWS = 1000;

/** The newest view of each context, shared between contexts whose visibility has the same key. */
export class ToolViews {
  readonly #shared = new LRUCache<string, Promise<ToolView>>({ max: MAX_VIEWS });
  #sharedOf: { readonly snapshot: CatalogSnapshot; readonly gateRevision: number } | undefined;

  constructor(
    private readonly catalog: ToolCatalog,
    private readonly gate: ToolGate,
    private readonly events: ToolEvents,
    private readonly now: () => number = () => performance.now(),
  ) {}

  async current(context: ToolContext, memo: ViewMemo): Promise<ToolView> {
    const key = await this.gate.visibilityKey(context);
    const snapshot = this.catalog.current();
    const gateRevision = this.gate.revision;
    if (key === undefined) return this.#ofOneToolbox(snapshot, gateRevision, context, memo);
    // Views of an older state are never asked for again, and would keep its snapshot and index alive.
    if (this.#sharedOf?.snapshot !== snapshot || this.#sharedOf.gateRevision !== gateRevision) {
      this.#shared.clear();
      this.#sharedOf = { snapshot, gateRevision };
    }
    const id = JSON.stringify([context.tenantId, key]);
    const known = this.#shared.get(id);
    if (known) return known;
    const view = this.#build(snapshot, gateRevision, context);
    this.#shared.set(id, view);
    forgetIfFaulty(view, () => this.#shared.peek(id) === view && this.#shared.delete(id));
    return view;
  }

  #ofOneToolbox(
    snapshot: CatalogSnapshot,
    gateRevision: number,
    context: ToolContext,
    memo: ViewMemo,
  ): Promise<ToolView> {
    const { entry } = memo;
    const fresh =
      entry?.snapshot === snapshot && entry.gateRevision === gateRevision && this.now() - entry.at < UNSHARED_TTL_MS;
    if (entry && fresh) return entry.view;
    const view = this.#build(snapshot, gateRevision, context);
    memo.entry = { view, snapshot, gateRevision, at: this.now() };
    forgetIfFaulty(view, () => memo.entry?.view === view && delete memo.entry);
    return view;
  }

  async #build(snapshot: CatalogSnapshot, gateRevision: number, context: ToolContext): Promise<ToolView> {
    const owned = snapshot.ownedBy(context.tenantId);
    const ids = [...owned.ids()];
    const { decisions, fault } = await this.gate.decide(
      ids.map((id) => snapshot.at(id)),
      context,
    );
    const allowed = new Set(ids.filter((_, index) => decisions[index]?.outcome === 'allow'));
    const view = new ToolView(
      snapshot,
      ToolSet.of(snapshot.tools.length, (id) => allowed.has(id)),
      gateRevision,
      fault,
    );
    const removed = new Map<Layer, number>();
    for (const { outcome, layer } of decisions) {
      if (outcome === 'deny') removed.set(layer, (removed.get(layer) ?? 0) + 1);
    }
    for (const [layer, count] of removed) {
      this.events.emit({
        type: 'policy.filtered',
        ...principalOf(context),
        removed: count,
        visible: view.visible.size,
        layer,
      });
    }
    return view;
  }
}

// What a failing policy hid must not stay hidden: such a view is used once and forgotten.
function forgetIfFaulty(view: Promise<ToolView>, forget: () => void): void {
  view.then((built) => built.fault && forget(), forget);
}
