import { isObject, type JsonObject } from '../../json/json.js';
import { isSameJson } from '../../json/stable-hash.js';

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
