import { randomUUID } from 'node:crypto';
import type { ToolGate } from '../access/tool-gate.js';
import type { ActivationOutcome } from '../activation/activation-store.js';
import { RunShelf, type RunShelves } from '../activation/run-shelf.js';
import type { OwnedScope, ToolActivations } from '../activation/tool-activations.js';
import type { ToolCatalog } from '../catalog/tool-catalog.js';
import { isObject } from '../tool/json.js';
import type { Decision } from '../tool/decision.js';
import type { DefinitionTokens, TokenCounter } from '../tool/token-count.js';
import type { ToolContext } from '../tool/tool-context.js';
import type { ToolDefinition } from '../tool/tool-definition.js';
import type { ActivationReason, ToolEvents } from '../tool/tool-event.js';
import { isLegalName, wireName } from '../tool/tool-name.js';
import { failureOf, notAvailable, type ToolResult } from '../tool/tool-result.js';
import { isToolSearchError, ToolSearchError } from '../tool/tool-search.error.js';
import { toOutput } from '../tool/tool-source.js';
import { type DescribeOptions, describeTool, type ExampleOptions } from './described-tool.js';
import { metaTools, modelSearch } from './meta-tools.js';
import type { LearnedQueries } from './learned-queries.js';
import { boundedNames } from './name-bounds.js';
import { learnFromCall, rememberSearches, searchedInVain } from './remember-searches.js';
import type { ActivateReply, GetReply, SearchReply } from './replies.js';
import { principalOf } from '../tool/principal.js';
import { searchNotes } from './search-notes.js';
import { searchReply } from './search-reply.js';
import type { SearchRequest } from './search-request.js';
import type { Exposure, ExposureMode, ListedTool, MetaTool, Surface, SurfaceRequest } from './surface.js';
import type { FinderOptions, ToolFinder } from './tool-finder.js';
import type { CallOptions, ToolRunner } from './tool-runner.js';
import type { ToolView, ToolViews, ViewMemo } from './tool-views.js';

/** The application's shared parts, one set for all toolboxes. */
export interface ToolboxServices {
  readonly catalog: ToolCatalog;
  readonly gate: ToolGate;
  readonly views: ToolViews;
  readonly finder: ToolFinder;
  readonly activations: ToolActivations;
  readonly shelves: RunShelves;
  readonly runner: ToolRunner;
  readonly learned: LearnedQueries;
  readonly events: ToolEvents;
  readonly exposure: Exposure;
  readonly tokens: DefinitionTokens;
  readonly countTokens: TokenCounter;
  readonly activateOn: 'call' | 'load' | 'search';
  readonly search: Required<Pick<FinderOptions, 'limit' | 'maxLimit' | 'types' | 'replyTokens'>>;
  readonly examples: ExampleOptions;
  /** Told what callers are not: the cause of a failure, for the log. */
  readonly reportFault: (tool: string, error: unknown) => void;
}

/**
 * What one request can see, search, get, activate and call. Holds nothing but the context and what this one request has
 * been offered, so any number may be open at once, and several calls of one toolbox may run in parallel.
 */
export class Toolbox {
  readonly #contextOf: () => Promise<ToolContext>;
  readonly #runId = randomUUID();
  readonly #ownShelf = new RunShelf();
  readonly #memo: ViewMemo = {};
  #context: Promise<ToolContext> | undefined;
  #metaTools: readonly MetaTool[] | undefined;

  constructor(
    private readonly services: ToolboxServices,
    /** Asked once, at the first use: guards have run by then. */
    contextOf: () => ToolContext | Promise<ToolContext>,
  ) {
    this.#contextOf = async () => contextOf();
  }

  /** Who is asking. Rejects when the application's `context` option failed: no context, no tools. */
  context(): Promise<ToolContext> {
    this.#context ??= this.#contextOf();
    return this.#context;
  }

  /** All visible tools, listed or not, in the catalog's order. */
  async visible(): Promise<readonly ToolDefinition[]> {
    return (await this.#view(await this.context())).tools();
  }

  /** The tools the model is given now: all visible ones, or what is always loaded, offered or activated. */
  async list(): Promise<readonly ListedTool[]> {
    const context = await this.context();
    const view = await this.#view(context);
    return this.#listed(context, view, this.services.exposure.modeFor({}, view.tools()));
  }

  /** Everything a model needs at one step: tools, meta tools, wire names and prompt parts. */
  async surface(request: SurfaceRequest = {}): Promise<Surface> {
    const context = await this.context();
    const view = await this.#view(context);
    const visible = view.tools();
    const mode = this.services.exposure.modeFor(request, visible);
    const tools = await this.#listed(context, view, mode);
    const suggested = mode === 'deferred' ? await this.#suggestions(request.text, view) : [];
    return {
      revision: view.snapshot.revision,
      mode,
      tools,
      meta: mode === 'deferred' ? this.#meta() : [],
      wireNames: new Map(tools.map((tool) => [tool.name, wireName(tool.name)])),
      prompt: mode === 'deferred' ? this.services.exposure.prompt({ context, visible, suggested }) : {},
    };
  }

  /** Finds tools by capability among those this context may see. @throws ToolSearchError for a faulty request */
  async search(request: SearchRequest): Promise<SearchReply> {
    const started = performance.now();
    const context = await this.context();
    const view = await this.#view(context);
    const active = new Set(await this.#activeNames(context, view));
    const shelf = this.#shelf(context);
    const isKnown = ({ name }: ToolDefinition) => active.has(name) || shelf.isOffered(name);
    const learned = await this.services.learned.overlay(context.tenantId, view.snapshot);
    const found = await this.services.finder.find(request, view, { isKnown, learned });
    this.services.events.emit({
      type: 'tool.searched',
      ...principalOf(context),
      searchId: found.searchId,
      requestedType: found.searchType.requested,
      effectiveType: found.searchType.effective,
      results: found.hits.length,
      verdict: found.verdict,
      ms: performance.now() - started,
    });
    if (this.services.learned.isOn) rememberSearches(shelf, found);
    const deferred = found.hits.filter(({ tool }) => tool.loading === 'deferred').map(({ tool }) => tool);
    if (this.services.activateOn === 'search') {
      const { activated, alreadyActive } = await this.#activate(context, deferred, 'search');
      for (const name of [...activated, ...alreadyActive]) active.add(name);
    } else if (this.services.activateOn === 'call') {
      this.#offer(context, deferred);
    }
    const budget = { replyTokens: this.services.search.replyTokens, count: this.services.countTokens };
    const isActive = ({ name }: ToolDefinition) => active.has(name);
    return {
      ...searchReply(found, view.deferred.size, isActive, budget),
      ...searchNotes(found, searchedInVain(shelf, found)),
    };
  }

  /**
   * Full definitions of visible tools, by exact name.
   *
   * @throws ToolSearchError `TOOL_NOT_AVAILABLE` when none of the names is visible; a code for a faulty list of names
   */
  async get(names: readonly string[], options: DescribeOptions = {}): Promise<GetReply> {
    const wanted = boundedNames(names);
    const context = await this.context();
    const { found, unavailable } = await this.#find(context, wanted);
    if (found.length === 0) throw unavailableError();
    this.services.events.emit({
      type: 'tool.described',
      ...principalOf(context),
      tools: found.map(({ name }) => name),
    });
    if (this.services.activateOn === 'call') {
      this.#offer(
        context,
        found.filter((tool) => tool.loading === 'deferred'),
      );
    }
    return {
      tools: found.map((tool) => describeTool(tool, this.services.examples, options)),
      unavailable,
    };
  }

  /** Activates visible tools for the run or session. @throws ToolSearchError `ACTIVATION_LIMIT` when there is room for none */
  async activate(names: readonly string[]): Promise<ActivateReply> {
    const wanted = boundedNames(names);
    const context = await this.context();
    const { found, unavailable } = await this.#find(context, wanted);
    const always = found.filter((tool) => tool.loading === 'always').map((tool) => tool.name);
    const deferred = found.filter((tool) => tool.loading === 'deferred');
    const { activated, alreadyActive, overLimit } = await this.#activate(context, deferred, 'load');
    if (overLimit.length > 0 && activated.length === 0) throw limitError();
    return { activated, alreadyActive: [...always, ...alreadyActive], unavailable, overLimit };
  }

  /**
   * Calls a tool, by canonical name or alias, or a meta tool. A model's fault is an answer, never an exception; only a
   * context that cannot be had rejects.
   */
  async call(name: string, input: unknown, options: CallOptions = {}): Promise<ToolResult> {
    const context = await this.context();
    try {
      if (this.#meta().some((meta) => meta.name === name)) return await this.#callMeta(name, input);
      return await this.#callTool(name, input, context, options);
    } catch (error) {
      if (!isToolSearchError(error) || error.cause !== undefined) this.services.reportFault(name, error);
      return failureOf(error);
    }
  }

  async #callTool(name: string, input: unknown, context: ToolContext, options: CallOptions): Promise<ToolResult> {
    // The newest snapshot, not the listed one: what was withdrawn a moment ago must not run.
    const snapshot = this.services.catalog.current();
    const id = typeof name === 'string' ? snapshot.idOf(name, context.tenantId) : undefined;
    const tool = id === undefined ? undefined : snapshot.at(id);
    const decision = await this.services.gate.decideCall(tool, context);
    if (id === undefined || !tool || decision.outcome !== 'allow') {
      // What is no tool name could be anything the model was told, secrets and line breaks included.
      const asked = typeof name === 'string' && isLegalName(name) ? name : '(not a tool name)';
      this.#denied(context, tool?.name ?? asked, decision);
      return notAvailable();
    }
    let activated = false;
    if (tool.loading === 'deferred') {
      const outcome = await this.#activate(context, [tool], 'first_use');
      if (outcome.overLimit.length > 0) throw limitError();
      activated = outcome.activated.length > 0;
    }
    const result = await this.services.runner.run(tool, snapshot.executorOf(id), input, context, options);
    const { learned } = this.services;
    if (result.ok && learned.isOn) learnFromCall(learned, this.#shelf(context), context.tenantId, tool);
    return activated && result.ok ? { ...result, activated } : result;
  }

  async #callMeta(name: string, input: unknown): Promise<ToolResult> {
    if (!isObject(input)) {
      throw new ToolSearchError('INVALID_ARGUMENTS', 'The arguments must be a JSON object.', {
        hint: `Follow the input schema of ${name}.`,
      });
    }
    const reply =
      name === 'tool_search'
        ? await this.search(modelSearch(input, this.#meta(), this.services.search.types))
        : name === 'tool_get'
          ? await this.#getFromModel(input)
          : await this.activate(input['names'] as string[]);
    return this.services.runner.answer(toOutput(reply));
  }

  #getFromModel({ names, includeSchemas, includeExamples }: Record<string, unknown>): Promise<GetReply> {
    return this.get(names as string[], {
      includeSchemas: includeSchemas !== false,
      includeExamples: includeExamples !== false,
    });
  }

  #meta(): readonly MetaTool[] {
    const { search, activateOn, exposure } = this.services;
    if (exposure.configured === 'all') return [];
    this.#metaTools ??= metaTools({ ...search, withLoad: activateOn === 'load' });
    return this.#metaTools;
  }

  // Off means off: where everything is always listed, activations would change nothing.
  get #tracksActivations(): boolean {
    return this.services.exposure.configured !== 'all';
  }

  #view(context: ToolContext): Promise<ToolView> {
    return this.services.views.current(context, this.#memo);
  }

  async #find(
    context: ToolContext,
    names: readonly string[],
  ): Promise<{ found: ToolDefinition[]; unavailable: string[] }> {
    const view = await this.#view(context);
    const found = new Map<string, ToolDefinition>();
    const unavailable: string[] = [];
    for (const name of names) {
      const tool = view.find(name, context.tenantId);
      if (tool) found.set(tool.name, tool);
      else unavailable.push(name);
    }
    return { found: [...found.values()], unavailable };
  }

  async #listed(context: ToolContext, view: ToolView, mode: ExposureMode): Promise<ListedTool[]> {
    const active = await this.#activeNames(context, view);
    const visible = view.tools();
    if (mode === 'all') return visible.map((tool) => listed(tool, active.has(tool.name)));
    const always = visible.filter((tool) => tool.loading === 'always');
    const found = this.#shelf(context)
      .listing([...active])
      // An activation of a tool that is hidden by now is dormant, not an error.
      .flatMap((name) => view.find(name, context.tenantId) ?? []);
    const deferred = [...new Set(found)].filter((tool) => tool.loading === 'deferred');
    return [...always, ...deferred].map((tool) => listed(tool, active.has(tool.name)));
  }

  async #suggestions(text: string | undefined, view: ToolView): Promise<ToolDefinition[]> {
    const { topK, includeAlwaysLoaded, type } = this.services.exposure.hints;
    if (topK === 0 || text === undefined || text.trim() === '') return [];
    try {
      const request = { query: text.slice(0, 2000), type, limit: topK, includeAlwaysLoaded };
      const { hits } = await this.services.finder.find(request, view);
      return hits.map(({ tool }) => tool);
    } catch (error) {
      // The user's words make no query: no hints, and no reason to fail the turn.
      if (isToolSearchError(error)) return [];
      throw error;
    }
  }

  async #activate(
    context: ToolContext,
    tools: readonly ToolDefinition[],
    reason: ActivationReason,
  ): Promise<ActivationOutcome> {
    if (tools.length === 0 || !this.#tracksActivations) {
      return { activated: [], alreadyActive: tools.map(({ name }) => name), overLimit: [] };
    }
    const news = tools.map((tool) => ({ tool: tool.name, reason, tokens: this.services.tokens.of(tool) }));
    return this.services.activations.activate(this.#scope(context), news, context);
  }

  // A record keeps the name its tool had then; where that is an alias now, the tool of today is meant.
  async #activeNames(context: ToolContext, view: ToolView): Promise<ReadonlySet<string>> {
    if (!this.#tracksActivations) return new Set();
    const activations = await this.services.activations.list(this.#scope(context));
    return new Set(activations.map(({ tool }) => view.find(tool, context.tenantId)?.name ?? tool));
  }

  #offer(context: ToolContext, tools: readonly ToolDefinition[]): void {
    const fresh = this.#shelf(context).offer(tools.map((tool) => tool.name));
    if (fresh.length > 0) this.services.events.emit({ type: 'tool.offered', ...principalOf(context), tools: fresh });
  }

  #shelf(context: ToolContext): RunShelf {
    const { tenantId, userId, runId } = context;
    if (runId === undefined) return this.#ownShelf;
    return this.services.shelves.of({ tenantId, runId, ...(userId !== undefined && { userId }) });
  }

  #scope(context: ToolContext): OwnedScope {
    return this.services.activations.scopeOf(context, this.#runId);
  }

  #denied(context: ToolContext, tool: string, decision: Omit<Decision, 'outcome'>): void {
    const { layer, rule, reason } = decision;
    this.services.events.emit({ type: 'tool.denied', ...principalOf(context), tool, layer, rule, reason });
  }
}

function listed(definition: ToolDefinition, active: boolean): ListedTool {
  const { name, description, inputSchema, loading } = definition;
  return { name, description, inputSchema, loading, active, definition };
}

function unavailableError(): ToolSearchError {
  const { code, message, hint } = notAvailable();
  return new ToolSearchError(code, message, hint === undefined ? {} : { hint });
}

function limitError(): ToolSearchError {
  return new ToolSearchError('ACTIVATION_LIMIT', 'This run or session holds as many tools as it may.', {
    hint: 'Work with the tools you have, or start a new session.',
  });
}
