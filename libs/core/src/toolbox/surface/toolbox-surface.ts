import type { Caller } from '../../access/tool-gate.js';
import { hashNumber } from '../../json/stable-hash.js';
import type { ToolDefinition } from '../../tool/tool-definition.js';
import { wireName } from '../../tool/tool-name.js';
import type { MetaCalls } from '../meta-tools/meta-calls.js';
import type { RunTools } from '../runs/run-tools.js';
import { suggestedTools } from '../search/suggested-tools.js';
import type { ExposureChoice, ExposureMode, ListedTool, SettledExposure, Surface, SurfaceRequest } from './surface.js';
import type { ToolView } from '../tool-views.js';
import type { ToolboxCaller } from '../toolbox-caller.js';
import type { ToolboxServices } from '../toolbox-services.js';

/** The surface of one toolbox at each step. */
export class ToolboxSurface {
  #shown: ExposureMode | undefined;

  constructor(
    private readonly services: ToolboxServices,
    private readonly run: RunTools,
    private readonly metaCalls: MetaCalls,
    /** The setting with which the toolbox was opened. */
    private readonly own: ExposureChoice | undefined,
    private readonly caller: ToolboxCaller,
  ) {}

  async list(caller: Caller): Promise<readonly ListedTool[]> {
    const view = await this.caller.view(caller);
    return this.run.listed(caller, view, this.settled(caller, view).mode);
  }

  /** @throws ToolSearchError `INVALID_REQUEST` for an invalid mode */
  async surface(request: SurfaceRequest, caller: Caller): Promise<Surface> {
    const view = await this.caller.view(caller);
    const { mode, reason } = this.settled(caller, view, request);
    await this.run.beforeShowing(caller, view, request.toolResults);
    const tools = await this.run.listed(caller, view, mode);
    this.#shown = mode;
    const surface: Surface = {
      // Computed on demand, because most callers do not read it.
      get revision() {
        return hashNumber(view.digest);
      },
      mode,
      reason,
      tools,
      meta: this.metaCalls.tools(mode),
      wireNames: wireNamesOf(tools),
      prompt: mode === 'all' ? {} : await this.#prompt(request, caller, mode),
    };
    const { ledger } = this.services;
    const { context } = caller;
    if (ledger.isOn(mode)) ledger.shown({ context, run: this.run.shelf(context), visible: view.tools(), surface });
    return surface;
  }

  /** The mode that was shown last; before the first surface, the mode that would be shown. */
  shownMode({ context }: Caller): ExposureMode {
    return this.#shown ?? this.services.exposure.assumed(context, this.own);
  }

  settled({ context }: Caller, view: ToolView, request: SurfaceRequest = {}): SettledExposure {
    return this.services.exposure.settle(request, context, this.own, view.tools());
  }

  async #prompt({ text, naming }: SurfaceRequest, caller: Caller, mode: Exclude<Surface['mode'], 'all'>) {
    const view = await this.caller.view(caller, 'search');
    const suggested = await suggestedTools(this.services, text, view);
    const metaNames = this.metaCalls.names(mode);
    const { context } = caller;
    return this.services.exposure.prompt({ context, mode, visible: view.tools(), suggested, naming, metaNames });
  }
}

// Requests share definitions, and complete lists where everything is listed, so their wire names are cached.
const ofTool = new WeakMap<ToolDefinition, string>();
const ofList = new WeakMap<readonly ListedTool[], ReadonlyMap<string, string>>();

function wireNamesOf(tools: readonly ListedTool[]): ReadonlyMap<string, string> {
  let names = ofList.get(tools);
  if (!names) ofList.set(tools, (names = new Map(tools.map(({ name, definition }) => [name, wireNameOf(definition)]))));
  return names;
}

function wireNameOf(tool: ToolDefinition): string {
  let name = ofTool.get(tool);
  if (name === undefined) ofTool.set(tool, (name = wireName(tool.name)));
  return name;
}
