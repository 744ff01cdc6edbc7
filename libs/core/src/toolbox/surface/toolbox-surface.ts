import type { Caller } from '../../access/tool-gate.js';
import { eventIds } from '../../tool/tool-context.js';
import { hashNumber } from '../../json/stable-hash.js';
import type { CatalogSnapshot } from '../../tool/snapshot/catalog-snapshot.js';
import type { ToolDefinition } from '../../tool/tool-definition.js';
import type { ToolEvents } from '../../tool/tool-event.js';
import { wireName } from '../../tool/tool-name.js';
import { isToolSearchError } from '../../tool/tool-search.error.js';
import type { MetaToolSet } from '../meta-tools/meta-tool-set.js';
import type { CallRecorder } from '../record/tool-call-records.js';
import type { ToolFinder } from '../search/tool-finder.js';
import { languageName } from '../search/view-languages.js';
import type {
  StepLedger,
  DeferringMode,
  Exposure,
  LeftOutTool,
  ListedTool,
  Surface,
  SurfaceRequest,
} from './surface.js';
import type { ToolView } from '../tool-views.js';
import type { ToolboxRequest } from '../toolbox-request.js';

export interface SurfaceParts {
  readonly exposure: Exposure;
  readonly metaTools: MetaToolSet;
  readonly finder: ToolFinder;
  /** Counts the tokens that models are shown. */
  readonly ledger: StepLedger;
  readonly records: CallRecorder;
  readonly events: ToolEvents;
  /** Called where tools are held back, so that a search of them is to be expected. */
  readonly prepareSearch: (snapshot: CatalogSnapshot) => void;
}

/** Characters of the user's text that hints are searched with. */
const MAX_CHARS = 2000;

export class ToolboxSurface {
  /** Provider and name of the tools that were reported as left out. */
  #reported: Set<string> | undefined;

  constructor(
    private readonly parts: SurfaceParts,
    private readonly request: ToolboxRequest,
  ) {}

  async list(caller: Caller): Promise<readonly ListedTool[]> {
    const view = await this.request.view(caller);
    return this.request.run.listed(caller, view, this.request.shown.settled(caller, view).mode);
  }

  /** @throws ToolSearchError `INVALID_REQUEST` for an invalid mode */
  async surface(asked: SurfaceRequest, caller: Caller): Promise<Surface> {
    const view = await this.request.view(caller);
    const { mode, reason } = this.request.shown.settled(caller, view, asked);
    await this.request.run.beforeShowing(caller, view, asked.toolResults);
    const tools = await this.request.run.listed(caller, view, mode, asked.listsResultTool);
    await this.request.run.keep(caller, tools);
    this.request.shown.show(mode);
    if (mode !== 'all') this.parts.prepareSearch(view.snapshot);
    const { context } = caller;
    const run = this.request.run.stateOf(context);
    const surface: Surface = {
      // Computed on demand, because most callers do not read it.
      get revision() {
        return hashNumber(view.digest);
      },
      mode,
      reason,
      tools,
      meta: this.parts.metaTools.tools(
        mode,
        mode === 'all' ? undefined : languageName(this.parts.finder.languageOf(view, run)),
      ),
      wireNames: wireNamesOf(tools),
      prompt: mode === 'all' ? {} : await this.#prompt(asked, caller, mode),
    };
    const { ledger, records } = this.parts;
    const step = (run.step += 1);
    const names = tools.map(({ name }) => name);
    const counted = ledger.isOn(mode) && { definitions: tools.map(definitionOf) };
    records.note('shown', caller, { step, tools: names, reason: mode, ...counted });
    if (counted) ledger.shown({ context, run, visible: view.tools(), surface });
    return surface;
  }

  /** Emits an event for each tool that an adapter leaves out of requests, once per tool and toolbox. */
  async reportLeftOut(provider: string, tools: readonly LeftOutTool[]): Promise<void> {
    const reported = (this.#reported ??= new Set());
    const fresh = tools.filter(({ tool }) => !reported.has(`${provider} ${tool}`));
    if (fresh.length === 0) return;
    const { context } = await this.request.itself();
    for (const { tool, reason } of fresh) {
      const key = `${provider} ${tool}`;
      // Steps may be prepared in parallel.
      if (reported.has(key)) continue;
      reported.add(key);
      this.parts.events.emit({ type: 'tool.left_out', ...eventIds(context), provider, tool, reason });
    }
  }

  async #prompt({ text, naming }: SurfaceRequest, caller: Caller, mode: DeferringMode) {
    const view = (await this.request.view(caller, 'search')).forModels();
    const suggested = await this.#suggested(text, view);
    const metaNames = this.parts.metaTools.names(mode);
    const { context } = caller;
    return this.parts.exposure.prompt({ context, mode, visible: view.tools(), suggested, naming, metaNames });
  }

  /** Visible tools that match the user's text, for hints; empty where there is no text or hints are off. */
  async #suggested(text: string | undefined, view: ToolView): Promise<readonly ToolDefinition[]> {
    const { exposure, finder } = this.parts;
    const { topK, includeAlwaysLoaded, type } = exposure.hints;
    if (topK === 0 || text === undefined || text.trim() === '') return [];
    try {
      const request = { query: text.slice(0, MAX_CHARS), type, limit: topK, includeAlwaysLoaded };
      const { verdict, hits } = await finder.find(request, view);
      // Hints are unsolicited, and weak ones cost tokens at every step.
      return verdict === 'found' ? hits.map(({ tool }) => tool) : [];
    } catch (error) {
      // The user's text is not a valid query: return no hints instead of failing the turn.
      if (isToolSearchError(error)) return [];
      throw error;
    }
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

function definitionOf({ definition }: ListedTool): ToolDefinition {
  return definition;
}
