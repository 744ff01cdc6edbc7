import { QueryEdits, queryEditOf } from '../example-queries/query-edit.js';
import { killSwitchOf } from '../kill-switches/kill-switch.js';
import { KillSwitchSet } from '../kill-switches/kill-switch-set.js';
import { quarantineVerdictOf, QuarantineVerdicts } from '../quarantine/quarantine.js';
import { storedPolicyOf, StoredPolicySet } from '../policies/stored-policy.js';
import { type StoredProfile, storedProfileOf } from '../profiles/profile.js';
import { DeprecationSet, NO_DEPRECATIONS, storedDeprecationOf } from '../deprecations/deprecation-set.js';
import { storedLimitOf } from '../limits/limit.js';
import { LimitSet, NO_LIMITS } from '../limits/limit-set.js';
import { CanarySet, NO_CANARIES, storedCanaryOf } from '../canaries/canary-set.js';
import type { ASKED_KINDS, ControlKind, ControlRecord, ControlState } from './control-store.js';

/** All decisions of operators as of one revision; immutable, replaced by one assignment. */
export interface ControlSnapshot {
  readonly revision: number;
  /** The same object until a kill switch changes. */
  readonly switches: KillSwitchSet;
  /** The same object until a stored policy changes. */
  readonly policies: StoredPolicySet;
  /** The same object until a verdict changes. */
  readonly quarantine: QuarantineVerdicts;
  /** The same object until an operator changes example queries. */
  readonly queries: QueryEdits;
  /** The same object until a stored limit changes. */
  readonly limits: LimitSet;
  /** The same object until a stored deprecation changes. */
  readonly deprecations: DeprecationSet;
  /** The same object until a stored share of a canary changes. */
  readonly canaries: CanarySet;
  /** By name; the same object until a stored profile changes. */
  readonly profiles: ReadonlyMap<string, StoredProfile>;
  /** Keys and revisions of the records behind the parts, to detect changes. */
  readonly stamps: Readonly<Record<Exclude<ControlKind, (typeof ASKED_KINDS)[number]>, string>>;
}

export const NOTHING_DECIDED: ControlSnapshot = Object.freeze({
  revision: 0,
  switches: new KillSwitchSet([]),
  policies: new StoredPolicySet([]),
  quarantine: new QuarantineVerdicts([]),
  queries: new QueryEdits([]),
  limits: NO_LIMITS,
  profiles: new Map(),
  deprecations: NO_DEPRECATIONS,
  canaries: NO_CANARIES,
  stamps: {
    kill_switch: '[]',
    policy: '[]',
    quarantine: '[]',
    example_queries: '[]',
    limit: '[]',
    profile: '[]',
    deprecation: '[]',
    canary: '[]',
  },
});

/**
 * Builds the snapshot of a state. All records must be readable.
 *
 * @throws ToolSearchError for an unreadable record: skipping it would allow what it denies
 */
export function controlSnapshot({ revision, records }: ControlState, before = NOTHING_DECIDED): ControlSnapshot {
  const of = (kind: ControlKind) => records.filter((record) => record.kind === kind);
  const [switches, policies, verdicts] = [of('kill_switch'), of('policy'), of('quarantine')];
  const [edits, limits, profiles] = [of('example_queries'), of('limit'), of('profile')];
  const [deprecations, canaries] = [of('deprecation'), of('canary')];
  const stamps = {
    kill_switch: stampOf(switches),
    policy: stampOf(policies),
    quarantine: stampOf(verdicts),
    example_queries: stampOf(edits),
    limit: stampOf(limits),
    profile: stampOf(profiles),
    deprecation: stampOf(deprecations),
    canary: stampOf(canaries),
  };
  const kept = <T>(kind: keyof typeof stamps, known: T, make: () => T) =>
    stamps[kind] === before.stamps[kind] ? known : make();
  return Object.freeze({
    revision,
    switches: kept('kill_switch', before.switches, () => new KillSwitchSet(switches.map(killSwitchOf))),
    policies: kept('policy', before.policies, () => new StoredPolicySet(policies.map(storedPolicyOf))),
    quarantine: kept('quarantine', before.quarantine, () => new QuarantineVerdicts(verdicts.map(quarantineVerdictOf))),
    queries: kept('example_queries', before.queries, () => new QueryEdits(edits.map(queryEditOf))),
    limits: kept(
      'limit',
      before.limits,
      () =>
        new LimitSet(
          limits.map((each) => storedLimitOf(each).limit),
          'stored',
        ),
    ),
    profiles: kept(
      'profile',
      before.profiles,
      () => new Map(profiles.map(storedProfileOf).map((each) => [each.name, each])),
    ),
    deprecations: kept(
      'deprecation',
      before.deprecations,
      () => new DeprecationSet(deprecations.map(storedDeprecationOf)),
    ),
    canaries: kept('canary', before.canaries, () => new CanarySet(canaries.map(storedCanaryOf))),
    stamps,
  });
}

function stampOf(records: readonly ControlRecord[]): string {
  return JSON.stringify(records.map(({ key, revision }) => `${key}@${revision}`).toSorted((a, b) => (a < b ? -1 : 1)));
}
