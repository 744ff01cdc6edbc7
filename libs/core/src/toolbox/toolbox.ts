import { type Narrowing, narrowing, type NarrowOptions, narrowingRefusal } from '../access/narrowing.js';
import type { ToolCatalog } from '../catalog/tool-catalog.js';
import type { JsonSchema } from '../json/json.js';
import type { MetaKind } from '../tool/meta-names.js';
import type { ToolContext } from '../tool/tool-context.js';
import { isForApps } from '../tool/app-metadata.js';
import type { ToolDefinition } from '../tool/tool-definition.js';
import type { ToolResult } from '../tool/tool-result.js';
import type { ToolSource } from '../tool/tool-source.js';
import { call, type ModelCallServices } from './call/call.js';
import type { CallOptions } from './call/call-options.js';
import { admitWork, anyToolOf, type HeldTool, holdWork, type WorkOptions } from './call/hold.js';
import { WorkArguments } from './call/work-arguments.js';
import { explain, type Explanation } from './explanation.js';
import { itemCatalog } from './items/item-catalog.js';
import { type ItemServices, ToolboxItems } from './items/toolbox-items.js';
import type {
  ActivateReply,
  CompactReply,
  GetReply,
  PauseReceipt,
  ResumeReply,
  RunState,
  SearchReply,
} from './meta-tools/replies.js';
import { type Preflight, preflight } from './profiles/preflight.js';
import type { ResumeOptions, RunPauses } from './runs/run-pauses.js';
import type { DescribeOptions } from './search/described-tool.js';
import { activateTools, getTools } from './search/found-tools.js';
import type { SearchRequest } from './search/search-request.js';
import { searchTools } from './search/toolbox-search.js';
import type { ExposureChoice, LeftOutTool, ListedTool, Surface, SurfaceRequest } from './surface/surface.js';
import { type SurfaceParts, ToolboxSurface } from './surface/toolbox-surface.js';
import { ownedBy } from './tenants/owned-source.js';
import { ToolboxRequest } from './toolbox-request.js';

/** Services of the runtime that toolboxes use, each declared beside what uses it. */
export interface ToolboxParts extends ModelCallServices, ItemServices, SurfaceParts {
  readonly catalog: ToolCatalog;
  readonly pauses: RunPauses;
}

/** Options of {@link Toolbox.admit}. */
export interface AdmitOptions extends WorkOptions {
  /** Whether the work begins now, which uses up an approval for one call. `false`: {@link Toolbox.hold} follows. @default true */
  readonly claims?: boolean;
}

/**
 * One request's tools: search, read, activate and call them. Its only state is the context and the offers of this
 * request, so many toolboxes may be open at once, and several calls of one toolbox may run in parallel.
 */
export class Toolbox {
  readonly #request: ToolboxRequest;
  #items: ToolboxItems | undefined;
  #surface: ToolboxSurface | undefined;
  #owesClaim = false;

  constructor(
    private readonly parts: ToolboxParts,
    /** Called once, at the first use: guards have run by then. */
    contextOf: () => ToolContext | Promise<ToolContext>,
    /** The steps by which this toolbox was narrowed, outermost first. */
    readonly lineage: readonly Narrowing[] = [],
    /** How it is shown, unless a step overrides it. @default the setting of the context and the module */
    private readonly exposure?: ExposureChoice,
    /** Whether it is for a host of MCP Apps: see {@link forAppHost}. */
    readonly opensApps = false,
  ) {
    this.#request = new ToolboxRequest(parts, contextOf, lineage, exposure, opensApps);
  }

  /** Resources, resource templates and prompts: governed like tools, and never part of what a model sees. */
  get items(): ToolboxItems {
    return (this.#items ??= new ToolboxItems(this.parts, this.#request));
  }

  get #shownSurface(): ToolboxSurface {
    return (this.#surface ??= new ToolboxSurface(this.parts, this.#request));
  }

  /** Names and kinds of the meta tools of all modes. These names are reserved: no catalog tool has one of them. */
  get metaKinds(): ReadonlyMap<string, MetaKind> {
    return this.parts.metaTools.kinds;
  }

  /** The caller's context. Rejects when the application's `context` option failed: no context, no tools. */
  async context(): Promise<ToolContext> {
    return (await this.#request.itself()).context;
  }

  /**
   * Returns a toolbox with fewer tools, for a sub-agent or for a caller with an additional filter. It cannot be widened
   * again: it keeps every rule of this toolbox and of the parent agents. It has its own offers and activations, except
   * with a `filter` and neither `agentId` nor `runId`: then it shares those of the caller's session or named run.
   *
   * @throws ToolSearchError `INVALID_CONFIGURATION` for an unknown field, or a glob that no name could match
   */
  narrow(options: NarrowOptions): Toolbox {
    const lineage = [...this.lineage, narrowing(options)];
    return new Toolbox(this.parts, () => this.#request.root(), lineage, this.exposure, this.opensApps);
  }

  /**
   * Returns the toolbox for a host of MCP Apps, which lists every tool by its name: with the tools that servers offer to their
   * pages alone, and with the pages that its tools name. The host must keep such tools from its model; searches do not find them.
   */
  forAppHost(): Toolbox {
    return new Toolbox(this.parts, () => this.#request.root(), this.lineage, this.exposure, true);
  }

  /**
   * Returns a toolbox with additional tools for this request only, for example tools that hold the caller's
   * credentials. They are authorized, found and activated like all others; a name that is already in use keeps its
   * tool. The sources are loaded once, and the caller must close them.
   *
   * @throws ToolSearchError `INVALID_CONFIGURATION` where the search engine does not support additional tools
   */
  async with(...sources: readonly ToolSource[]): Promise<Toolbox> {
    const { tenantId } = (await this.#request.who()).context;
    const { catalog, views } = this.parts;
    const own = sources.map((source) => ownedBy(source, tenantId));
    const reader = await catalog.withTools(tenantId, own, this.parts.reader);
    const parts = { ...this.parts, reader, views: views.over(reader), items: itemCatalog(reader, views) };
    return new Toolbox(parts, () => this.#request.root(), this.lineage, this.exposure, this.opensApps);
  }

  /** All visible tools, listed or not, in catalog order. */
  async visible(): Promise<readonly ToolDefinition[]> {
    return (await this.#request.view(await this.#request.who(), 'search')).tools();
  }

  /**
   * Names and aliases of the catalog's tools that this caller cannot see now. For code that offers other tools beside the
   * toolbox and must tell them from hidden ones. Never show them to a model: to it, a hidden tool is an unknown tool. The
   * tools of other tenants are not among them.
   */
  async hiddenNames(): Promise<readonly string[]> {
    const caller = await this.#request.who();
    return (await this.#request.view(caller, 'search')).hiddenNames(caller.context.tenantId);
  }

  /** The model's list now: all visible tools, or those that are always loaded, offered or activated. */
  async list(): Promise<readonly ListedTool[]> {
    return this.#shownSurface.list(await this.#request.who());
  }

  /**
   * Everything a model needs at one step: tools, meta tools, wire names and prompt parts.
   *
   * @throws ToolSearchError `INVALID_REQUEST` for an invalid mode
   */
  async surface(request: SurfaceRequest = {}): Promise<Surface> {
    return this.#shownSurface.surface(request, await this.#request.who());
  }

  /** Finds tools by capability among the visible ones. @throws ToolSearchError for an invalid request */
  search(request: SearchRequest): Promise<SearchReply> {
    return searchTools(this.#request, this.parts, request);
  }

  /**
   * Full definitions of visible tools, by exact name.
   *
   * @throws ToolSearchError `TOOL_NOT_AVAILABLE` when none of the names is visible; a code for an invalid list of names
   */
  get(names: readonly string[], options: DescribeOptions = {}): Promise<GetReply> {
    return getTools(this.#request, this.parts, names, options);
  }

  /**
   * Activates visible tools for the run or session.
   *
   * @throws ToolSearchError `ACTIVATION_LIMIT` when there is no room for any of them; `APPROVAL_REQUIRED`,
   *   `APPROVAL_PENDING` or `APPROVAL_REFUSED` when every tool waits for an approval
   */
  activate(names: readonly string[]): Promise<ActivateReply> {
    return activateTools(this.#request, this.parts, names);
  }

  /**
   * Calls a tool, by canonical name or alias, or a meta tool. A model's errors are returned as failures; the promise
   * rejects only when the context cannot be created. A result with too many tokens for a model is shortened, unless
   * `options.whole` is set.
   */
  call(name: string, input: unknown, options: CallOptions = {}): Promise<ToolResult> {
    return call({ request: this.#request, name, input, options }, this.parts);
  }

  /**
   * Makes the same decision as {@link call}, for code that does the tool's work itself: resolves when the tool may be
   * called now. Rules on arguments and call policies look at `options.arguments`, and may ask for an approval; without them,
   * a tool that one of them is about is refused. An approval for one call is used up here, so call this just before the work
   * begins.
   *
   * @throws ToolSearchError `TOOL_NOT_AVAILABLE`, `ARGUMENTS_NOT_ALLOWED`, `GATE_CLOSED`, `STORE_UNAVAILABLE`, or the code
   *   of a missing approval
   */
  admit(name: string, { claims = true, arguments: input }: AdmitOptions = {}): Promise<ToolDefinition> {
    return this.#admit(name, new WorkArguments(input), claims);
  }

  async #admit(name: string, work: WorkArguments, claims: boolean): Promise<ToolDefinition> {
    const { tool, approval } = await admitWork(this.#request, name, work, claims, this.parts);
    this.#owesClaim ||= !claims && approval !== undefined;
    return tool;
  }

  /** Whether `admit` with `claims: false` has found an approval that {@link hold} must use up before the work begins. */
  get owesClaim(): boolean {
    return this.#owesClaim;
  }

  /**
   * {@link admit} for one of several tools: the first visible one that needs no approval, else the first visible one. One for
   * which a rule on arguments asks for an approval comes before all others.
   *
   * @throws ToolSearchError as {@link admit}, where none of them may be called
   */
  async admitAny(
    matches: (tool: ToolDefinition) => boolean,
    { claims = true, arguments: input }: AdmitOptions = {},
  ): Promise<ToolDefinition> {
    const work = new WorkArguments(input);
    return this.#admit(await anyToolOf(this.#request, matches, work, this.parts), work, claims);
  }

  /**
   * {@link admit}, and counts the work as a call of the tool: takes its limits until `end()`. Reserved tokens and costs
   * stay counted, because there is no result to count.
   *
   * @param required a name, or a test as of {@link admitAny}
   * @throws ToolSearchError as {@link admit}, and `LIMIT_REACHED`
   */
  async hold(
    required: string | ((tool: ToolDefinition) => boolean),
    { arguments: input }: WorkOptions = {},
  ): Promise<HeldTool> {
    const work = new WorkArguments(input);
    const name = typeof required === 'string' ? required : await anyToolOf(this.#request, required, work, this.parts);
    return holdWork(this.#request, name, work, this.parts);
  }

  /** Emits an event for each tool that a provider would refuse and that its adapter omits; once per tool. */
  reportLeftOut(provider: string, tools: readonly LeftOutTool[]): Promise<void> {
    return this.#shownSurface.reportLeftOut(provider, tools);
  }

  /**
   * The output schema that all results of a tool keep. Undefined for a tool whose results may be shortened, so that they
   * have no structured content, or redacted, and where the application has interceptors, which may rewrite any result.
   */
  outputSchemaOf(tool: ToolDefinition): JsonSchema | undefined {
    const { results, redaction, interceptors } = this.parts;
    const mayChange = results?.mayShorten(tool) || redaction?.covers(tool.name) || interceptors().length > 0;
    return mayChange ? undefined : tool.outputSchema;
  }

  /**
   * Explains why this context may or may not use a tool or context item. For operators: hidden facts are in it.
   *
   * @param options `arguments` of a call, for the rules on arguments and call policies. @default it says which look at them
   * @throws ToolSearchError `GATE_CLOSED`, `STORE_UNAVAILABLE`; `INVALID_ARGUMENTS` and `ARGUMENTS_TOO_LARGE` if a rule or call
   *   policy looks at arguments that a call could not have
   */
  async explain(name: string, options: WorkOptions = {}): Promise<Explanation> {
    const item = await this.items.explain(name, options);
    if (item) return item;
    const caller = await this.#request.who();
    const { mode } = this.#request.shown.settled(caller, await this.#request.view(caller));
    return explain(this.#request, name, mode === 'all', this.parts, options);
  }

  /**
   * Which of the tools that an agent needs this context can call now, without calling one. For operators, like
   * {@link explain}. A glob stands for all tools that match and that this toolbox was not narrowed by.
   *
   * @param needs names and globs
   * @throws ToolSearchError `INVALID_REQUEST`, `GATE_CLOSED`, `STORE_UNAVAILABLE`
   */
  async preflight(needs: readonly string[]): Promise<Preflight> {
    const { tenantId } = (await this.#request.who()).context;
    const isIncluded = (tool: ToolDefinition) =>
      narrowingRefusal(this.lineage, tool) === undefined && (this.opensApps || !isForApps(tool));
    const explain = (name: string) => this.explain(name);
    return preflight(needs, { reader: this.parts.reader, tenantId, isIncluded, explain });
  }

  /**
   * The activations and offers of this run or session, for programs. `ToolActivations` covers several runs.
   *
   * @throws ToolSearchError `GATE_CLOSED`, `STORE_UNAVAILABLE`, `SESSION_REQUIRED`
   */
  async state(): Promise<RunState> {
    const caller = await this.#request.who();
    return this.#request.run.state(caller, await this.#request.view(caller));
  }

  /**
   * Starts over: revokes all activations of this run or session and withdraws all offers of this run, also for tools
   * that are hidden now. Returns the number of activations revoked.
   *
   * @throws ToolSearchError `STORE_UNAVAILABLE`, `SESSION_REQUIRED`
   */
  async clearState(): Promise<number> {
    return this.#request.run.clear(await this.#request.who());
  }

  /**
   * Demotes the least recently used tools where `activation.whenFull` is `demote` and the run or session is more than
   * three quarters full. Call it when the provider's prompt cache is lost anyway: after a conversation was summarized,
   * or when a new turn starts.
   *
   * @throws ToolSearchError `GATE_CLOSED`, `STORE_UNAVAILABLE`
   */
  async compact(): Promise<CompactReply> {
    const caller = await this.#request.who();
    return { demoted: await this.#request.run.makeRoom(caller, await this.#request.view(caller)) };
  }

  /**
   * Saves the tools that this run has in use, so that it can be resumed on any instance.
   *
   * @throws ToolSearchError `INVALID_SESSION` for a run without an id, `GATE_CLOSED`, `STORE_UNAVAILABLE`
   */
  async pause(): Promise<PauseReceipt> {
    const caller = await this.#request.who();
    const view = await this.#request.view(caller);
    const run = this.#request.run.inPlay(caller, view, await this.#request.rules(caller));
    return this.parts.pauses.pause(run, await this.#request.run.listed(caller, view, 'deferred'));
  }

  /**
   * Restores the saved tools of this run, as far as they are visible and unchanged.
   *
   * @throws ToolSearchError as {@link pause}, `RUN_NOT_FOUND`, and `RUN_DRIFTED` with `onDrift: 'fail'`: then nothing
   *   is restored
   */
  async resume(options: ResumeOptions = {}): Promise<ResumeReply> {
    const caller = await this.#request.who();
    const view = await this.#request.view(caller);
    return this.parts.pauses.resume(this.#request.run.inPlay(caller, view, await this.#request.rules(caller)), options);
  }
}
