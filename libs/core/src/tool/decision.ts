/** Where a decision is made, in the order in which layers are asked. */
export const LAYERS = ['source', 'quarantine', 'policy', 'visibility', 'kill_switch', 'approval'] as const;

/** A layer of {@link LAYERS}. Loading, activation and budget are states of a tool, not decisions about it. */
export type Layer = (typeof LAYERS)[number];

/** What the gate says about one tool for one context, and why. The reason is for operators, never for the caller. */
export interface Decision {
  readonly outcome: 'allow' | 'approve' | 'deny';
  /** The layer that decided; for `allow` the last one asked. */
  readonly layer: Layer;
  /** Id of the rule, for example `deny:crm.delete_*`. */
  readonly rule: string;
  readonly reason: string;
}

/** What one layer of an explanation says. */
export interface LayerVerdict {
  readonly layer: Layer | 'loading' | 'activation' | 'budget';
  readonly verdict: 'pass' | 'approve' | 'deny' | 'not_reached';
  readonly rule: string;
  readonly reason: string;
}
