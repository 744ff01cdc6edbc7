import type { Decision, Layer, LayerVerdict } from './decision.js';
import type { TokenizerName } from './token-count.js';
import type { ToolSearchErrorCode } from './tool-search.error.js';

/**
 * How a query was matched or was to be matched: ranked words, the durable full-text engine, a pattern, or an exact
 * name.
 */
export type SearchType = 'bm25' | 'fts' | 'regex' | 'exact';

/** The cause of an activation. */
export type ActivationReason = 'first_use' | 'load' | 'search';

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

/** The union of all events. */
export type ToolEvent =
  | (EventBase & {
      readonly type: 'catalog.published';
      readonly revision: number;
      readonly tools: number;
      readonly deferred: number;
      readonly engine: string;
      readonly ms: number;
      /** The tenant whose own tools changed; absent if shared tools changed. */
      readonly owner?: string;
    })
  | (EventBase & {
      readonly type: 'source.loaded';
      readonly source: string;
      readonly tools: number;
      readonly refused: number;
      readonly ms: number;
    })
  | (EventBase & {
      readonly type: 'source.degraded';
      readonly source: string;
      readonly code: ToolSearchErrorCode;
      /** For operators. */
      readonly reason: string;
      readonly retryInMs: number;
    })
  | (EventBase & {
      /** The source changes more than its budget allows, so its next load is delayed. */
      readonly type: 'source.throttled';
      readonly source: string;
      /** Characters that its loads brought in the last minute. */
      readonly chars: number;
      readonly waitMs: number;
    })
  | (EventBase & {
      /** A degraded source is ready again. */
      readonly type: 'source.recovered';
      readonly source: string;
      readonly downMs: number;
    })
  | (EventBase & {
      /** Numbers of tools that differ from the previous load. */
      readonly type: 'source.changed';
      readonly source: string;
      readonly added: number;
      readonly changed: number;
      readonly removed: number;
    })
  | (EventBase & {
      /** A definition waits for an operator's approval; emitted once per definition. */
      readonly type: 'tool.quarantined';
      readonly source: string;
      readonly tool: string;
      /** For operators. */
      readonly reason: string;
    })
  | (EventBase & {
      /** A tenant's own sources could not be loaded, or one of them was refused. */
      readonly type: 'tenant_sources.degraded';
      readonly tenantId: string;
      readonly code: ToolSearchErrorCode;
      /** For operators. */
      readonly reason: string;
      /** 0 = no automatic retry. */
      readonly retryInMs: number;
    })
  | (EventBase & {
      readonly type: 'tool.refused';
      readonly source: string;
      readonly tool: string;
      readonly code: ToolSearchErrorCode;
      readonly reason: string;
    })
  | (EventBase & {
      /** The tool was accepted after a part of it was changed. */
      readonly type: 'tool.amended';
      readonly source: string;
      readonly tool: string;
      readonly reason: string;
    })
  | (EventBase & {
      /** Every tool of the newest catalog has its vector. */
      readonly type: 'embedder.ready';
      readonly embedder: string;
      readonly tools: number;
      /** Texts embedded since the previous event; the other vectors were cached. */
      readonly embedded: number;
      readonly ms: number;
    })
  | (EventBase & {
      /** Tools without a vector, or queries for a while, are ranked by words alone. */
      readonly type: 'embedder.degraded';
      readonly embedder: string;
      readonly task: 'tools' | 'query';
      /** For operators. */
      readonly reason: string;
      readonly retryInMs: number;
    })
  | (RequestEventBase & {
      readonly type: 'policy.filtered';
      /** Number of tools that the layer removed from this tenant's catalog. */
      readonly removed: number;
      readonly visible: number;
      readonly layer: Layer;
    })
  | (RequestEventBase & {
      readonly type: 'tool.searched';
      readonly searchId: string;
      readonly requestedType: SearchType;
      readonly effectiveType: SearchType;
      readonly results: number;
      readonly verdict: 'found' | 'none';
      readonly ms: number;
    })
  | (RequestEventBase & {
      /** A search without a match, one whose hits were never called, or repeated searches without another action. */
      readonly type: 'search.gap_found';
      readonly kind: 'zero_hit' | 'unused' | 'looped';
      readonly searchId: string;
    })
  | (RequestEventBase & {
      /** The tools that a model received at one step; emitted if tokens are counted. */
      readonly type: 'surface.shown';
      readonly mode: 'all' | 'deferred' | 'bridge' | 'native';
      /** The reason for the mode, in one sentence. */
      readonly reason: string;
      readonly tools: number;
      readonly metaTools: number;
      /** Tokens of tools, meta tools and prompt parts. */
      readonly shownTokens: number;
      /** Tokens of a plain list of all visible tools. */
      readonly fullTokens: number;
      readonly tokenizer: TokenizerName;
      /**
       * Whether the prompt's prefix is unchanged since the previous step of this run, so that the provider's cache
       * serves it. `first`: there is no previous step.
       */
      readonly cache: 'first' | 'kept' | 'broken';
    })
  | (RequestEventBase & {
      /** A model called a meta tool; emitted if tokens are counted. */
      readonly type: 'meta_tool.answered';
      readonly kind: 'search' | 'get' | 'load' | 'call';
      /** Tokens of the arguments and the answer. */
      readonly tokens: number;
      readonly tokenizer: TokenizerName;
    })
  | (RequestEventBase & { readonly type: 'tool.described'; readonly tools: readonly string[] })
  | (RequestEventBase & { readonly type: 'tool.offered'; readonly tools: readonly string[] })
  | (RequestEventBase & {
      readonly type: 'tool.activated';
      readonly tool: string;
      readonly scope: 'run' | 'session';
      readonly reason: ActivationReason;
    })
  | (RequestEventBase & {
      /** The least recently used tool was removed because its run or session was full. */
      readonly type: 'tool.demoted';
      readonly tool: string;
      readonly scope: 'run' | 'session';
    })
  | (RequestEventBase & {
      /** The run or session has reached its limit of tools. */
      readonly type: 'activation.refused';
      readonly tool: string;
      readonly scope: 'run' | 'session';
    })
  | (RequestEventBase & {
      readonly type: 'tool.denied';
      readonly tool: string;
      readonly layer: Layer;
      readonly rule: string;
      readonly reason: string;
    })
  | (RequestEventBase & {
      /** The provider would refuse this tool, and with it the whole request; emitted once per toolbox. */
      readonly type: 'tool.left_out';
      readonly provider: string;
      readonly tool: string;
      readonly reason: string;
    })
  | (RequestEventBase & {
      readonly type: 'tool.called';
      readonly callId: string;
      readonly tool: string;
      readonly outcome: 'ok' | ToolSearchErrorCode;
      readonly ms: number;
    })
  | (RequestEventBase & { readonly type: 'hints.rendered'; readonly tools: number })
  | (RequestEventBase & {
      readonly type: 'directory.rendered';
      readonly groups: number;
      /** Number of tools listed by name. */
      readonly tools: number;
      /**
       * The highest level of detail of any group; lower than `exposure.directory.detail` if the token budget was too
       * small.
       */
      readonly level: 'full' | 'names' | 'groups' | 'counts' | 'none';
      /** Number of groups shown with one level of detail less. */
      readonly collapsed: number;
    })
  | (RequestEventBase & {
      readonly type: 'run.paused';
      /** Number of tools in use. */
      readonly tools: number;
    })
  | (RequestEventBase & {
      readonly type: 'run.resumed';
      readonly same: number;
      readonly changed: number;
      readonly gone: number;
    })
  | (EventBase & { readonly type: 'activation.swept'; readonly removed: number })
  | (EventBase & {
      readonly type: 'kill_switch.engaged' | 'kill_switch.released';
      /** `''` = all tenants. */
      readonly tenantId: string;
      /** Kind and value, for example `glob:crm.*`. */
      readonly target: string;
      readonly actor: string;
      readonly reason: string;
      /** Why the released switch was engaged. */
      readonly engagedReason?: string;
      readonly revision: number;
    })
  | (EventBase & {
      readonly type: 'policy.set' | 'policy.removed';
      readonly tenantId: string;
      readonly agentId?: string;
      readonly actor: string;
      readonly revision: number;
    })
  | (EventBase & {
      readonly type: 'quarantine.approved' | 'quarantine.rejected';
      readonly source: string;
      readonly tool: string;
      readonly actor: string;
      readonly revision: number;
    })
  | (RequestEventBase & { readonly type: 'approval.asked'; readonly id: string; readonly tool: string })
  | (EventBase & {
      readonly type: 'approval.approved' | 'approval.refused';
      readonly tenantId: string;
      readonly id: string;
      readonly tool: string;
      readonly actor: string;
      readonly revision: number;
    })
  /** This process applies a new control revision. */
  | (EventBase & { readonly type: 'control.applied'; readonly revision: number; readonly switches: number })
  | (EventBase & {
      readonly type: 'control.health_changed';
      readonly state: 'ready' | 'stale' | 'closed';
      readonly ageMs: number;
      /** Whether the last write succeeded. */
      readonly writable: boolean;
      /** Why the gate closed at once; set only if the store was lost. */
      readonly reason?: string;
    })
  /**
   * The store went back to an older revision, as after a restore. Its content is not applied, and the gate closes when
   * its lease ends.
   */
  | (EventBase & { readonly type: 'control.rolled_back'; readonly held: number; readonly found: number })
  | (RequestEventBase & {
      readonly type: 'tool.explained';
      readonly tool: string;
      readonly outcome: Decision['outcome'];
      readonly layers: readonly LayerVerdict[];
    })
  | (EventBase & {
      readonly type: 'activation.revoked';
      /** Absent if all tenants were affected. */
      readonly tenantId?: string;
      readonly removed: number;
    });

/** The event of one type. */
export type ToolEventOf<T extends ToolEvent['type']> = Extract<ToolEvent, { type: T }>;

/** An event before {@link ToolEvents} sets `at`. */
export type NewToolEvent = ToolEvent extends infer E ? (E extends ToolEvent ? Omit<E, 'at'> : never) : never;

// The return value matters only if it is a promise.
type Listener = (event: ToolEvent) => unknown;

/**
 * Delivers events to listeners, synchronously and in order. An error of a listener affects neither the caller nor other
 * listeners; it is passed to `onListenerError`.
 */
export class ToolEvents {
  readonly #listeners = new Set<Listener>();

  constructor(
    private readonly now: () => number = Date.now,
    private readonly onListenerError: (error: unknown) => void = () => undefined,
  ) {}

  /** Listens to one type of event, or to all with `'*'`. Returns a function that removes the listener. */
  on(type: '*', listener: (event: ToolEvent) => void): () => void;
  on<T extends ToolEvent['type']>(type: T, listener: (event: ToolEventOf<T>) => void): () => void;
  on(type: string, listener: (event: never) => void): () => void {
    const guarded: Listener = (event) =>
      type === '*' || event.type === type ? (listener as Listener)(event) : undefined;
    this.#listeners.add(guarded);
    return () => this.#listeners.delete(guarded);
  }

  emit(event: NewToolEvent): void {
    if (this.#listeners.size === 0) return;
    const stamped = { at: this.now(), ...event } as ToolEvent;
    for (const listener of this.#listeners) {
      try {
        const pending = listener(stamped);
        // A listener may be async; its rejection must not end the process.
        if (pending instanceof Promise) pending.catch(this.onListenerError);
      } catch (error) {
        this.onListenerError(error);
      }
    }
  }
}
