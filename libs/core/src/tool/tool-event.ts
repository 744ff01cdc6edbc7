import type { Decision, Layer, LayerVerdict } from './decision.js';
import type { TokenizerName } from './token-count.js';
import type { ToolSearchErrorCode } from './tool-search.error.js';

/** How a query was or should be matched: ranked words, the durable full-text engine, a pattern, or a name. */
export type SearchType = 'bm25' | 'fts' | 'regex' | 'exact';

/** Where a run's or session's activation came from. */
export type ActivationReason = 'first_use' | 'load' | 'search';

/** What every event carries: ids, never entities, queries or arguments. */
interface EventBase {
  /** Epoch milliseconds. */
  readonly at: number;
}

interface RequestEventBase extends EventBase {
  readonly tenantId: string;
  readonly runId?: string;
  readonly sessionId?: string;
}

/** Everything that can happen, one union. */
export type ToolEvent =
  | (EventBase & {
      readonly type: 'catalog.published';
      readonly revision: number;
      readonly tools: number;
      readonly deferred: number;
      readonly engine: string;
      readonly ms: number;
      /** The tenant whose own tools changed; left out where those that everybody shares did. */
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
      /** It changes more than its budget allows, so its next load waits. */
      readonly type: 'source.throttled';
      readonly source: string;
      /** What its loads of the last minute brought. */
      readonly chars: number;
      readonly waitMs: number;
    })
  | (EventBase & {
      /** It is ready again. */
      readonly type: 'source.recovered';
      readonly source: string;
      readonly downMs: number;
    })
  | (EventBase & {
      /** A later load brought other tools than the one before; how many. */
      readonly type: 'source.changed';
      readonly source: string;
      readonly added: number;
      readonly changed: number;
      readonly removed: number;
    })
  | (EventBase & {
      /** A definition waits for an operator; told once for each. */
      readonly type: 'tool.quarantined';
      readonly source: string;
      readonly tool: string;
      /** For operators. */
      readonly reason: string;
    })
  | (EventBase & {
      /** A tenant's own sources could not be learned, or one of them was refused. */
      readonly type: 'tenant_sources.degraded';
      readonly tenantId: string;
      readonly code: ToolSearchErrorCode;
      /** For operators. */
      readonly reason: string;
      /** 0 = it is not tried again by itself. */
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
      /** Taken up after something about it had been changed. */
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
      /** Texts embedded since the last time; the other vectors were known. */
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
      /** How many tools the layer removed from this tenant's catalog. */
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
      /** A search that nothing fits, one whose hits were never called, or searches in a row without doing anything else. */
      readonly type: 'search.gap_found';
      readonly kind: 'zero_hit' | 'unused' | 'looped';
      readonly searchId: string;
    })
  | (RequestEventBase & {
      /** What a model was given at one step; told where tokens are counted. */
      readonly type: 'surface.shown';
      readonly mode: 'all' | 'deferred' | 'bridge' | 'native';
      /** How the mode came about, in one sentence. */
      readonly reason: string;
      readonly tools: number;
      readonly metaTools: number;
      /** Tokens of tools, meta tools and prompt parts. */
      readonly shownTokens: number;
      /** Tokens of a plain list of all visible tools. */
      readonly fullTokens: number;
      readonly tokenizer: TokenizerName;
      /** What became of the prompt's prefix since the step before of this run. */
      readonly cache: 'first' | 'kept' | 'broken';
    })
  | (RequestEventBase & {
      /** A meta tool that searches, reads or loads was called by a model; told where tokens are counted. */
      readonly type: 'meta_tool.answered';
      readonly kind: 'search' | 'get' | 'load' | 'call';
      /** Of arguments and answer. */
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
      /** Not used for longest, it made room where its run or session was full. */
      readonly type: 'tool.demoted';
      readonly tool: string;
      readonly scope: 'run' | 'session';
    })
  | (RequestEventBase & {
      /** The run or session holds as many tools as it may. */
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
      /** A provider would have refused it, and the whole request with it; told once for each toolbox. */
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
      /** How many are named. */
      readonly tools: number;
      /** The most that is said of any group; less than `exposure.directory.detail` where its tokens did not suffice. */
      readonly level: 'full' | 'names' | 'groups' | 'counts' | 'none';
      /** Groups of which one level less is said. */
      readonly collapsed: number;
    })
  | (RequestEventBase & {
      readonly type: 'run.paused';
      /** How many were in play. */
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
      /** `''` = everybody. */
      readonly tenantId: string;
      /** Kind and value, for example `glob:crm.*`. */
      readonly target: string;
      readonly actor: string;
      /** Of this decision. */
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
  /** This process decides by a new control revision. */
  | (EventBase & { readonly type: 'control.applied'; readonly revision: number; readonly switches: number })
  | (EventBase & {
      readonly type: 'control.health_changed';
      readonly state: 'ready' | 'stale' | 'closed';
      readonly ageMs: number;
      /** Whether the last write succeeded. */
      readonly writable: boolean;
      /** Why the gate closed at once; absent unless the store is lost. */
      readonly reason?: string;
    })
  /** The store went back, as after a restore: nothing of it is applied, and the gate closes when its lease ends. */
  | (EventBase & { readonly type: 'control.rolled_back'; readonly held: number; readonly found: number })
  | (RequestEventBase & {
      readonly type: 'tool.explained';
      readonly tool: string;
      readonly outcome: Decision['outcome'];
      readonly layers: readonly LayerVerdict[];
    })
  | (EventBase & {
      readonly type: 'activation.revoked';
      /** Left out where it concerned every tenant. */
      readonly tenantId?: string;
      readonly removed: number;
    });

/** An event of one type. */
export type ToolEventOf<T extends ToolEvent['type']> = Extract<ToolEvent, { type: T }>;

/** An event as it is emitted; `at` is stamped by {@link ToolEvents}. */
export type NewToolEvent = ToolEvent extends infer E ? (E extends ToolEvent ? Omit<E, 'at'> : never) : never;

// What a listener returns is looked at for one reason: it may be a promise.
type Listener = (event: ToolEvent) => unknown;

/**
 * Tells listeners what happened, at once and in order. A listener that throws never disturbs the work or the other
 * listeners; its error goes to `onListenerError`.
 */
export class ToolEvents {
  readonly #listeners = new Set<Listener>();

  constructor(
    private readonly now: () => number = Date.now,
    private readonly onListenerError: (error: unknown) => void = () => undefined,
  ) {}

  /** Listens to one type of event, or to all with `'*'`. Returns a function that stops listening. */
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
        // An async listener is legal, and its rejection must not end the process.
        if (pending instanceof Promise) pending.catch(this.onListenerError);
      } catch (error) {
        this.onListenerError(error);
      }
    }
  }
}
