/** Where a decision was made. Loading, activation and budget are states of a tool, not decisions about it. */
export type Layer = 'source' | 'quarantine' | 'policy' | 'visibility' | 'kill_switch' | 'approval';

/** What the gate says about one tool for one context, and why. The reason is for operators, never for the caller. */
export interface Decision {
  readonly outcome: 'allow' | 'approve' | 'deny';
  /** The layer that decided; for `allow` the last one asked. */
  readonly layer: Layer;
  /** Id of the rule, for example `deny:crm.delete_*`. */
  readonly rule: string;
  readonly reason: string;
}
