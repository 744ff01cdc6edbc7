/**
 * The layers that decide about a tool, in the order in which they are asked. The gate decides up to `approval`, and about
 * the arguments of a call once they have been checked; then call policies are asked. Limits are taken by the call itself.
 */
export const LAYERS = [
  'source',
  'quarantine',
  'policy',
  'visibility',
  'kill_switch',
  'lifecycle',
  'arguments',
  'call_policy',
  'approval',
  'limit',
] as const;

/** A layer of {@link LAYERS}. Loading, activation and budget are states of a tool, not decisions about it. */
export type Layer = (typeof LAYERS)[number];

/** All outcomes of a decision. */
export const DECISIONS = ['allow', 'approve', 'deny'] as const;

/** The gate's decision about one tool for one context. `reason` is for operators; callers never receive it. */
export interface Decision {
  readonly outcome: (typeof DECISIONS)[number];
  /** The layer that decided; for `allow` the last layer of the gate. */
  readonly layer: Layer;
  /** Id of the rule, for example `deny:crm.delete_*`. */
  readonly rule: string;
  readonly reason: string;
  /** Of `approve`: whether an approval allows one call, or every call of the tool in the run or session for a time. */
  readonly scope?: 'call' | 'session';
  /** Of `approve`: the rule itself as canonical JSON, to which an approval of one call is bound. */
  readonly content?: string;
  /** Of a rule on arguments: what its author tells the caller. */
  readonly message?: string;
}

/** The layers of an explanation: those that decide, then the states of the tool. */
export const EXPLAINED_LAYERS = [...LAYERS, 'loading', 'activation', 'budget'] as const;

/** All verdicts of a layer in an explanation. */
export const LAYER_VERDICTS = ['pass', 'approve', 'deny', 'not_reached'] as const;

/** The verdict of one layer in an explanation. */
export interface LayerVerdict {
  readonly layer: (typeof EXPLAINED_LAYERS)[number];
  readonly verdict: (typeof LAYER_VERDICTS)[number];
  readonly rule: string;
  readonly reason: string;
}
