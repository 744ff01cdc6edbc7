import { type PlainText, plainText } from './safe-text.js';

// What operators call the things that the routes name otherwise: one word for each idea, on every screen.

const CHECKS: Readonly<Record<string, string>> = {
  visibility: 'visibility policy',
  policy: 'access policy',
  kill_switch: 'kill switch',
  lifecycle: 'end of life',
  arguments: 'rules on arguments',
  call_policy: 'call policy',
  loading: 'listing',
  activation: 'in use',
  budget: 'room for tools',
};

/** The name of one check of a decision, a `layer` of the routes. */
export const checkName = (layer: string): string => CHECKS[layer] ?? layer;

/** Rules that say nothing beside the reason of a check. */
const SILENT_RULES = new Set([
  '',
  'default',
  'fault',
  'filter',
  'limit',
  'owner',
  'rejected',
  'sunset',
  'suspicion',
  'unknown',
]);

/** Whether the code word of a rule says something that its reason does not. */
export const isTelling = (rule: string): boolean => !SILENT_RULES.has(rule);

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

/** The `kind` of this name. @returns `tool` for any other name */
export const targetKind = (name: string | null): (typeof TARGETS)[number][0] =>
  TARGETS.find(([id]) => id === name)?.[0] ?? 'tool';

/** What a kill switch turns off, in words. */
export const targetName = (kind: string): string => TARGETS.find(([id]) => id === kind)?.[1] ?? kind;

const ACTIONS: Readonly<Record<string, string>> = {
  'kill_switch.engaged': 'turned off',
  'kill_switch.released': 'turned on again',
  'quarantine.approved': 'accepted a definition of',
  'quarantine.rejected': 'rejected a definition of',
  'approval.asked': 'asked for an approval of',
  'approval.approved': 'approved the calls of',
  'approval.refused': 'refused the calls of',
  'approval.approve_refused': 'was not allowed to approve the calls of',
  'policy.set': 'set the access policy of',
  'policy.removed': 'removed the access policy of',
  'example_queries.set': 'set the example queries of',
  'example_queries.discarded': 'discarded the example queries of',
  'deprecation.set': 'set the end of life of',
  'deprecation.removed': 'removed the end of life of',
  'limit.set': 'set the limit',
  'limit.removed': 'removed the limit',
  'profile.set': 'set the profile',
  'profile.removed': 'removed the profile',
  'activation.revoke_asked': 'began to take out of use',
  'activation.revoked': 'took out of use',
  'activation.sweep_asked': 'began to remove',
  'activation.swept': 'removed',
  'credentials.revoked': 'removed the account of',
  'calls.erased': 'erased from the',
  'search_cache.cleared': 'emptied the',
  'search_gaps.reset': 'deleted',
  'admin.refused': 'was refused the request',
};

/** What an operator did, the `action` of the audit trail. */
export const actionName = (action: string): string => ACTIONS[action] ?? action;

/** To what an operator did it; a request that was refused is named in the words of its route. */
export const subjectName = (action: string, subject: string): string =>
  action === 'admin.refused' ? `“${subject.replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)}”` : subject;

const DEEDS: Readonly<Record<string, string>> = {
  call: 'called',
  admitted: 'was admitted to the work of',
  shown: 'was shown',
  searched: 'searched and found',
  described: 'read the definition of',
  loaded: 'loaded',
  completed: 'asked for suggestions of',
};

/** What a caller did, the `kind` of a record. */
export const deedName = (kind: string): string => DEEDS[kind] ?? kind;

/** Who asks: `user@tenant`. */
export const callerName = ({ userId, tenantId }: { readonly userId: string; readonly tenantId: string }): string =>
  `${userId === '' ? 'nobody named' : userId}@${tenantId}`;

/** A number with its noun. @param nouns the plural, where it is not the noun with an s */
export const counted = (number: number, noun: string, nouns = `${noun}s`): PlainText =>
  plainText(`${number.toLocaleString('en')} ${number === 1 ? noun : nouns}`);

/** How many instances obey a decision. */
export const obeyed = (obey: number, instances: number): PlainText =>
  plainText(`${obey.toLocaleString('en')} of ${counted(instances, 'instance obeys', 'instances obey')}`);

/** By which change of operators something holds. */
export const changeName = (revision: number): PlainText =>
  plainText(revision === 0 ? 'no change yet' : `change ${revision}`);
