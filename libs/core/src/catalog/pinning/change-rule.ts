import { isObject, type JsonObject } from '../../json/json.js';
import type { ChangePolicy } from '../../tool/tool-source.js';
import { changedFields, fieldsAt } from './definition-changes.js';
import type { DefinitionPin } from './definition-store.js';
import { without } from '../../json/json-pointer.js';
import { fingerprintOf } from './tool-origin.js';
import { type FetchDifference, fetchDifference, isHarmless } from './volatile-fields.js';
import { isSameJson } from '../../json/stable-hash.js';

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
 * @param pin undefined for a tool that was never accepted
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

// Deepest level of the input schema in an origin: `inputSchema`, `tool.inputSchema`.
const MAX_DEPTH = 2;

/** Whether the only differences are additional optional properties in the input schema. */
export function isAdditiveChange(before: JsonObject, after: JsonObject): boolean {
  return addsOutside(before, after, 1);
}

function addsOutside(before: JsonObject, after: JsonObject, depth: number): boolean {
  return (
    haveSameKeys(before, after) &&
    Object.entries(before).every(([key, was]) => {
      const is = after[key];
      if (key === 'inputSchema') return addsToSchema(was, is);
      if (depth < MAX_DEPTH && isObject(was) && isObject(is))
        return addsOutside(was as JsonObject, is as JsonObject, depth + 1);
      return isSameJson(was, is);
    })
  );
}

function addsToSchema(before: unknown, after: unknown): boolean {
  if (!isObject(before) || !isObject(after)) return isSameJson(before, after);
  const was =
    before['properties'] === undefined && before['type'] === 'object' ? { properties: {}, ...before } : before;
  const is = after['properties'] === undefined && was !== before ? { properties: {}, ...after } : after;
  return haveSameKeys(was, is) && Object.keys(was).every((key) => addsToKeyword(key, was, is));
}

type Schema = Readonly<Record<string, unknown>>;

function addsToKeyword(key: string, before: Schema, after: Schema): boolean {
  const [was, is] = [before[key], after[key]];
  if (key === 'items') return addsToSchema(was, is);
  if (!isObject(was) || !isObject(is)) return isSameJson(was, is);
  if (key === '$defs' || key === 'definitions') {
    return haveSameKeys(was, is) && Object.keys(was).every((name) => addsToSchema(was[name], is[name]));
  }
  if (key !== 'properties') return isSameJson(was, is);
  const required = Array.isArray(after['required']) ? after['required'] : [];
  const added = Object.keys(is).filter((name) => !Object.hasOwn(was, name));
  return (
    added.every((name) => !required.includes(name)) &&
    Object.keys(was).every((name) => Object.hasOwn(is, name) && addsToSchema(was[name], is[name]))
  );
}

function haveSameKeys(left: object, right: object): boolean {
  const keys = Object.keys(left);
  return keys.length === Object.keys(right).length && keys.every((key) => Object.hasOwn(right, key));
}
