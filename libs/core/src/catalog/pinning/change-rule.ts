import type { JsonObject } from '../../json/json.js';
import type { ChangePolicy } from '../../tool/tool-source.js';
import { changedFields, fieldsAt } from './definition-changes.js';
import type { DefinitionPin } from './definition-store.js';
import { without } from '../../json/json-pointer.js';
import { isAdditiveChange } from './is-additive-change.js';
import { fingerprintOf } from './tool-origin.js';
import { type FetchDifference, fetchDifference, isHarmless } from './volatile-fields.js';

/** A tool as its source sends it now, without volatile members. */
export interface SeenTool {
  readonly origin: JsonObject;
  readonly fingerprint: string;
  readonly volatile: readonly string[];
  /** Why it cannot be pinned; absent if it can. */
  readonly unstable?: string;
}

/** Above this number of volatile members, a tool cannot be pinned. */
const MAX_VOLATILE = 20;

/** A tool without its known volatile members. */
export function seenAs(raw: JsonObject, volatile: readonly string[]): SeenTool {
  const origin = without(raw, volatile);
  return { origin, fingerprint: fingerprintOf(origin), volatile };
}

/**
 * Compares two fetches of a tool to find its volatile members.
 *
 * @param again the second fetch; undefined if it did not contain the tool
 * @param known volatile members that were found before
 */
export function seenTwice(raw: JsonObject, again: JsonObject | undefined, known: readonly string[]): SeenTool {
  if (!again) return { ...seenAs(raw, known), unstable: 'is not in every fetch, so it cannot be pinned' };
  const difference = fetchDifference(without(raw, known), without(again, known));
  const volatile = [...new Set([...known, ...difference.volatile])];
  const unstable = unstableBecause(difference, volatile);
  return unstable === undefined ? seenAs(raw, volatile) : { ...seenAs(raw, known), unstable };
}

/**
 * Why a changed tool has to wait for approval; undefined if the policy accepts it.
 *
 * @param pin the accepted state; undefined for a tool that was never accepted
 * @param accepted the accepted origin, if there is one
 */
export function heldBecause(
  policy: ChangePolicy,
  seen: SeenTool,
  pin: DefinitionPin | undefined,
  accepted: JsonObject | undefined,
): string | undefined {
  if (policy === 'trust') return undefined;
  if (seen.unstable !== undefined) return seen.unstable;
  if (!pin) return policy === 'additive' ? undefined : 'new since the source was accepted';
  if (!accepted) return 'changed since it was accepted';
  const found = seen.volatile.filter((pointer) => !pin.volatile.includes(pointer));
  // Members recognized as volatile only now: without them the tool is unchanged, and models see no more of it than
  // before.
  const comparable = found.every(isHarmless) ? without(accepted, found) : accepted;
  if ((found.length === 0 ? pin.fingerprint : fingerprintOf(comparable)) === seen.fingerprint) return undefined;
  if (policy === 'additive' && isAdditiveChange(comparable, seen.origin)) return undefined;
  return `changed since it was accepted: ${changedFields(accepted, seen.origin)}`;
}

function unstableBecause({ fixed }: FetchDifference, volatile: readonly string[]): string | undefined {
  if (fixed.length > 0) return `differs from fetch to fetch in ${fieldsAt(fixed)}, so it cannot be pinned`;
  if (volatile.length <= MAX_VOLATILE) return undefined;
  return `differs from fetch to fetch in more than ${MAX_VOLATILE} places, so it cannot be pinned`;
}
