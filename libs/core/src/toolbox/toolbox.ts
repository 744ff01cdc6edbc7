import { randomUUID } from 'node:crypto';
import { type FilterPhase, type Narrowing, narrowing, type NarrowOptions } from '../access/narrowing.js';
import type { Asker } from '../access/tool-gate.js';
import { principalOf } from '../tool/principal.js';
import type { ToolContext } from '../tool/tool-context.js';
import type { ToolDefinition } from '../tool/tool-definition.js';
import { failureOf, notAvailable, type ToolResult } from '../tool/tool-result.js';
import { isToolSearchError, ToolSearchError } from '../tool/tool-search.error.js';
import type { ToolSource } from '../tool/tool-source.js';
import { Admission } from './admission.js';
import { derivedAsker } from './derived-asker.js';
import { type DescribeOptions, describeTool } from './described-tool.js';
import type { Explanation } from './explanation.js';
import { MetaCalls } from './meta-calls.js';
import type { MetaKind, WrappedCall } from './meta-tool-spec.js';
import { boundedNames } from './name-bounds.js';
import { learnFromCall } from './remember-searches.js';
import type {
  ActivateReply,
  CompactReply,
  GetReply,
  PauseReceipt,
  ResumeReply,
  RunState,
  SearchReply,
} from './replies.js';
import type { ResumeOptions } from './run-pauses.js';
import { ownedBy } from './owned-source.js';
import { type Activated, RunTools } from './run-tools.js';
import type { DescriptionLine } from './search-reply.js';
import type { SearchRequest } from './search-request.js';
import type { ExposureChoice, LeftOutTool, ListedTool, Surface, SurfaceRequest } from './surface.js';
import type { CallOptions } from './tool-runner.js';
import { type ToolView, ToolViews, type ViewMemo } from './tool-views.js';
import { ToolboxSearch } from './toolbox-search.js';
import { ToolboxSurface } from './toolbox-surface.js';
import type { ToolboxServices } from './toolbox-services.js';
import { tracedCall, tracedSearch } from './traced-work.js';

/**
 * What one request can see, search, get, activate and call. Holds nothing but the context and what this one request has
 * been offered, so any number may be open at once, and several calls of one toolbox may run in parallel.
 */
export class Toolbox {
  readonly #rootOf: () => Promise<ToolContext>;
  readonly #memo: ViewMemo = {};
  readonly #run: RunTools;
  readonly #admission: Admission;
  readonly #searches: ToolboxSearch;
  readonly #metaCalls: MetaCalls;
  readonly #surface: ToolboxSurface;
  /** Provider and name of tools that were reported. */
  readonly #leftOut = new Set<string>();
  #root: Promise<ToolContext> | undefined;
  #asker: Promise<Asker> | undefined;

  constructor(
    private readonly services: ToolboxServices,
    /** Asked once, at the first use: guards have run by then. */
    contextOf: () => ToolContext | Promise<ToolContext>,
    /** The steps by which this toolbox was narrowed, the outermost first. */
    readonly lineage: readonly Narrowing[] = [],
    /** How it is shown, where a step does not say so. @default as the context and the module have it */
    private readonly exposure?: ExposureChoice,
  ) {
    this.#rootOf = async () => contextOf();
    this.#run = new RunTools(services);
    this.#admission = new Admission(services, this.#run, () => this.#rootContext());
    const viewOf = (asker: Asker, phase?: FilterPhase) => this.#view(asker, phase);
    this.#searches = new ToolboxSearch(services, this.#run, this.#admission, viewOf);
    this.#metaCalls = new MetaCalls(services, {
      search: (request, line) => this.#search(request, line),
      get: (names, options) => this.get(names, options),
      activate: (names) => this.activate(names),
      loadable: () => this.#loadable(),
    });
    this.#surface = new ToolboxSurface(services, this.#run, this.#metaCalls, exposure, viewOf);
  }

  /** The names of the meta tools, whatever the mode, and what each is for. No tool of the catalog has one of them. */
  get metaKinds(): ReadonlyMap<string, MetaKind> {
    return this.#metaCalls.kinds;
  }

  /** Who is asking. Rejects when the application's `context` option failed: no context, no tools. */
  async context(): Promise<ToolContext> {
    return (await this.#itself()).context;
  }

  /**
   * A toolbox with fewer tools, for a sub-agent or for a caller with a filter of its own. Nothing widens it again: it keeps
   * every rule of this one, and of the agents above it. What it is offered and activates is its own.
   *
   * @throws ToolSearchError `INVALID_CONFIGURATION` for an unknown field, or a glob that no name could match
   */
  narrow(options: NarrowOptions): Toolbox {
    return new Toolbox(this.services, () => this.#rootContext(), [...this.lineage, narrowing(options)], this.exposure);
  }

  /**
   * A toolbox that also has tools which exist for this request alone, for example with the caller's own credentials in them.
   * They are decided about, found and activated like all others; a name that is taken stays with whoever has it. The sources are
   * loaded once and remain the caller's to close.
   *
   * @throws ToolSearchError `INVALID_CONFIGURATION` where the search engine cannot take them up
   */
  async with(...sources: readonly ToolSource[]): Promise<Toolbox> {
    const { tenantId } = (await this.#who()).context;
    const { catalog, gate, events } = this.services;
    const own = sources.map((source) => ownedBy(source, tenantId));
    const reader = await catalog.withTools(tenantId, own, this.services.reader);
    const services = { ...this.services, reader, views: new ToolViews(reader, gate, events) };
    return new Toolbox(services, () => this.#rootContext(), this.lineage, this.exposure);
  }

  /** All visible tools, listed or not, in the catalog's order. */
  async visible(): Promise<readonly ToolDefinition[]> {
    return (await this.#view(await this.#who(), 'search')).tools();
  }

  /** The tools the model is given now: all visible ones, or what is always loaded, offered or activated. */
  async list(): Promise<readonly ListedTool[]> {
    return this.#surface.list(await this.#who());
  }

  /**
   * Everything a model needs at one step: tools, meta tools, wire names and prompt parts.
   *
   * @throws ToolSearchError `INVALID_REQUEST` for a mode that cannot be read
   */
  async surface(request: SurfaceRequest = {}): Promise<Surface> {
    return this.#surface.surface(request, await this.#who());
  }

  /** Finds tools by capability among those this context may see. @throws ToolSearchError for a faulty request */
  search(request: SearchRequest): Promise<SearchReply> {
    return this.#search(request);
  }

  #search(request: SearchRequest, line?: DescriptionLine): Promise<SearchReply> {
    const { tracing } = this.services;
    const search = async () => this.#searches.search(request, await this.#who(), line);
    return tracing ? tracedSearch(tracing, this.context(), search) : search();
  }

  /**
   * Full definitions of visible tools, by exact name.
   *
   * @throws ToolSearchError `TOOL_NOT_AVAILABLE` when none of the names is visible; a code for a faulty list of names
   */
  async get(names: readonly string[], options: DescribeOptions = {}): Promise<GetReply> {
    const wanted = boundedNames(names);
    const asker = await this.#who();
    const { context } = asker;
    this.#run.didElse(asker);
    const { found, unavailable } = await this.#find(asker, wanted, 'search');
    if (found.length === 0) throw unavailableError();
    this.services.events.emit({
      type: 'tool.described',
      ...principalOf(context),
      tools: found.map(({ name }) => name),
    });
    if (this.services.activateOn === 'call') {
      this.#run.offer(
        asker,
        found.filter((tool) => tool.loading === 'deferred'),
      );
    }
    return {
      tools: found.map((tool) => describeTool(tool, this.services.examples, options)),
      unavailable,
    };
  }

  /**
   * Activates visible tools for the run or session.
   *
   * @throws ToolSearchError `ACTIVATION_LIMIT` when there is room for none, `APPROVAL_REQUIRED`, `APPROVAL_PENDING` or
   *   `APPROVAL_REFUSED` when every tool waits for a second person
   */
  async activate(names: readonly string[]): Promise<ActivateReply> {
    const wanted = boundedNames(names);
    const asker = await this.#who();
    this.#run.didElse(asker);
    const { found, unavailable } = await this.#find(asker, wanted, 'load');
    const { approved, waiting } = await this.#admission.approved(found, asker);
    const always = approved.filter((tool) => tool.loading === 'always').map((tool) => tool.name);
    const deferred = approved.filter((tool) => tool.loading === 'deferred');
    const { activated, alreadyActive, overLimit, receipt } = await this.#run.activate(asker, deferred, 'load');
    const isEmpty = activated.length + alreadyActive.length + always.length === 0;
    if (overLimit.length > 0 && activated.length === 0) throw limitError(this.services.activations.demotes);
    if (isEmpty && unavailable.length === 0 && waiting[0]) throw waiting[0].error;
    return {
      activated,
      alreadyActive: [...always, ...alreadyActive],
      unavailable,
      overLimit,
      ...(waiting.length > 0 && { waiting: waiting.map(({ name, error }) => ({ name, code: error.code })) }),
      ...(receipt !== undefined && { receipt }),
    };
  }

  /**
   * Calls a tool, by canonical name or alias, or a meta tool. A model's fault is an answer, never an exception; only a
   * context that cannot be had rejects.
   */
  async call(name: string, input: unknown, options: CallOptions = {}): Promise<ToolResult> {
    const result = await this.#traced(name, input, options);
    if (result.ok || result.hint === undefined) return result;
    const asker = await this.#itself();
    try {
      return this.#metaCalls.spoken(result, this.#surface.shownMode(asker));
    } catch (error) {
      return failureOf(error);
    }
  }

  async #traced(name: string, input: unknown, options: CallOptions): Promise<ToolResult> {
    const { tracing, reader } = this.services;
    let meant: WrappedCall;
    try {
      meant = this.#metaCalls.unwrapped(name, input, options.naming) ?? { name, input };
    } catch (error) {
      return failureOf(error);
    }
    if (!tracing) return this.#call(meant, options);
    const callId = options.callId ?? randomUUID();
    const asked = { name: meant.name, callId, isMeta: this.#metaCalls.has(meant.name), snapshot: reader.current() };
    return tracedCall(tracing, this.context(), asked, () => this.#call(meant, { ...options, callId }));
  }

  async #call({ name, input }: WrappedCall, options: CallOptions): Promise<ToolResult> {
    const asker = await this.#who();
    try {
      if (this.#metaCalls.has(name)) {
        return await this.#metaCalls.call(name, input, asker, this.#surface.shownMode(asker), options.naming);
      }
      return await this.#callTool(name, input, asker, options);
    } catch (error) {
      if (!isToolSearchError(error) || error.cause !== undefined) this.services.reportFault(name, error);
      return failureOf(error);
    }
  }

  /**
   * The same decision as a call's, for code that does the tool's work itself: resolves when the tool may be called now.
   *
   * @throws ToolSearchError `TOOL_NOT_AVAILABLE`, `GATE_CLOSED`, `STORE_UNAVAILABLE`, or a code of the approval it waits for
   */
  async admit(name: string): Promise<ToolDefinition> {
    const admitted = await this.#admission.admitted(name, await this.#who());
    // Nobody asks again before the work begins, and asking has taken its time.
    if (!admitted?.mayRun()) throw unavailableError();
    return admitted.tool;
  }

  /**
   * Says in events that a provider would refuse these tools, so that its adapter leaves them out of requests; once for each
   * tool.
   */
  async reportLeftOut(provider: string, tools: readonly LeftOutTool[]): Promise<void> {
    const fresh = tools.filter(({ tool }) => !this.#leftOut.has(`${provider} ${tool}`));
    if (fresh.length === 0) return;
    const { context } = await this.#itself();
    for (const { tool, reason } of fresh) {
      this.#leftOut.add(`${provider} ${tool}`);
      this.services.events.emit({ type: 'tool.left_out', ...principalOf(context), provider, tool, reason });
    }
  }

  /** Why this context may or may not use a tool. For operators: it names what callers must not know. */
  async explain(name: string): Promise<Explanation> {
    const asker = await this.#who();
    const { mode } = this.#surface.settled(asker, await this.#view(asker));
    return this.#admission.explain(name, asker, mode === 'all');
  }

  /**
   * What this run or session has activated and been offered, for programs. Of several runs `ToolActivations` tells.
   *
   * @throws ToolSearchError `GATE_CLOSED`, `STORE_UNAVAILABLE`, `SESSION_REQUIRED`
   */
  async state(): Promise<RunState> {
    const asker = await this.#who();
    return this.#run.state(asker, await this.#view(asker));
  }

  /**
   * Starts over: takes back everything that this run or session has activated and this run has been offered, tools hidden by
   * now among them. Returns how many activations went.
   *
   * @throws ToolSearchError `STORE_UNAVAILABLE`, `SESSION_REQUIRED`
   */
  async clearState(): Promise<number> {
    return this.#run.clear(await this.#who());
  }

  /**
   * Lets the tools that were not used for longest make room, where `activation.whenFull` is `demote` and the run or session
   * holds more than three quarters of what it may. To be called where the provider's prompt cache is lost anyway: when a
   * conversation has been summarised, or a turn starts anew.
   *
   * @throws ToolSearchError `STORE_UNAVAILABLE`
   */
  async compact(): Promise<CompactReply> {
    return { demoted: await this.#run.makeRoom(await this.#who()) };
  }

  /**
   * Keeps what this run has in play, so that it can be resumed on any instance.
   *
   * @throws ToolSearchError `INVALID_SESSION` for a run without an id, `GATE_CLOSED`, `STORE_UNAVAILABLE`
   */
  async pause(): Promise<PauseReceipt> {
    const asker = await this.#who();
    const view = await this.#view(asker);
    return this.services.pauses.pause(this.#run.inPlay(asker, view), await this.#run.listed(asker, view, 'deferred'));
  }

  /**
   * Brings back what was in play when this run was paused, as far as it is visible and unchanged.
   *
   * @throws ToolSearchError as {@link pause}, `RUN_NOT_FOUND`, and `RUN_DRIFTED` where drift is to fail: then nothing is
   *   brought back
   */
  async resume(options: ResumeOptions = {}): Promise<ResumeReply> {
    const asker = await this.#who();
    return this.services.pauses.resume(this.#run.inPlay(asker, await this.#view(asker)), options);
  }

  async #callTool(name: string, input: unknown, asker: Asker, options: CallOptions): Promise<ToolResult> {
    this.#run.didElse(asker);
    const admitted = await this.#admission.admitted(name, asker);
    if (!admitted) return notAvailable();
    const { tool } = admitted;
    this.#run.used(asker, tool);
    const { context } = asker;
    let activated: Activated | undefined;
    if (tool.loading === 'deferred') {
      activated = await this.#run.activate(asker, [tool], 'first_use');
      if (activated.overLimit.length > 0) throw limitError(this.services.activations.demotes);
    }
    const result = await this.services.runner.run({ ...admitted, context }, input, options);
    const { learned } = this.services;
    if (result.ok && learned.isOn) learnFromCall(learned, this.#run.shelf(context), context.tenantId, tool);
    return receipted(result, activated);
  }

  async #loadable(): Promise<readonly string[]> {
    const view = await this.#view(await this.#who(), 'load');
    return view.tools().flatMap((tool) => (tool.loading === 'deferred' ? tool.name : []));
  }

  #rootContext(): Promise<ToolContext> {
    this.#root ??= this.#rootOf();
    return this.#root;
  }

  /** Who is asking, for whatever is done: all of it comes by here, and finds the tenant's own sources in the catalog. */
  #who(): Promise<Asker> {
    const { tenantSources } = this.services;
    if (!tenantSources) return this.#itself();
    return this.#itself().then(async (asker) => {
      await tenantSources.ready(asker.context);
      return asker;
    });
  }

  #itself(): Promise<Asker> {
    this.#asker ??= this.#rootContext().then((root) => derivedAsker(root, this.lineage, this.services.onDerived));
    return this.#asker;
  }

  #view(asker: Asker, phase: FilterPhase = 'active'): Promise<ToolView> {
    return this.services.views.current(asker, this.#memo, phase);
  }

  async #find(
    asker: Asker,
    names: readonly string[],
    phase: FilterPhase,
  ): Promise<{ found: ToolDefinition[]; unavailable: string[] }> {
    const view = await this.#view(asker, phase);
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

function receipted(result: ToolResult, outcome: Activated | undefined): ToolResult {
  if (!outcome || outcome.activated.length === 0) return result;
  const { receipt } = outcome;
  return {
    ...result,
    ...(result.ok && { activated: true }),
    // A tool that fails is active all the same.
    ...(receipt !== undefined && { receipt }),
  };
}

function unavailableError(): ToolSearchError {
  const { code, message, hint } = notAvailable();
  return new ToolSearchError(code, message, hint === undefined ? {} : { hint });
}

function limitError(demotes: boolean): ToolSearchError {
  return new ToolSearchError('ACTIVATION_LIMIT', 'This run or session holds as many tools as it may.', {
    hint: demotes
      ? 'Work with the tools you have; those not used for longest make room when the conversation is summarised or rests.'
      : 'Work with the tools you have, or start a new session.',
  });
}
