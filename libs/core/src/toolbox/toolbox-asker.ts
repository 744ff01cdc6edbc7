import type { FilterPhase, Narrowing } from '../access/narrowing.js';
import type { Asker } from '../access/tool-gate.js';
import type { ToolContext } from '../tool/tool-context.js';
import type { ToolDefinition } from '../tool/tool-definition.js';
import { derivedAsker } from './derived-asker.js';
import type { ToolView, ViewMemo } from './tool-views.js';
import type { ToolboxServices } from './toolbox-services.js';

/** Who asks through one toolbox, and what they see of the catalog. */
export class ToolboxAsker {
  readonly #memo: ViewMemo = {};
  #root: Promise<ToolContext> | undefined;
  #asker: Promise<Asker> | undefined;

  constructor(
    private readonly services: ToolboxServices,
    /** Asked once, at the first use: guards have run by then. */
    private readonly contextOf: () => ToolContext | Promise<ToolContext>,
    /** The steps by which the toolbox was narrowed, the outermost first. */
    private readonly lineage: readonly Narrowing[],
  ) {}

  /** The context before any narrowing. */
  root(): Promise<ToolContext> {
    this.#root ??= (async () => this.contextOf())();
    return this.#root;
  }

  /** Who is asking, for what needs no tool. */
  itself(): Promise<Asker> {
    this.#asker ??= this.root().then((root) => derivedAsker(root, this.lineage, this.services.onDerived));
    return this.#asker;
  }

  /** Who is asking, for whatever is done: all of it comes by here, and finds the tenant's own sources in the catalog. */
  who(): Promise<Asker> {
    const { tenantSources } = this.services;
    if (!tenantSources) return this.itself();
    return this.itself().then(async (asker) => {
      await tenantSources.ready(asker.context);
      return asker;
    });
  }

  /** What is visible now. @throws ToolSearchError `GATE_CLOSED` */
  view(asker: Asker, phase: FilterPhase = 'active'): Promise<ToolView> {
    return this.services.views.current(asker, this.#memo, phase);
  }

  /** What operators decided that concerns the caller, as `ToolGate.rulesOn` counts it. @throws ToolSearchError `GATE_CLOSED` */
  async rules(asker: Asker): Promise<number> {
    const { gate, views } = this.services;
    return gate.rulesOn((await views.lasting(asker, this.#memo)).tools(), asker);
  }

  /** Parts names into visible tools, each once, and those that mean nothing to this caller. */
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
