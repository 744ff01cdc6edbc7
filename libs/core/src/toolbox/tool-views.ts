import { TenantFairLru } from '../collections/tenant-fair-lru.js';
import { addTo } from '../collections/records.js';
import { createHash } from 'node:crypto';
import { type FilterPhase, narrowingRefusal } from '../access/narrowing.js';
import type { Caller, ToolGate } from '../access/tool-gate.js';
import type { CatalogReader } from '../catalog/catalog-reader.js';
import type { DeprecationSet } from '../access/deprecations/deprecation-set.js';
import type { KillSwitchSet } from '../access/kill-switches/kill-switch-set.js';
import type { CatalogSnapshot } from '../tool/snapshot/catalog-snapshot.js';
import type { Layer } from '../tool/decision.js';
import { isForApps } from '../tool/app-metadata.js';
import type { ToolDefinition } from '../tool/tool-definition.js';
import type { ToolEvents } from '../tool/tool-event.js';
import { ToolSet } from '../tool/snapshot/tool-set.js';
import { eventIds } from '../tool/tool-context.js';

/** The tools of one snapshot that one context can see. Immutable, so requests may share it. */
export class ToolView {
  #deferred: ToolSet | undefined;
  #tools: readonly ToolDefinition[] | undefined;
  #always: readonly ToolDefinition[] | undefined;
  #digest: string | undefined;
  #ofModels: ToolView | undefined;

  constructor(
    readonly snapshot: CatalogSnapshot,
    readonly visible: ToolSet,
    /** Whether a visibility policy or a filter failed: such a view is used once and not cached. */
    readonly fault: boolean,
  ) {}

  get deferred(): ToolSet {
    this.#deferred ??= this.visible.filter((id) => this.snapshot.at(id).loading === 'deferred');
    return this.#deferred;
  }

  get alwaysLoaded(): ToolSet {
    return this.visible.filter((id) => this.snapshot.at(id).loading === 'always');
  }

  tools(): readonly ToolDefinition[] {
    this.#tools ??= Array.from(this.visible.ids(), (id) => this.snapshot.at(id));
    return this.#tools;
  }

  always(): readonly ToolDefinition[] {
    this.#always ??= this.tools().filter((tool) => tool.loading === 'always');
    return this.#always;
  }

  /** The view without what is for MCP Apps alone; the view itself where there is none. */
  forModels(): ToolView {
    return (this.#ofModels ??= this.without(isForApps));
  }

  /** Hash over the names and hashes of all visible tools. It reveals nothing about tools that others see. */
  get digest(): string {
    return (this.#digest ??= createHash('sha256')
      .update(
        this.tools()
          .map(({ name, hash }) => `${name} ${hash}\n`)
          .join(''),
      )
      .digest('hex'));
  }

  find(name: string, tenantId: string): ToolDefinition | undefined {
    const id = this.snapshot.idOf(name, tenantId);
    return id !== undefined && this.visible.has(id) ? this.snapshot.at(id) : undefined;
  }

  /** Names and aliases in the snapshot under which this view has no tool. They must not reach a model. */
  hiddenNames(tenantId: string): readonly string[] {
    const names = new Set<string>();
    for (let id = 0; id < this.snapshot.size; id++) {
      if (this.visible.has(id)) continue;
      const { name, aliases } = this.snapshot.at(id);
      for (const each of [name, ...aliases]) names.add(each);
    }
    return [...names].filter((name) => !this.find(name, tenantId));
  }

  /**
   * A view without the matching tools; the view itself where there are none.
   *
   * @param fault whether tools are taken away by mistake. @default that of this view
   */
  without(isTaken: (tool: ToolDefinition) => boolean, fault = this.fault): ToolView {
    const left = this.visible.filter((id) => !isTaken(this.snapshot.at(id)));
    return left.size === this.visible.size ? this : new ToolView(this.snapshot, left, fault);
  }
}

/** Caches one toolbox's views where they may not be shared. */
export interface ViewMemo {
  entry?: {
    readonly view: Promise<ToolView>;
    readonly snapshot: CatalogSnapshot;
    readonly gateRevision: number;
    readonly at: number;
  };
  narrowed?: { readonly of: ToolView; readonly views: Partial<Record<FilterPhase, Promise<ToolView>>> };
}

/** A view without switched-off and retired tools, and the decisions of operators that it was made for. */
interface SwitchedView {
  readonly set: KillSwitchSet;
  readonly expired: number;
  readonly deprecations: DeprecationSet;
  readonly passed: number;
  readonly view: ToolView;
}

interface SharedView {
  readonly view: Promise<ToolView>;
  readonly snapshot: CatalogSnapshot;
}

const UNSHARED_TTL_MS = 5000;
const MAX_VIEWS = 1000;
const MAX_NAMED = 100;

/** The newest view of each context, shared between contexts whose visibility has the same key. */
export class ToolViews {
  readonly #shared = new TenantFairLru<SharedView>(MAX_VIEWS);
  /** Keyed by the view without switches, which belongs to one tenant. */
  readonly #switchedViews = new WeakMap<ToolView, SwitchedView>();
  #sharedOf: { readonly snapshot: CatalogSnapshot; readonly gateRevision: number } | undefined;

  constructor(
    private readonly catalog: CatalogReader,
    private readonly gate: ToolGate,
    private readonly events: ToolEvents,
    private readonly now: () => number = () => performance.now(),
    /** Whether events name the tools that a layer removed. */
    private readonly isDebugging: () => boolean = () => false,
  ) {}

  /** Views of another catalog, for example of one with the tools of a single request. */
  over(catalog: CatalogReader): ToolViews {
    return new ToolViews(catalog, this.gate, this.events, this.now, this.isDebugging);
  }

  /** The tools that the context sees now, after its narrowing. @throws ToolSearchError `GATE_CLOSED` */
  async current(caller: Caller, memo: ViewMemo, phase: FilterPhase = 'active'): Promise<ToolView> {
    const lasting = await this.lasting(caller, memo);
    const switched = this.#switched(lasting, caller.context.tenantId);
    const view = caller.opensApps ? switched : switched.forModels();
    return caller.lineage.length === 0 ? view : this.#narrowed(view, caller, phase, memo);
  }

  #narrowed(view: ToolView, caller: Caller, phase: FilterPhase, memo: ViewMemo): Promise<ToolView> {
    if (memo.narrowed?.of !== view) memo.narrowed = { of: view, views: {} };
    const { views } = memo.narrowed;
    const known = views[phase];
    if (known) return known;
    const narrowed = (views[phase] = this.#filtered(view, caller, phase));
    forgetIfFaulty(narrowed, () => views[phase] === narrowed && delete views[phase]);
    return narrowed;
  }

  async #filtered(view: ToolView, caller: Caller, phase: FilterPhase): Promise<ToolView> {
    const allowed = view.without((tool) => narrowingRefusal(caller.lineage, tool) !== undefined);
    const { refusals, isLate } = await this.gate.filtered(allowed.tools(), caller, phase);
    return allowed.without((tool) => refusals.has(tool), isLate);
  }

  // Switches and sunsets are applied separately: engaging one must not run the application's visibility policy again for everyone.
  #switched(lasting: ToolView, tenantId: string): ToolView {
    const { set, expired, now } = this.gate.switches();
    const { deprecations } = this.gate.lifecycle();
    const passed = deprecations.passed(lasting.snapshot, now);
    if (passed === 0 && !set.concerns(tenantId, now)) return lasting;
    const known = this.#switchedViews.get(lasting);
    const isSame = known?.set === set && known.expired === expired;
    if (isSame && known.deprecations === deprecations && known.passed === passed) return known.view;
    const view = lasting.without(
      (tool) => set.meeting(tool, tenantId, now) !== undefined || deprecations.isRetired(tool, now),
    );
    this.#switchedViews.set(lasting, { set, expired, deprecations, passed, view });
    return view;
  }

  /** The view without kill switches and narrowing. @throws ToolSearchError `GATE_CLOSED` */
  async lasting(caller: Caller, memo: ViewMemo): Promise<ToolView> {
    const {
      context: { tenantId },
      agentIds,
    } = caller;
    const key = await this.gate.visibilityKey(caller);
    const snapshot = this.catalog.current(tenantId);
    const gateRevision = this.gate.revision;
    if (key === undefined) return this.#ofOneToolbox(snapshot, gateRevision, caller, memo);
    // Views of an older state are never requested again, and would keep its snapshot and index in memory. Another
    // tenant's own tools are not part of that state.
    const shared = snapshot.below ?? snapshot;
    if (this.#sharedOf?.snapshot !== shared || this.#sharedOf.gateRevision !== gateRevision) {
      this.#shared.clear();
      this.#sharedOf = { snapshot: shared, gateRevision };
    }
    const id = JSON.stringify([agentIds, key]);
    const known = this.#shared.get(tenantId, id);
    if (known?.snapshot === snapshot) {
      this.#shared.set(tenantId, id, known);
      return known.view;
    }
    const view = this.#build(snapshot, caller);
    this.#shared.set(tenantId, id, { view, snapshot });
    forgetIfFaulty(view, () => this.#shared.get(tenantId, id)?.view === view && this.#shared.delete(tenantId, id));
    return view;
  }

  #ofOneToolbox(snapshot: CatalogSnapshot, gateRevision: number, caller: Caller, memo: ViewMemo): Promise<ToolView> {
    const { entry } = memo;
    const fresh =
      entry?.snapshot === snapshot && entry.gateRevision === gateRevision && this.now() - entry.at < UNSHARED_TTL_MS;
    if (entry && fresh) return entry.view;
    const view = this.#build(snapshot, caller);
    memo.entry = { view, snapshot, gateRevision, at: this.now() };
    forgetIfFaulty(view, () => memo.entry?.view === view && delete memo.entry);
    return view;
  }

  async #build(snapshot: CatalogSnapshot, caller: Caller): Promise<ToolView> {
    const { context } = caller;
    await this.catalog.prepare(snapshot);
    const owned = snapshot.ownedBy(context.tenantId);
    const ids = [...owned.ids()];
    const { decisions, fault } = await this.gate.decideLasting(
      ids.map((id) => snapshot.at(id)),
      caller,
    );
    const allowed = new Set(ids.filter((_, index) => decisions[index]?.outcome === 'allow'));
    const view = new ToolView(
      snapshot,
      ToolSet.of(snapshot.size, (id) => allowed.has(id)),
      fault,
    );
    const removed = new Map<Layer, number[]>();
    for (const [index, { outcome, layer }] of decisions.entries()) {
      if (outcome === 'deny') addTo(removed, layer, index);
    }
    for (const [layer, denied] of removed) {
      const named = this.isDebugging() ? denied.slice(0, MAX_NAMED) : undefined;
      this.events.emit({
        type: 'policy.filtered',
        ...eventIds(context),
        removed: denied.length,
        visible: view.visible.size,
        layer,
        ...(named && { tools: named.flatMap((index) => snapshot.find(ids[index] ?? -1)?.name ?? []) }),
      });
    }
    return view;
  }
}

// Tools must not stay hidden because a policy failed once, so such a view is not kept.
function forgetIfFaulty(view: Promise<ToolView>, forget: () => void): void {
  view.then((built) => built.fault && forget(), forget);
}
