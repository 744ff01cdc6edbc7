/** Settings of activations. */
export interface ActivationOptions {
  /** Left out: `session` when the context has a `sessionId`, else `run`. */
  readonly scope?: 'run' | 'session';
  /**
   * What brings a deferred tool into the list: being found (`call`: it is offered, and its first call activates it), an
   * explicit `tool_load`, or being found, at once and for good (`search`). A call activates in any case. @default 'call'
   */
  readonly activateOn?: 'call' | 'load' | 'search';
  /**
   * Where activations are kept: in the store, or in the `messages` of the conversation alone, as receipts at the end of the
   * results of calls that activate something. Receipts are evidence, not authorization: what they name is listed if the gate
   * allows it, within the same limits. @default 'store'
   */
  readonly storage?: 'store' | 'messages';
  /**
   * What receipts are sealed with, the same on all instances, 16 characters at least. Without it, whoever knows the ids of a
   * run or session could write a receipt, and so list tools that its user may use anyway. @default none
   */
  readonly receiptSecret?: string;
  /** Tools one run or session may hold; 0 = no limit. @default 100 */
  readonly maxTools?: number;
  /** Tokens of definitions one run or session may hold; 0 = no limit. @default 0 */
  readonly maxTokens?: number;
  /**
   * What becomes of a run or session that holds as much as it may. `refuse`: it takes up nothing more. `demote`: whenever
   * the provider's prompt cache is lost anyway, the tools it has not used for longest make room, down to three quarters of
   * each limit; in between it takes up nothing more. A demoted tool is found and activated again like any other.
   * @default 'refuse'
   */
  readonly whenFull?: 'refuse' | 'demote';
  /** Canonical names that are never demoted, as globs. @default [] */
  readonly pinned?: readonly string[];
  /**
   * Milliseconds without use after which a provider has forgotten the prompt of a conversation; taken a minute longer,
   * because use is kept to the minute. @default 300000 (5 min, as of Anthropic's and OpenAI's prompt caches)
   */
  readonly cacheTtlMs?: number;
  /** Milliseconds without use after which a run or session is forgotten; 0 = never. @default 86400000 (24 h) */
  readonly idleTtlMs?: number;
  /** Milliseconds between sweeps of forgotten ones; 0 = no sweeping. @default 60000 */
  readonly sweepEveryMs?: number;
}
