import fc from 'fast-check';
import { denialReason } from './denial-reason.js';

it.each([
  ['policy', 'deny:crm.delete_*', 'deny'],
  ['policy', 'allow', 'allow'],
  ['policy', 'requireTags:money', 'requireTags'],
  ['policy', 'source:deny:crm.*', 'deny'],
  ['policy', 'tenant:allow', 'allow'],
  ['policy', 'deny:allow', 'deny'],
  ['visibility', 'filter', 'filter'],
  ['visibility', 'fault', 'fault'],
  ['source', 'owner', 'owner'],
  ['source', 'unknown', 'unknown'],
  ['kill_switch', 'ks_0123456789abcdef01234567', 'kill_switch'],
  ['policy', '', 'policy'],
] as const)('a denial by %s %s counts as %s', (layer, rule, reason) => {
  expect(denialReason(layer, rule)).toBe(reason);
});

it('is one of a few fixed values, for any text of operators', () => {
  const rules = fc.oneof(
    fc.string(),
    fc.tuple(fc.string(), fc.string(), fc.string()).map((parts) => parts.join(':')),
  );
  const seen = new Set<string>();
  fc.assert(
    fc.property(rules, (rule) => void seen.add(denialReason('policy', rule))),
    { numRuns: 2000 },
  );
  expect([...seen].filter((word) => !/^[a-zA-Z-]{4,13}$/.test(word))).toEqual([]);
  expect(seen.size).toBeLessThan(14);
});
