import type { Layer } from '@tool-search/core/internal';

const KNOWN = new Set([
  'allow',
  'deny',
  'requireTags',
  'arguments',
  'approval',
  'filter',
  'filter-search',
  'filter-load',
  'filter-active',
  'fault',
  'owner',
  'unknown',
  'suspicion',
  'rejected',
]);

/**
 * The kind of a rule, for metric labels: `deny` for `tenant:deny:crm.*`. Returns one of a fixed set, because globs,
 * tags and switch ids would create unlimited label values; an unknown rule counts under the name of its layer.
 */
export function denialReason(layer: Layer, rule: string): string {
  return rule.split(':', 2).find((part) => KNOWN.has(part)) ?? layer;
}
