/** The option `activation` of the module. */
export interface ActivationOptions {
  /** Owner of activations. @default `session` when the context has a `sessionId`, otherwise `run` */
  readonly scope?: 'run' | 'session';
  /**
   * When a deferred tool enters the list: `call` = search offers it, and its first call activates it; `load` = only
   * after an explicit `tool_load`; `search` = search activates it at once. A call always activates its tool.
   *
   * @default 'call'
   */
  readonly activateOn?: 'call' | 'load' | 'search';
  /**
   * Where activations are kept: in the store, or only in the conversation's `messages`, as receipts at the end of tool
   * results. A receipt is no authorization: its tools are listed only if the gate allows them, within the same limits.
   *
   * @default 'store'
   */
  readonly storage?: 'store' | 'messages';
  /**
   * Key that authenticates receipts, the same on all instances, at least 16 characters. Without it, a client that knows
   * the ids of a run or session can forge a receipt, and so list tools that its user may use anyway.
   *
   * @default none
   */
  readonly receiptSecret?: string;
  /** Maximum number of tools per run or session; 0 = no limit. @default 100 */
  readonly maxTools?: number;
  /** Maximum tokens of tool definitions per run or session; 0 = no limit. @default 0 */
  readonly maxTokens?: number;
  /**
   * Behaviour of a full run or session. `refuse`: no further tools are activated. `demote`: once the provider's prompt
   * cache has expired, the least recently used tools are removed, down to three quarters of each limit; until then, no
   * further tools are activated. A demoted tool can be found and activated again.
   *
   * @default 'refuse'
   */
  readonly whenFull?: 'refuse' | 'demote';
  /** Globs of canonical names that are never demoted. @default [] */
  readonly pinned?: readonly string[];
  /**
   * Milliseconds without use after which the provider's prompt cache has expired. Up to one minute is added, because
   * use is recorded to the minute.
   *
   * @default 300000 (5 min, as of Anthropic's and OpenAI's prompt caches)
   */
  readonly cacheTtlMs?: number;
  /** Milliseconds without use after which a run or session is forgotten; 0 = never. @default 86400000 (24 h) */
  readonly idleTtlMs?: number;
  /** Milliseconds between sweeps of forgotten runs and sessions; 0 = no sweeps. @default 60000 */
  readonly sweepEveryMs?: number;
}
