import type { FilterPhase, Narrowing } from '../access/narrowing.js';
import type { Caller } from '../access/tool-gate.js';
import type { ToolContext } from '../tool/tool-context.js';
import type { ToolDefinition } from '../tool/tool-definition.js';
import { derivedCaller } from './derived-caller.js';
import type { ToolView, ViewMemo } from './tool-views.js';
import type { ToolboxServices } from './toolbox-services.js';

/** The caller of one toolbox, and the tools that the caller sees. */
export class ToolboxCaller {
  readonly #memo: ViewMemo = {};
  #root: Promise<ToolContext> | undefined;
  #caller: Promise<Caller> | undefined;

  constructor(
    private readonly services: ToolboxServices,
    /** Called once, at the first use: guards have run by then. */
    private readonly contextOf: () => ToolContext | Promise<ToolContext>,
    /** The steps by which the toolbox was narrowed, outermost first. */
    private readonly lineage: readonly Narrowing[],
  ) {}

  /** The context before any narrowing. */
  root(): Promise<ToolContext> {
    this.#root ??= (async () => this.contextOf())();
    return this.#root;
  }

  /** The caller, for operations that need no tools. */
  itself(): Promise<Caller> {
    this.#caller ??= this.root().then((root) => derivedCaller(root, this.lineage, this.services.onDerived));
    return this.#caller;
  }

  /**
   * The caller, for all other operations. Waits until the tenant's own sources are in the catalog, at most `waitMs`.
   */
  who(): Promise<Caller> {
    const { tenantSources } = this.services;
    if (!tenantSources) return this.itself();
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
    const { gate, views } = this.services;
    return gate.rulesOn((await views.lasting(caller, this.#memo)).tools(), caller);
  }

  /** Splits names into visible tools, each once, and names that this caller sees no tool under. */
  async find(
    caller: Caller,
    names: readonly string[],
    phase: FilterPhase,
  ): Promise<{ readonly found: readonly ToolDefinition[]; readonly unavailable: readonly string[] }> {
    const view = await this.view(caller, phase);
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
