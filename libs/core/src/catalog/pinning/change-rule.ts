import type { JsonObject } from '../../json/json.js';
import type { ChangePolicy } from '../../tool/tool-source.js';
import { changedFields, fieldsAt } from './definition-changes.js';
import type { DefinitionPin } from './definition-store.js';
import { without } from '../../json/json-pointer.js';
import { onlyAdds } from './only-adds.js';
import { fingerprintOf } from './tool-origin.js';
import { type FetchDifference, fetchDifference, isHarmless } from './volatile-leaves.js';

/** A tool as its source says it now, without what is volatile. */
export interface SeenTool {
  readonly origin: JsonObject;
  readonly fingerprint: string;
  readonly volatile: readonly string[];
  /** Why it cannot be pinned; absent where it can. */
  readonly unstable?: string;
}

/** Volatile members of one tool that are still left out one by one. */
const MAX_VOLATILE = 20;

/** A tool as it is without the volatile members that are known. */
export function seenAs(raw: JsonObject, volatile: readonly string[]): SeenTool {
  const origin = without(raw, volatile);
  return { origin, fingerprint: fingerprintOf(origin), volatile };
}

/**
 * A tool by two fetches of it.
 *
 * @param again the second fetch; undefined where it did not have the tool
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
 * Why a tool that is no longer what was accepted has to wait, or undefined when the policy takes it up.
 *
 * @param pin what it would have to be; undefined for a tool that was never accepted
 * @param accepted its origin as it was accepted, where there is one
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
  // Found to be volatile only now: the same tool as before, and no model sees more of it than it did.
  const comparable = found.every(isHarmless) ? without(accepted, found) : accepted;
  if ((found.length === 0 ? pin.fingerprint : fingerprintOf(comparable)) === seen.fingerprint) return undefined;
  if (policy === 'additive' && onlyAdds(comparable, seen.origin)) return undefined;
  return `changed since it was accepted: ${changedFields(accepted, seen.origin)}`;
}

function unstableBecause({ fixed }: FetchDifference, volatile: readonly string[]): string | undefined {
  if (fixed.length > 0) return `differs from fetch to fetch in ${fieldsAt(fixed)}, so it cannot be pinned`;
  if (volatile.length <= MAX_VOLATILE) return undefined;
  return `differs from fetch to fetch in more than ${MAX_VOLATILE} places, so it cannot be pinned`;
}
