import type { FilterPhase, Narrowing } from '../access/narrowing.js';
import type { Asker } from '../access/tool-gate.js';
import type { ToolContext } from '../tool/tool-context.js';
import type { ToolDefinition } from '../tool/tool-definition.js';
import { derivedAsker } from './derived-asker.js';
import type { ToolView, ViewMemo } from './tool-views.js';
import type { ToolboxServices } from './toolbox-services.js';

/** The caller of one toolbox, and the tools that the caller sees. */
export class ToolboxAsker {
  readonly #memo: ViewMemo = {};
  #root: Promise<ToolContext> | undefined;
  #asker: Promise<Asker> | undefined;

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
  itself(): Promise<Asker> {
    this.#asker ??= this.root().then((root) => derivedAsker(root, this.lineage, this.services.onDerived));
    return this.#asker;
  }

  /**
   * The caller, for all other operations. Waits until the tenant's own sources are in the catalog, at most `waitMs`.
   */
  who(): Promise<Asker> {
    const { tenantSources } = this.services;
    if (!tenantSources) return this.itself();
    return this.itself().then(async (asker) => {
      await tenantSources.ready(asker.context);
      return asker;
    });
  }

  /** The tools that are visible now. @throws ToolSearchError `GATE_CLOSED` */
  view(asker: Asker, phase: FilterPhase = 'active'): Promise<ToolView> {
    return this.services.views.current(asker, this.#memo, phase);
  }

  /** A number for the operators' rules on this caller: see `ToolGate.rulesOn`. @throws ToolSearchError `GATE_CLOSED` */
  async rules(asker: Asker): Promise<number> {
    const { gate, views } = this.services;
    return gate.rulesOn((await views.lasting(asker, this.#memo)).tools(), asker);
  }

  /** Splits names into visible tools, each once, and names that this caller sees no tool under. */
  async find(
    asker: Asker,
    names: readonly string[],
    phase: FilterPhase,
  ): Promise<{ readonly found: readonly ToolDefinition[]; readonly unavailable: readonly string[] }> {
    const view = await this.view(asker, phase);
    const found = new Map<string, ToolDefinition>();
    const unavailable: string[] = [];
    for (const name of names) {
      const tool = view.find(name, asker.context.tenantId);
      if (tool) found.set(tool.name, tool);
      else unavailable.push(name);
    }
    return { found: [...found.values()], unavailable };
  }
}
