import { randomUUID } from 'node:crypto';
import type { Caller } from '../../access/tool-gate.js';
import type { ApprovalScope } from '../../access/approvals/approval-wish.js';
import type { ActivationOutcome } from '../../activation/activation-store.js';
import type { MessageActivations, NameReader } from '../../activation/messages/message-activations.js';
import { type RunStates, RunToolState } from './run-tool-state.js';
import type { OwnedScope, ToolActivations } from '../../activation/tool-activations.js';
import { type ToolContext, eventIds } from '../../tool/tool-context.js';
import type { ToolDefinition } from '../../tool/tool-definition.js';
import type { DefinitionTokens } from '../../tool/token-count.js';
import type { ActivationReason, ToolEvents } from '../../tool/tool-event.js';
import { isToolSearchError, type ToolSearchError } from '../../tool/tool-search.error.js';
import type { SearchGaps } from '../search-gaps/search-gaps.js';
import { limitError } from '../call/call-errors.js';
import type { ToolStates } from '../explanation.js';
import type { RunState } from '../meta-tools/replies.js';
import type { RunInPlay } from './run-pauses.js';
import { NOTE_START } from '../results/shortened-note.js';
import type { ListedDescriptions } from '../search/described-tool.js';
import type { Exposure, ExposureMode, ListedTool } from '../surface/surface.js';
import type { ToolView } from '../tool-views.js';

const NONE: ReadonlySet<string> = new Set();

export interface RunParts {
  readonly activations: ToolActivations;
  readonly runStates: RunStates;
  readonly exposure: Exposure;
  readonly descriptions: ListedDescriptions;
  readonly tokens: DefinitionTokens;
  readonly gaps: SearchGaps;
  readonly events: ToolEvents;
  /** The meta tool that reads on in shortened results. @default no result is shortened */
  readonly listedResultTool: ListedTool | undefined;
}

export interface Activated extends ActivationOutcome {
  /** For the text of the result; only where activations are kept in messages and a tool was activated. */
  readonly receipt?: string;
}

/** The offers and activations of the run or session behind one toolbox. */
export class RunTools {
  // Created on first use: most requests name their run or only list.
  #runId: string | undefined;
  #ownState: RunToolState | undefined;
  #own: { readonly scope: OwnedScope; readonly messages: MessageActivations | undefined } | undefined;

  constructor(private readonly parts: RunParts) {}

  /** Names of activated tools; empty where everything is listed, because nothing is activated there. */
  async activeNames(caller: Caller, view: ToolView): Promise<ReadonlySet<string>> {
    if (!this.#tracksActivations) return new Set();
    const activations = await this.parts.activations.list(this.scope(caller));
    // A record keeps the name its tool had then; where that is an alias now, use the current name.
    return new Set(activations.map(({ tool }) => view.find(tool, caller.context.tenantId)?.name ?? tool));
  }

  /** The model's list: all visible tools, the fixed part, or the tools that are always loaded, offered or activated. */
  async listed(
    caller: Caller,
    view: ToolView,
    mode: ExposureMode,
    listsResultTool = false,
  ): Promise<readonly ListedTool[]> {
    const { context } = caller;
    const active = await this.activeNames(caller, view);
    if (mode === 'bridge' || (mode !== 'all' && this.#holdsNothing(context, active, listsResultTool))) {
      return this.#always(view, active);
    }
    const state = this.stateOf(context);
    const reader = this.parts.listedResultTool;
    const reads = reader && (listsResultTool || active.has(reader.name) || state.isOffered(reader.name));
    if (mode === 'all') {
      const all = active.size === 0 ? this.#all(view) : this.#all(view).map((tool) => marked(tool, active));
      return reads ? [...all, reader] : all;
    }
    const found = state
      .listing([...this.#named, ...active])
      .filter((name) => !this.#named.has(name) || active.has(name) || state.isOffered(name))
      // An activation of a tool that is hidden now is dormant, not an error.
      .flatMap((name) => (name === reader?.name ? reader.definition : (view.find(name, context.tenantId) ?? [])));
    const added = [...new Set(found)].flatMap((tool) => {
      if (tool === reader?.definition) return reads ? reader : [];
      return tool.loading === 'deferred' ? this.#listed(tool, active) : [];
    });
    const fixed = this.#always(view, active);
    const fixedReader = reads && !added.includes(reader) ? [reader] : [];
    return added.length + fixedReader.length === 0 ? fixed : [...fixed, ...fixedReader, ...added];
  }

  /** The visible tools that this run or session has activated, oldest first, and that the run has been offered. */
  async state(caller: Caller, view: ToolView): Promise<RunState> {
    const { context } = caller;
    const scope = this.scope(caller);
    const visible = (name: string) => view.find(name, context.tenantId)?.name;
    const held = this.#tracksActivations ? await this.parts.activations.list(scope) : [];
    // Activations of hidden tools are dormant, and the caller must not learn of them.
    const activated = held.flatMap(({ tool, reason, activatedAt }) => {
      const name = visible(tool);
      return name === undefined ? [] : [{ name, reason, activatedAt }];
    });
    const offered = new Set(this.stateOf(context).offered.flatMap((name) => visible(name) ?? []));
    return { scope: scope.scope, activated, offered: [...offered] };
  }

  /** Revokes all activations and withdraws all offers. Returns the number of activations revoked. */
  async clear(caller: Caller): Promise<number> {
    const state = this.stateOf(caller.context);
    if (!this.#tracksActivations) {
      state.restore([], new Set());
      return 0;
    }
    const { scope, messages } = this.#ownOf(caller);
    const { activations } = this.parts;
    // The messages still contain these names and would activate the tools again at the next step.
    const named = messages ? [...messages.named, ...(await activations.list(scope)).map(({ tool }) => tool)] : [];
    state.restore([], new Set(), named);
    return activations.revoke(scope);
  }

  async activate(caller: Caller, tools: readonly ToolDefinition[], reason: ActivationReason): Promise<Activated> {
    if (tools.length === 0 || !this.#tracksActivations) {
      return { activated: [], alreadyActive: tools.map(({ name }) => name), overLimit: [] };
    }
    const news = tools.map((tool) => ({ tool: tool.name, reason, tokens: this.parts.tokens.of(tool) }));
    const outcome = await this.parts.activations.activate(this.scope(caller), news, caller.context);
    this.stateOf(caller.context).takeBack(outcome.activated);
    const receipt = this.#ownOf(caller).messages?.receipt(outcome.activated);
    return receipt === undefined ? outcome : { ...outcome, receipt };
  }

  /**
   * Call this before the list is shown to a model. Tools that are demoted now are no longer offered either.
   *
   * @param toolResults the conversation's tool results, which may contain receipts of activations
   */
  async beforeShowing(caller: Caller, view: ToolView, toolResults: readonly string[] | undefined): Promise<void> {
    const { context } = caller;
    const state = this.stateOf(context);
    const reader = this.parts.listedResultTool?.name;
    // The conversation also tells of results that another instance holds, without a read of the store.
    if (reader !== undefined && !state.isOffered(reader) && toolResults?.some((text) => text.includes(NOTE_START))) {
      state.offer([reader]);
    }
    if (!this.#tracksActivations) return;
    const { messages } = this.#ownOf(caller);
    if (!messages) {
      state.withdraw(await this.parts.activations.beforeShowing(this.scope(caller), context));
    } else if (toolResults) {
      state.withdraw(await messages.read(toolResults, this.#nameReader(view, context, state)));
    }
  }

  /** Call this when the list was shown to a model: a conversation that goes on keeps its activations. */
  async keep(caller: Caller, listed: readonly ListedTool[]): Promise<void> {
    if (!this.#tracksActivations || !listed.some(({ active }) => active)) return;
    const { scope, messages } = this.#ownOf(caller);
    if (!messages) await this.parts.activations.keep(scope);
  }

  /** Demotes the least recently used tools. Returns those that are visible now. */
  async makeRoom(caller: Caller, view: ToolView): Promise<readonly string[]> {
    if (!this.#tracksActivations) return [];
    const { context } = caller;
    const demoted = await this.parts.activations.makeRoom(this.scope(caller), context);
    this.stateOf(context).withdraw(demoted);
    return demoted.filter((name) => view.find(name, context.tenantId));
  }

  /**
   * Lists the meta tool that reads on from now on. The run remembers it, and so does the store of activations where the
   * tool is listed like an activated one: for another instance, and after a restart.
   */
  async heldResult(caller: Caller, mode: ExposureMode): Promise<void> {
    const reader = this.parts.listedResultTool;
    if (!reader) return;
    const state = this.stateOf(caller.context);
    if (!state.isOffered(reader.name)) state.offer([reader.name]);
    if (!this.#tracksActivations || mode === 'all' || mode === 'bridge') return;
    try {
      if (!this.#ownOf(caller).messages) await this.activate(caller, [reader.definition], 'first_use');
    } catch (error) {
      // The note in the conversation says how to read on, listed or not.
      if (!isToolSearchError(error)) throw error;
    }
  }

  /** Records that the run did something other than searching, successful or not. */
  resetSearchStreak({ context }: Caller): void {
    if (this.#tracksActivations) this.parts.gaps.resetSearchStreak(this.stateOf(context), context);
  }

  used({ context }: Caller, tool: ToolDefinition): void {
    if (this.#tracksActivations) this.parts.gaps.used(this.stateOf(context), context, tool.name);
  }

  /** The event that activates a tool: its call, its load or the search that finds it. */
  get activateOn(): 'call' | 'load' | 'search' {
    return this.parts.activations.activateOn;
  }

  limitError(): ToolSearchError {
    return limitError(this.parts.activations.demotes);
  }

  offer({ context }: Caller, tools: readonly ToolDefinition[]): void {
    const fresh = this.stateOf(context).offer(tools.map((tool) => tool.name));
    if (fresh.length > 0) this.parts.events.emit({ type: 'tool.offered', ...eventIds(context), tools: fresh });
  }

  stateOf({ tenantId, userId, runId }: ToolContext): RunToolState {
    if (runId === undefined) return (this.#ownState ??= new RunToolState());
    return this.parts.runStates.of({ tenantId, runId, ...(userId !== undefined && { userId }) });
  }

  /** The state of this run that pausing and resuming need. */
  inPlay(caller: Caller, view: ToolView, rules: number): RunInPlay {
    const { context } = caller;
    const scope = this.#tracksActivations ? this.scope(caller) : undefined;
    return { context, view, scope, state: this.stateOf(context), rules };
  }

  async statesOf(tool: ToolDefinition, caller: Caller, isListed: boolean): Promise<Omit<ToolStates, 'source'>> {
    const { activations } = this.parts;
    const held = this.#tracksActivations ? await activations.list(this.scope(caller)) : undefined;
    const isActive = held?.some((record) => record.tool === tool.name || tool.aliases.includes(record.tool)) ?? false;
    const isOffered = this.stateOf(caller.context).isOffered(tool.name);
    return {
      loading: tool.loading,
      activation: isActive ? 'activated' : isListed ? 'listed' : isOffered ? 'offered' : 'inactive',
      room: held ? activations.roomBeside(held.length) : 'some',
    };
  }

  /** Owner of the activations: the session or the run. A narrowed toolbox has its own run, unless it is a mere filter. */
  scope(caller: Caller): OwnedScope {
    return this.#ownOf(caller).scope;
  }

  /** Owner of the approvals: the session, or else the run, for which a sub-agent was created. */
  approvalScope({ sessionId, runId }: ToolContext): ApprovalScope {
    if (sessionId !== undefined) return { scope: 'session', scopeId: sessionId, ephemeral: false };
    return { scope: 'run', scopeId: runId ?? this.#ownRunId, ephemeral: runId === undefined };
  }

  // A toolbox has one caller, so this is created once.
  #ownOf({ context, lineage }: Caller) {
    if (this.#own) return this.#own;
    const { activations } = this.parts;
    const run = lineage.findLast((step) => step.run)?.run;
    const scope = run
      ? activations.runScope(context, run.id, run.ephemeral)
      : activations.scopeOf(context, () => this.#ownRunId);
    const messages = activations.inMessages(scope, run ? `narrowed:${context.agentId ?? ''}` : '');
    return (this.#own = { scope: messages?.scope ?? scope, messages });
  }

  // Receipts are evidence, not authorization: only tools of this view count, which may be listed and called.
  #nameReader(view: ToolView, { tenantId }: ToolContext, state: RunToolState): NameReader {
    return {
      nameNow: (name) => {
        const id = view.snapshot.idOf(name, tenantId);
        return id === undefined ? name : view.snapshot.at(id).name;
      },
      activationOf: (name) => {
        const tool = view.find(name, tenantId);
        if (tool?.loading !== 'deferred' || state.isLeftOut(name) || state.isLeftOut(tool.name)) return undefined;
        return { tool: tool.name, reason: 'first_use', tokens: this.parts.tokens.of(tool) };
      },
    };
  }

  // A request without a run that only lists, as most do, makes no state of one.
  #holdsNothing({ runId }: ToolContext, active: ReadonlySet<string>, listsResultTool: boolean): boolean {
    const hasState = runId !== undefined || this.#ownState !== undefined;
    return !hasState && !listsResultTool && active.size + this.#named.size === 0;
  }

  get #named(): ReadonlySet<string> {
    return this.#own?.messages?.named ?? NONE;
  }

  get #ownRunId(): string {
    return (this.#runId ??= randomUUID());
  }

  get #tracksActivations(): boolean {
    return this.parts.exposure.configured !== 'all';
  }

  #all(view: ToolView): readonly ListedTool[] {
    let list = lists.get(view);
    if (!list) lists.set(view, (list = Object.freeze(view.tools().map((tool) => this.#listed(tool, NONE)))));
    return list;
  }

  // Always-loaded tools are never activated, but one of them may have been deferred when it was.
  #always(view: ToolView, active: ReadonlySet<string>): readonly ListedTool[] {
    let list = fixedLists.get(view);
    if (!list) fixedLists.set(view, (list = Object.freeze(view.always().map((tool) => this.#listed(tool, NONE)))));
    const isMarked = active.size > 0 && list.some(({ name }) => active.has(name));
    return isMarked ? list.map((tool) => marked(tool, active)) : list;
  }

  #listed(definition: ToolDefinition, active: ReadonlySet<string>): ListedTool {
    const { name, inputSchema, loading } = definition;
    const description = this.parts.descriptions.of(definition);
    return { name, description, inputSchema, loading, active: active.has(name), definition };
  }
}

// Requests share views, and so the whole list of a view.
const lists = new WeakMap<ToolView, readonly ListedTool[]>();
const fixedLists = new WeakMap<ToolView, readonly ListedTool[]>();

function marked(tool: ListedTool, active: ReadonlySet<string>): ListedTool {
  return active.has(tool.name) ? { ...tool, active: true } : tool;
}
