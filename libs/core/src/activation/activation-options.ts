import { z } from 'zod';
import { described, list, neverUndefined, object, oneOf, type OptionsOf, rule, whole } from '../options/options.js';
import { glob } from '../tool/source/source-options.js';

export const activationOptions = object({
  /** Owner of activations. @default `session` when the context has a `sessionId`, otherwise `run` */
  scope: oneOf('run', 'session').optional(),
  /**
   * When a deferred tool enters the list: `call` = search offers it, and its first call activates it; `load` = only
   * after an explicit `tool_load`; `search` = search activates it at once. A call always activates its tool.
   *
   * @default 'call'
   */
  activateOn: oneOf('call', 'load', 'search').default('call'),
  /**
   * Where activations are kept: in the store, or only in the conversation's `messages`, as receipts at the end of tool
   * results. A receipt is no authorization: its tools are listed only if the gate allows them, within the same limits.
   *
   * @default 'store'
   */
  storage: oneOf('store', 'messages').default('store'),
  /**
   * Key that authenticates receipts, the same on all instances, at least 16 characters. Without it, a client that knows
   * the ids of a run or session can forge a receipt, and so list tools that its user may use anyway.
   *
   * @default none
   */
  receiptSecret: neverUndefined(described(z.string().min(16), 'a text of at least 16 characters')).optional(),
  /** Maximum number of tools per run or session; 0 = no limit. @default 100 */
  maxTools: whole(0, 100_000).default(100),
  /** Maximum tokens of tool definitions per run or session; 0 = no limit. @default 0 */
  maxTokens: whole(0, 100_000_000).default(0),
  /**
   * Behaviour of a full run or session. `refuse`: no further tools are activated. `demote`: once the provider's prompt
   * cache has expired, the least recently used tools are removed, down to three quarters of each limit; until then, no
   * further tools are activated. A demoted tool can be found and activated again.
   *
   * @default 'refuse'
   */
  whenFull: oneOf('refuse', 'demote').default('refuse'),
  /** Globs of canonical names that are never demoted. @default [] */
  pinned: list(glob()).default([]),
  /**
   * Milliseconds without use after which the provider's prompt cache has expired. Up to one minute is added, because
   * use is recorded to the minute.
   *
   * @default 300000 (5 min, as of Anthropic's and OpenAI's prompt caches)
   */
  cacheTtlMs: whole(1000, 86_400_000).default(300_000),
  /**
   * Milliseconds without use after which a run or session is forgotten; 0 = never. A call or activation is a use, and so is
   * each step that lists active tools, to a precision of a tenth of this time.
   *
   * @default 86400000 (24 h)
   */
  idleTtlMs: whole(0, 31_536_000_000).default(86_400_000),
}).check(
  rule(
    'whenFull',
    "'refuse' where activations are kept in messages: trimming them makes room",
    (set) => set.storage !== 'messages' || set.whenFull !== 'demote',
  ),
  rule(
    'receiptSecret',
    "left out unless activation.storage is 'messages'",
    (set) => set.receiptSecret === undefined || set.storage === 'messages',
  ),
);

export interface ActivationOptions extends OptionsOf<typeof activationOptions> {}

export const activationTuning = object({
  /** Milliseconds between sweeps of forgotten runs and sessions; 0 = no sweeps. @default 60000 */
  sweepEveryMs: whole(0, 86_400_000).default(60_000),
});

export interface ActivationTuning extends OptionsOf<typeof activationTuning> {}

export const activationSchema = object({ ...activationOptions.shape, ...activationTuning.shape });
