import type { FilterPhase, Narrowing } from '../access/narrowing.js';
import { type Caller, callerOf, type ToolGate } from '../access/tool-gate.js';
import { type ToolContext, toolContext } from '../tool/tool-context.js';
import type { ToolDefinition } from '../tool/tool-definition.js';
import type { TenantSources } from './tenants/tenant-sources.js';
import type { ToolView, ToolViews, ViewMemo } from './tool-views.js';
import { type RunParts, RunTools } from './runs/run-tools.js';
import { ShownMode } from './surface/shown-mode.js';
import type { ExposureChoice } from './surface/surface.js';

export interface RequestServices extends RunParts {
  readonly gate: ToolGate;
  readonly views: ToolViews;
  readonly tenantSources: TenantSources;
  /** Called when a context is derived from another within the same request. */
  readonly onDerived: (derived: ToolContext, from: ToolContext) => void;
}

/** What one toolbox knows of its request: who asks, what they see, their run, and how the tools are shown. */
export class ToolboxRequest {
  readonly #memo: ViewMemo = {};
  #root: Promise<ToolContext> | undefined;
  #caller: Promise<Caller> | undefined;
  #run: RunTools | undefined;
  #shown: ShownMode | undefined;

  constructor(
    private readonly services: RequestServices,
    /** Called once, at the first use: guards have run by then. */
    private readonly contextOf: () => ToolContext | Promise<ToolContext>,
    /** The steps by which the toolbox was narrowed, outermost first. */
    readonly lineage: readonly Narrowing[],
    /** How it is shown, unless a step overrides it. @default the setting of the context and the module */
    private readonly exposure?: ExposureChoice,
    /** Whether it is for a host of MCP Apps. */
    readonly opensApps = false,
  ) {}

  /** The same request, for another catalog: it stays in its run. */
  over(services: RequestServices): ToolboxRequest {
    const other = new ToolboxRequest(services, () => this.root(), this.lineage, this.exposure, this.opensApps);
    other.#run = this.run;
    return other;
  }

  /** The offers and activations of its run or session. */
  get run(): RunTools {
    return (this.#run ??= new RunTools(this.services));
  }

  /** How it is shown to its model. */
  get shown(): ShownMode {
    return (this.#shown ??= new ShownMode(this.services.exposure, this.exposure, this));
  }

  /** The context before any narrowing. */
  root(): Promise<ToolContext> {
    this.#root ??= (async () => this.contextOf())();
    return this.#root;
  }

  /** The caller, for operations that need no tools. */
  itself(): Promise<Caller> {
    this.#caller ??= this.root().then((root) => {
      const caller = derivedCaller(root, this.lineage, this.services.onDerived);
      return this.opensApps ? { ...caller, opensApps: true } : caller;
    });
    return this.#caller;
  }

  /**
   * The caller, for all other operations. Waits until the tenant's own sources are in the catalog, at most `waitMs`.
   */
  who(): Promise<Caller> {
    const { tenantSources } = this.services;
    if (!tenantSources.isOn) return this.itself();
    return this.itself().then(async (caller) => {
      await tenantSources.ready(caller.context);
      return caller;
    });
  }

  /** The tools that are visible now. @throws ToolSearchError `GATE_CLOSED` */
  view(caller: Caller, phase: FilterPhase = 'active'): Promise<ToolView> {
    return this.services.views.current(caller, this.#memo, phase);
  }

  /** A number for the operators' rules on this caller: see `ToolGate.rulesOn`. @throws ToolSearchError `GATE_CLOSED` */
  async rules(caller: Caller): Promise<number> {
    return this.services.gate.rulesOn((await this.unswitched(caller)).tools(), caller);
  }

  /** The tools that would be visible without kill switches, sunsets and narrowing. @throws ToolSearchError `GATE_CLOSED` */
  unswitched(caller: Caller): Promise<ToolView> {
    return this.services.views.lasting(caller, this.#memo);
  }

  /** Splits names into visible tools, each once, and names that this caller's model sees no tool under. */
  async find(
    caller: Caller,
    names: readonly string[],
    phase: FilterPhase,
  ): Promise<{ readonly found: readonly ToolDefinition[]; readonly unavailable: readonly string[] }> {
    const view = (await this.view(caller, phase)).forModels();
    const found = new Map<string, ToolDefinition>();
    const unavailable: string[] = [];
    for (const name of names) {
      const tool = view.find(name, caller.context.tenantId);
      if (tool) found.set(tool.name, tool);
      else unavailable.push(name);
    }
    return { found: [...found.values()], unavailable };
  }
}

/**
 * The caller of a toolbox: the context itself or, for a narrowed toolbox, a derived context with its own run id and the
 * contexts of the parent agents.
 *
 * @param onDerived called with every derived context
 */
function derivedCaller(
  root: ToolContext,
  lineage: readonly Narrowing[],
  onDerived: (derived: ToolContext, from: ToolContext) => void,
): Caller {
  const caller = callerOf(root, lineage);
  // A mere filter stays in the run of the toolbox that it filters.
  const run = lineage.findLast((step) => step.run)?.run;
  if (!run) return caller;
  const derived = (agentId: string | undefined): ToolContext => {
    const context = toolContext({ ...root, runId: run.id, ...(agentId !== undefined && { agentId }) });
    onDerived(context, root);
    return context;
  };
  const agentId = caller.agentIds.at(-1);
  const above = new Set([root.agentId, ...caller.agentIds].filter((each) => each !== agentId));
  return { ...caller, context: derived(agentId), above: Array.from(above, derived) };
}
