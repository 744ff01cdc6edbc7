import type { Decision, Layer, LayerVerdict } from './decision.js';
import type { TokenizerName } from './token-count.js';
import type { ToolSearchErrorCode } from './tool-search.error.js';

/** How a query was or was to be matched: ranked words, the durable full-text engine, a pattern, or an exact name. */
export type SearchType = (typeof SEARCH_TYPES)[number];

/** All values of {@link SearchType}. */
export const SEARCH_TYPES = ['bm25', 'fts', 'regex', 'exact'] as const;

/** How well the best hits of a search match; `weak`: most likely none of them serves the request; `none`: no hits. */
export type SearchVerdict = (typeof SEARCH_VERDICTS)[number];

/** All values of {@link SearchVerdict}. */
export const SEARCH_VERDICTS = ['found', 'weak', 'none'] as const;

/** The cause of an activation. */
export type ActivationReason = (typeof ACTIVATION_REASONS)[number];

/** All values of {@link ActivationReason}. */
export const ACTIVATION_REASONS = ['first_use', 'load', 'search'] as const;

/** Events contain ids, never entities, queries or arguments. */
interface EventBase {
  /** Epoch milliseconds. */
  readonly at: number;
}

interface RequestEventBase extends EventBase {
  readonly tenantId: string;
  readonly runId?: string;
  readonly sessionId?: string;
}

interface KillSwitchChange {
  /** `''` = all tenants. */
  tenantId: string;
  /** Kind and value, for example `glob:crm.*`. */
  target: string;
  actor: string;
  reason: string;
  /** Why the released switch was engaged. */
  engagedReason?: string;
  revision: number;
}

type PolicyChange = { tenantId: string; agentId?: string; actor: string; revision: number };
type QuarantineDecision = { source: string; tool: string; actor: string; revision: number };
type ApprovalDecision = { tenantId: string; id: string; tool: string; actor: string; revision: number };

/** An operator's change of a limit. `tenantId: ''` = a limit that is not for one tenant alone. */
type LimitChange = { tenantId: string; limit: string; actor: string; revision: number };

/** An operator's change of a profile of the gateway. */
type ProfileChange = { profile: string; actor: string; revision: number };

/** Fields of events that belong to no request, by type. A `reason` is for operators. */
interface EventFields {
  'catalog.published': {
    revision: number;
    tools: number;
    deferred: number;
    engine: string;
    ms: number;
    /** The tenant whose own tools changed; absent if shared tools changed. */
    owner?: string;
  };
  'source.loaded': { source: string; tools: number; refused: number; ms: number };
  'source.degraded': { source: string; code: ToolSearchErrorCode; reason: string; retryInMs: number };
  /** The source changes more than its budget allows, so its next load is delayed. */
  'source.throttled': {
    source: string;
    /** Characters that its loads brought in the last minute. */
    chars: number;
    waitMs: number;
  };
  /** A degraded source is ready again. */
  'source.recovered': { source: string; downMs: number };
  /** Numbers of tools that differ from the previous load. */
  'source.changed': { source: string; added: number; changed: number; removed: number };
  /** A definition waits for an operator's approval; emitted once per definition. */
  'tool.quarantined': { source: string; tool: string; reason: string };
  /** An inspector suspects a tool, which stays usable; emitted once per definition. */
  'tool.reported': { source: string; tool: string; code: string; reason: string };
  /** A tenant's own sources could not be loaded, or one of them was refused. */
  'tenant_sources.degraded': {
    tenantId: string;
    code: ToolSearchErrorCode;
    reason: string;
    /** 0 = no automatic retry. */
    retryInMs: number;
  };
  /** With `count`, the source left out so many tools for this reason; `tool` is the first. */
  'tool.refused': { source: string; tool: string; code: ToolSearchErrorCode; reason: string; count?: number };
  /** The tool was accepted after a part of it was changed; `count` as above. */
  'tool.amended': { source: string; tool: string; reason: string; count?: number };
  /** Every tool of the newest catalog has its vector. */
  'embedder.ready': {
    embedder: string;
    tools: number;
    /** Texts embedded since the previous event; the other vectors were cached. */
    embedded: number;
    ms: number;
  };
  /** Tools without a vector, or queries for a while, are ranked by words alone. */
  'embedder.degraded': { embedder: string; task: 'tools' | 'query'; reason: string; retryInMs: number };
  /** A batch of example queries was written and stored. */
  'example_queries.written': {
    writer: string;
    tools: number;
    queries: number;
    inputTokens: number;
    outputTokens: number;
    ms: number;
  };
  /** The writer, or the store of what it writes, failed. Search goes on with the queries that there are. */
  'example_queries.degraded': { writer: string; reason: string; retryInMs: number };
  /** The budget leaves no room for another tool. */
  'example_queries.budget_spent': { writer: string };
  'example_queries.set': ExampleQueryChange;
  'example_queries.discarded': ExampleQueryChange;
  'activation.swept': { removed: number };
  /** Records of calls that were lost, because the store took none for so long that the buffer was full. */
  'record.lost': { records: number };
  'kill_switch.engaged': KillSwitchChange;
  'kill_switch.released': KillSwitchChange;
  'policy.set': PolicyChange;
  'policy.removed': PolicyChange;
  'limit.set': LimitChange;
  'limit.removed': LimitChange;
  'profile.set': ProfileChange;
  'profile.removed': ProfileChange;
  'deprecation.set': DeprecationChange;
  'deprecation.removed': DeprecationChange;
  'quarantine.approved': QuarantineDecision;
  'quarantine.rejected': QuarantineDecision;
  'approval.approved': ApprovalDecision;
  'approval.refused': ApprovalDecision;
  /** This process applies a new control revision. */
  'control.applied': { revision: number; switches: number };
  'control.health_changed': {
    state: 'ready' | 'stale' | 'closed';
    ageMs: number;
    /** Whether the last write succeeded. */
    writable: boolean;
    /** Why the gate closed at once; set only if the store was lost. */
    reason?: string;
  };
  /** The store is at an older revision, as after a restore: not applied; the gate closes as the lease ends. */
  'control.rolled_back': { held: number; found: number };
  /** A user has connected an account. */
  'credentials.connected': UserCredentialChange;
  /** A user's token was refreshed. */
  'credentials.refreshed': UserCredentialChange;
  /** The provider no longer accepts a user's credential. */
  'credentials.ended': UserCredentialChange;
  /** A credential was removed, and ended at the provider if it could be. */
  'credentials.revoked': { tenantId: string; userId: string; source: string; actor: string; endedAtProvider: boolean };
  'activation.revoked': {
    /** Absent if all tenants were affected. */
    tenantId?: string;
    removed: number;
  };
}

/** A decision of an operator about the deprecation of one tool. */
interface DeprecationChange {
  readonly tool: string;
  readonly actor: string;
  readonly revision: number;
}

/** A change of a user's credential for one source. */
interface UserCredentialChange {
  tenantId: string;
  userId: string;
  source: string;
}

/** A decision of an operator about the example queries of one definition. */
interface ExampleQueryChange {
  readonly tool: string;
  /** The tenant that owns the tool; `''` = shared. */
  readonly owner: string;
  readonly actor: string;
  readonly revision: number;
}

/** Fields of events of a request, by type. */
interface RequestEventFields {
  'policy.filtered': {
    /** Number of tools that the layer removed from this tenant's catalog. */
    removed: number;
    visible: number;
    layer: Layer;
    /** Names of the removed tools, the first 100; for operators, and only while the log level is `debug`. */
    tools?: readonly string[];
  };
  'tool.searched': {
    searchId: string;
    requestedType: SearchType;
    effectiveType: SearchType;
    results: number;
    verdict: SearchVerdict;
    ms: number;
  };
  /** A search without a match, one whose hits were never called, or repeated searches without another action. */
  'search.gap_found': { kind: 'zero_hit' | 'unused' | 'looped'; searchId: string };
  /** The tools that a model received at one step; emitted if tokens are counted. */
  'surface.shown': {
    mode: 'all' | 'deferred' | 'bridge' | 'native';
    /** The reason for the mode, in one sentence. */
    reason: string;
    tools: number;
    metaTools: number;
    /** Tokens of tools, meta tools and prompt parts. */
    shownTokens: number;
    /** Tokens of a plain list of all visible tools. */
    fullTokens: number;
    tokenizer: TokenizerName;
    /** Whether the prompt starts as in the run's previous step (`first`: none), for the provider's cache. */
    cache: 'first' | 'kept' | 'broken';
  };
  /** A model called a meta tool; emitted if tokens are counted. */
  'meta_tool.answered': {
    kind: 'search' | 'get' | 'load' | 'call' | 'result';
    /** Tokens of the arguments and the answer. */
    tokens: number;
    tokenizer: TokenizerName;
  };
  'tool.described': { tools: readonly string[] };
  'tool.offered': { tools: readonly string[] };
  'tool.activated': { tool: string; scope: 'run' | 'session'; reason: ActivationReason };
  /** The least recently used tool was removed because its run or session was full. */
  'tool.demoted': { tool: string; scope: 'run' | 'session' };
  /** The run or session has reached its limit of tools. */
  'activation.refused': { tool: string; scope: 'run' | 'session' };
  'tool.denied': { tool: string; layer: Layer; rule: string; reason: string };
  /** A limit refused a call, which was not counted. `retryAfterMs` is absent if waiting does not help. */
  'limit.reached': { tool: string; limit: string; retryAfterMs?: number };
  /** The counters of these limits could not be read: a hard limit refused the call, or it ran unchecked. */
  'limit.unchecked': { tool: string; limits: readonly string[]; refused: boolean; reason: string };
  /** The provider would refuse this tool, and with it the whole request; emitted once per toolbox. */
  'tool.left_out': { provider: string; tool: string; reason: string };
  /** The source runs as many calls as it may, and no more may wait, so this call was refused. */
  'source.overloaded': { source: string; tool: string; waiting: number; retryAfterSeconds: number };
  'tool.called': {
    callId: string;
    tool: string;
    outcome: 'ok' | ToolSearchErrorCode;
    ms: number;
    /** Texts of the result that the redactor changed. @default absent if the tool's results are not redacted */
    redacted?: number;
    /** Answered from the cache, or by an equal call that was running. Absent if the tool ran. */
    cached?: true;
  };
  /** A result was too large for a model, which received a shortened one. */
  'result.shortened': {
    callId: string;
    tool: string;
    /** Characters of the whole result. */
    chars: number;
    /** Whether the whole result can be read on. */
    held: boolean;
  };
  'hints.rendered': { tools: number };
  'directory.rendered': {
    groups: number;
    /** Number of tools listed by name. */
    tools: number;
    /**
     * The highest level of detail of any group; lower than `exposure.directory.detail` if the token budget was too
     * small.
     */
    level: 'full' | 'names' | 'groups' | 'counts' | 'none';
    /** Number of groups shown with one level of detail less. */
    collapsed: number;
  };
  'run.paused': {
    /** Number of tools in use. */
    tools: number;
  };
  'run.resumed': { same: number; changed: number; gone: number };
  'approval.asked': { id: string; tool: string };
  /** The approval of one call was used: the tool runs now. Without `callId` for work that the application does itself. */
  'approval.used': { id: string; tool: string; callId?: string };
  'tool.explained': { tool: string; outcome: Decision['outcome']; layers: readonly LayerVerdict[] };
}

type Events = { [T in keyof EventFields]: EventBase & { readonly type: T } & Readonly<EventFields[T]> } & {
  [T in keyof RequestEventFields]: RequestEventBase & { readonly type: T } & Readonly<RequestEventFields[T]>;
};

/** The union of all events. */
export type ToolEvent = Events[keyof Events];

/** The event of one type. */
export type ToolEventOf<T extends ToolEvent['type']> = Events[T];

/** An event before {@link ToolEvents} sets `at`. */
export type NewToolEvent = ToolEvent extends infer E ? (E extends ToolEvent ? Omit<E, 'at'> : never) : never;

// The return value matters only if it is a promise.
type Listener = (event: never) => unknown;

/**
 * Delivers events synchronously: to the listeners of their type, then to those of all types, each in order. A listener's
 * error affects no other; `onListenerError` gets it.
 */
export class ToolEvents {
  readonly #listeners = new Map<string, Set<Listener>>();

  constructor(
    private readonly now: () => number = Date.now,
    private readonly onListenerError: (error: unknown) => void = () => undefined,
  ) {}

  /** Listens to one type of event, or to all with `'*'`. Returns a function that removes the listener. */
  on(type: '*', listener: (event: ToolEvent) => void): () => void;
  on<T extends ToolEvent['type']>(type: T, listener: (event: ToolEventOf<T>) => void): () => void;
  on(type: string, listener: Listener): () => void {
    const listeners = this.#listeners.get(type) ?? new Set();
    this.#listeners.set(type, listeners);
    // A function that listens twice is called twice.
    const own: Listener = (event) => listener(event);
    listeners.add(own);
    return () => listeners.delete(own);
  }

  emit(event: NewToolEvent): void {
    const own = this.#listeners.get(event.type);
    const all = this.#listeners.get('*');
    if (!own?.size && !all?.size) return;
    const stamped = { at: this.now(), ...event } as ToolEvent;
    for (const listeners of [own, all]) {
      for (const listener of listeners ?? []) this.#tell(listener, stamped);
    }
  }

  #tell(listener: Listener, event: ToolEvent): void {
    try {
      const pending = listener(event as never);
      // A listener may be async; its rejection must not end the process.
      if (pending instanceof Promise) pending.catch(this.onListenerError);
    } catch (error) {
      this.onListenerError(error);
    }
  }
}
