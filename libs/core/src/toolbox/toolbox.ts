import { type Narrowing, narrowing, type NarrowOptions, narrowingRefusal } from '../access/narrowing.js';
import type { JsonSchema } from '../json/json.js';
import type { Caller } from '../access/tool-gate.js';
import type { CallTrace } from './record/call-trace.js';
import type { ToolContext } from '../tool/tool-context.js';
import type { ToolDefinition } from '../tool/tool-definition.js';
import type { ToolResult } from '../tool/tool-result.js';
import type { ToolSource } from '../tool/tool-source.js';
import type { ToolCatalog } from '../catalog/tool-catalog.js';
import { Admission, type AdmissionParts, type HeldTool } from './calls/admission.js';
import type { DescribeOptions } from './search/described-tool.js';
import type { Explanation } from './explanation.js';
import { FoundTools, type FoundParts } from './search/found-tools.js';
import { MetaCalls, type MetaParts } from './meta-tools/meta-calls.js';
import type { MetaKind } from './meta-tools/meta-tool-spec.js';
import { ownedBy } from './tenants/owned-source.js';
import { unavailableError } from './calls/call-errors.js';
import type {
  ActivateReply,
  CompactReply,
  GetReply,
  PauseReceipt,
  ResumeReply,
  RunState,
  SearchReply,
} from './meta-tools/replies.js';
import { type ReadingParts, ResultReading } from './results/result-reading.js';
import type { ResumeOptions, RunPauses } from './runs/run-pauses.js';
import { type RunParts, RunTools } from './runs/run-tools.js';
import type { SearchRequest } from './search/search-request.js';
import type { ExposureChoice, LeftOutTool, ListedTool, Surface, SurfaceRequest } from './surface/surface.js';
import type { CallOptions } from './calls/tool-runner.js';
import { ShownMode } from './surface/shown-mode.js';
import { type Preflight, preflight } from './profiles/preflight.js';
import { itemCatalog } from './items/item-catalog.js';
import { type ItemParts, ToolboxItems } from './items/toolbox-items.js';
import { type CallerParts, ToolboxCaller } from './toolbox-caller.js';
import { type CallParts, ToolboxCalls } from './calls/toolbox-calls.js';
import { type SearchParts, ToolboxSearch } from './search/toolbox-search.js';
import { type SurfaceParts, ToolboxSurface } from './surface/toolbox-surface.js';

/** Services of the runtime that toolboxes use: those of their parts, each declared beside it. */
export interface ToolboxParts
  extends
    CallerParts,
    AdmissionParts,
    RunParts,
    SearchParts,
    FoundParts,
    MetaParts,
    SurfaceParts,
    CallParts,
    ItemParts,
    ReadingParts {
  readonly catalog: ToolCatalog;
  readonly pauses: RunPauses;
}

/**
 * One request's tools: search, read, activate and call them. Its only state is the context and the offers of this
 * request, so many toolboxes may be open at once, and several calls of one toolbox may run in parallel.
 */
export class Toolbox {
  /** Resources, resource templates and prompts: governed like tools, and never part of what a model sees. */
  readonly items: ToolboxItems;
  readonly #caller: ToolboxCaller;
  readonly #run: RunTools;
  readonly #shown: ShownMode;
  readonly #admission: Admission;
  readonly #searches: ToolboxSearch;
  readonly #found: FoundTools;
  readonly #metaCalls: MetaCalls;
  readonly #surface: ToolboxSurface;
  readonly #calls: ToolboxCalls;

  constructor(
    private readonly parts: ToolboxParts,
    /** Called once, at the first use: guards have run by then. */
    contextOf: () => ToolContext | Promise<ToolContext>,
    /** The steps by which this toolbox was narrowed, outermost first. */
    readonly lineage: readonly Narrowing[] = [],
    /** How it is shown, unless a step overrides it. @default the setting of the context and the module */
    private readonly exposure?: ExposureChoice,
  ) {
    const caller = (this.#caller = new ToolboxCaller(parts, contextOf, lineage));
    const run = (this.#run = new RunTools(parts));
    const admission = (this.#admission = new Admission(parts, run, caller));
    const shown = (this.#shown = new ShownMode(parts.exposure, exposure, caller));
    const found = (this.#found = new FoundTools(parts, caller, run, admission, shown));
    const searches = (this.#searches = new ToolboxSearch(parts, run, admission, caller, shown));
    const meta = (this.#metaCalls = new MetaCalls(parts, searches, found, new ResultReading(parts, caller, admission)));
    this.#surface = new ToolboxSurface(parts, run, meta, shown, caller);
    this.#calls = new ToolboxCalls(parts, caller, run, admission, shown, meta);
    this.items = new ToolboxItems(parts, caller, run, lineage);
  }

  /** Names and kinds of the meta tools of all modes. These names are reserved: no catalog tool has one of them. */
  get metaKinds(): ReadonlyMap<string, MetaKind> {
    return this.#metaCalls.kinds;
  }

  /** The caller's context. Rejects when the application's `context` option failed: no context, no tools. */
  async context(): Promise<ToolContext> {
    return (await this.#caller.itself()).context;
  }

  /**
   * Returns a toolbox with fewer tools, for a sub-agent or for a caller with an additional filter. It cannot be widened
   * again: it keeps every rule of this toolbox and of the parent agents. It has its own offers and activations, except
   * with a `filter` and neither `agentId` nor `runId`: then it shares those of the caller's session or named run.
   *
   * @throws ToolSearchError `INVALID_CONFIGURATION` for an unknown field, or a glob that no name could match
   */
  narrow(options: NarrowOptions): Toolbox {
    return new Toolbox(this.parts, () => this.#caller.root(), [...this.lineage, narrowing(options)], this.exposure);
  }

  /**
   * Returns a toolbox with additional tools for this request only, for example tools that hold the caller's
   * credentials. They are authorized, found and activated like all others; a name that is already in use keeps its
   * tool. The sources are loaded once, and the caller must close them.
   *
   * @throws ToolSearchError `INVALID_CONFIGURATION` where the search engine does not support additional tools
   */
  async with(...sources: readonly ToolSource[]): Promise<Toolbox> {
    const { tenantId } = (await this.#caller.who()).context;
    const { catalog, views } = this.parts;
    const own = sources.map((source) => ownedBy(source, tenantId));
    const reader = await catalog.withTools(tenantId, own, this.parts.reader);
    const parts = { ...this.parts, reader, views: views.over(reader), items: itemCatalog(reader, views) };
    return new Toolbox(parts, () => this.#caller.root(), this.lineage, this.exposure);
  }

  /** All visible tools, listed or not, in catalog order. */
  async visible(): Promise<readonly ToolDefinition[]> {
    return (await this.#caller.view(await this.#caller.who(), 'search')).tools();
  }

  /** The model's list now: all visible tools, or those that are always loaded, offered or activated. */
  async list(): Promise<readonly ListedTool[]> {
    return this.#surface.list(await this.#caller.who());
  }

  /**
   * Everything a model needs at one step: tools, meta tools, wire names and prompt parts.
   *
   * @throws ToolSearchError `INVALID_REQUEST` for an invalid mode
   */
  async surface(request: SurfaceRequest = {}): Promise<Surface> {
    return this.#surface.surface(request, await this.#caller.who());
  }

  /** Finds tools by capability among the visible ones. @throws ToolSearchError for an invalid request */
  search(request: SearchRequest): Promise<SearchReply> {
    return this.#searches.search(request);
  }

  /**
   * Full definitions of visible tools, by exact name.
   *
   * @throws ToolSearchError `TOOL_NOT_AVAILABLE` when none of the names is visible; a code for an invalid list of names
   */
  get(names: readonly string[], options: DescribeOptions = {}): Promise<GetReply> {
    return this.#found.get(names, options);
  }

  /**
   * Activates visible tools for the run or session.
   *
   * @throws ToolSearchError `ACTIVATION_LIMIT` when there is no room for any of them; `APPROVAL_REQUIRED`,
   *   `APPROVAL_PENDING` or `APPROVAL_REFUSED` when every tool waits for an approval
   */
  activate(names: readonly string[]): Promise<ActivateReply> {
    return this.#found.activate(names);
  }

  /**
   * Calls a tool, by canonical name or alias, or a meta tool. A model's errors are returned as failures; the promise
   * rejects only when the context cannot be created. A result with too many tokens for a model is shortened, unless
   * `options.whole` is set.
   */
  call(name: string, input: unknown, options: CallOptions = {}): Promise<ToolResult> {
    return this.#calls.call(name, input, options);
  }

  /**
   * Makes the same decision as {@link call}, for code that does the tool's work itself: resolves when the tool may be
   * called now.
   *
   * @throws ToolSearchError `TOOL_NOT_AVAILABLE`, `GATE_CLOSED`, `STORE_UNAVAILABLE`, or the code of a missing approval
   */
  async admit(name: string): Promise<ToolDefinition> {
    return this.#recorded(async (caller, trace) => {
      const admitted = await this.#admission.admitted(name, caller, trace);
      // There is no later check before the work begins, and the decision took time.
      if (!admitted?.mayRun()) throw unavailableError();
      return admitted.tool;
    });
  }

  /**
   * {@link admit} for one of several tools: the first visible one that needs no approval, else the first visible one.
   *
   * @throws ToolSearchError as {@link admit}, where none of them may be called
   */
  async admitAny(matches: (tool: ToolDefinition) => boolean): Promise<ToolDefinition> {
    return this.admit((await this.#anyOf(matches)).name);
  }

  async #anyOf(matches: (tool: ToolDefinition) => boolean): Promise<ToolDefinition> {
    const caller = await this.#caller.who();
    const tools = (await this.#caller.view(caller)).tools().filter(matches);
    const tool = tools.find((each) => !this.#admission.needsApproval(each, caller)) ?? tools[0];
    if (!tool) throw unavailableError();
    return tool;
  }

  /**
   * {@link admit}, and counts the work as a call of the tool: takes its limits until `end()`. Reserved tokens and costs
   * stay counted, because there is no result to count.
   *
   * @param required a name, or a test as of {@link admitAny}
   * @throws ToolSearchError as {@link admit}, and `LIMIT_REACHED`
   */
  async hold(required: string | ((tool: ToolDefinition) => boolean)): Promise<HeldTool> {
    const name = typeof required === 'string' ? required : (await this.#anyOf(required)).name;
    return this.#recorded((caller, trace) => this.#admission.held(name, caller, trace));
  }

  async #recorded<T>(work: (caller: Caller, trace?: CallTrace) => Promise<T>): Promise<T> {
    const caller = await this.#caller.who();
    const step = () => this.#run.shelf(caller.context).step;
    return this.parts.records.admission(caller, step, (trace) => work(caller, trace));
  }

  /** Emits an event for each tool that a provider would refuse and that its adapter omits; once per tool. */
  reportLeftOut(provider: string, tools: readonly LeftOutTool[]): Promise<void> {
    return this.#surface.reportLeftOut(provider, tools);
  }

  /**
   * The output schema that all results of a tool keep. Undefined for a tool whose results may be shortened, so that they
   * have no structured content, or redacted.
   */
  outputSchemaOf(tool: ToolDefinition): JsonSchema | undefined {
    const { results, redaction } = this.parts;
    return results?.mayShorten(tool) || redaction?.covers(tool.name) ? undefined : tool.outputSchema;
  }

  /** Explains why this context may or may not use a tool or context item. For operators: hidden facts are in it. */
  async explain(name: string): Promise<Explanation> {
    const item = await this.items.explain(name);
    if (item) return item;
    const caller = await this.#caller.who();
    const { mode } = this.#shown.settled(caller, await this.#caller.view(caller));
    return this.#admission.explain(name, caller, mode === 'all');
  }

  /**
   * Which of the tools that an agent needs this context can call now, without calling one. For operators, like
   * {@link explain}. A glob stands for all tools that match and that this toolbox was not narrowed by.
   *
   * @param needs names and globs
   * @throws ToolSearchError `INVALID_REQUEST`, `GATE_CLOSED`, `STORE_UNAVAILABLE`
   */
  async preflight(needs: readonly string[]): Promise<Preflight> {
    const { tenantId } = (await this.#caller.who()).context;
    const isMeant = (tool: ToolDefinition) => narrowingRefusal(this.lineage, tool) === undefined;
    const explain = (name: string) => this.explain(name);
    return preflight(needs, { reader: this.parts.reader, tenantId, isMeant, explain });
  }

  /**
   * The activations and offers of this run or session, for programs. `ToolActivations` covers several runs.
   *
   * @throws ToolSearchError `GATE_CLOSED`, `STORE_UNAVAILABLE`, `SESSION_REQUIRED`
   */
  async state(): Promise<RunState> {
    const caller = await this.#caller.who();
    return this.#run.state(caller, await this.#caller.view(caller));
  }

  /**
   * Starts over: revokes all activations of this run or session and withdraws all offers of this run, also for tools
   * that are hidden now. Returns the number of activations revoked.
   *
   * @throws ToolSearchError `STORE_UNAVAILABLE`, `SESSION_REQUIRED`
   */
  async clearState(): Promise<number> {
    return this.#run.clear(await this.#caller.who());
  }

  /**
   * Demotes the least recently used tools where `activation.whenFull` is `demote` and the run or session is more than
   * three quarters full. Call it when the provider's prompt cache is lost anyway: after a conversation was summarized,
   * or when a new turn starts.
   *
   * @throws ToolSearchError `GATE_CLOSED`, `STORE_UNAVAILABLE`
   */
  async compact(): Promise<CompactReply> {
    const caller = await this.#caller.who();
    return { demoted: await this.#run.makeRoom(caller, await this.#caller.view(caller)) };
  }

  /**
   * Saves the tools that this run has in use, so that it can be resumed on any instance.
   *
   * @throws ToolSearchError `INVALID_SESSION` for a run without an id, `GATE_CLOSED`, `STORE_UNAVAILABLE`
   */
  async pause(): Promise<PauseReceipt> {
    const caller = await this.#caller.who();
    const view = await this.#caller.view(caller);
    const run = this.#run.inPlay(caller, view, await this.#caller.rules(caller));
    return this.parts.pauses.pause(run, await this.#run.listed(caller, view, 'deferred'));
  }

  /**
   * Restores the saved tools of this run, as far as they are visible and unchanged.
   *
   * @throws ToolSearchError as {@link pause}, `RUN_NOT_FOUND`, and `RUN_DRIFTED` with `onDrift: 'fail'`: then nothing
   *   is restored
   */
  async resume(options: ResumeOptions = {}): Promise<ResumeReply> {
    const caller = await this.#caller.who();
    const view = await this.#caller.view(caller);
    return this.parts.pauses.resume(this.#run.inPlay(caller, view, await this.#caller.rules(caller)), options);
  }
}
