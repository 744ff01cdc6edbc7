import type { Layer } from '@tool-search/core';

const KNOWN = new Set([
  'allow',
  'deny',
  'requireTags',
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
 * The kind of a rule, for labels: `deny` for `tenant:deny:crm.*`. One of few words, because globs, tags and ids of switches
 * are as many as operators write; a rule of no known kind counts under its layer's name.
 */
export function denialReason(layer: Layer, rule: string): string {
  return rule.split(':', 2).find((part) => KNOWN.has(part)) ?? layer;
}
