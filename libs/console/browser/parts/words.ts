// What operators call the things that the routes name otherwise: one word for each idea, on every screen.

const CHECKS: Readonly<Record<string, string>> = {
  visibility: 'visibility policy',
  kill_switch: 'kill switch',
  lifecycle: 'end of life',
  loading: 'listing',
  activation: 'in use',
  budget: 'room for tools',
};

/** The name of one check of a decision, a `layer` of the routes. */
export const checkName = (layer: string): string => CHECKS[layer] ?? layer;

const EFFECTS: Readonly<Record<string, string>> = {
  pure: 'only computes',
  read: 'reads',
  write: 'changes data',
  external: 'may act outside',
  stateful: 'keeps a state',
};

/** The values of `sideEffects`, from mildest to strongest. */
export const EFFECT_KINDS = Object.entries(EFFECTS);

/** What a tool does, its `sideEffects`. */
export const effectName = (sideEffects: string): string => EFFECTS[sideEffects] ?? sideEffects;

/** What a kill switch turns off: its `kind`, the words, and an example. */
export const TARGETS = [
  ['tool', 'one tool', 'billing.refund_invoice'],
  ['glob', 'tools whose names match a pattern', 'billing.refund_*'],
  ['namespace', 'a namespace', 'billing'],
  ['tag', 'tools with a tag', 'finance'],
  ['side_effects', 'tools by what they do', 'write'],
] as const;

/** What a kill switch turns off, in words. */
export const targetName = (kind: string): string => TARGETS.find(([id]) => id === kind)?.[1] ?? kind;

const ACTIONS: Readonly<Record<string, string>> = {
  'kill_switch.engaged': 'turned off',
  'kill_switch.released': 'turned on again',
};

/** What an operator did, the `action` of the audit trail. */
export const actionName = (action: string): string => ACTIONS[action] ?? action;
