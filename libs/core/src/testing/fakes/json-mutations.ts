import { isObject, type JsonObject, type JsonValue } from '../../json/json.js';

/** A change of one place in a JSON value: sets or removes it. */
export interface JsonMutation {
  /** Description of the change, for test failures. */
  readonly place: string;
  readonly apply: (root: JsonObject) => JsonObject;
}

/**
 * All changes of one leaf: another value of its kind, null, one key or element removed, one added.
 *
 * @param text appended to texts, and used in place of other values
 */
export function mutationsOf(value: JsonValue, text: string, path: readonly string[] = []): JsonMutation[] {
  const set = (to: JsonValue | undefined, place = path): JsonMutation => ({
    place: `${place.join('/')} = ${JSON.stringify(to)}`,
    apply: (root) => withValue(root, place, to) as JsonObject,
  });
  const own = path.length === 0 ? [] : [set(undefined), ...(value === null ? [] : [set(null)])];
  if (typeof value === 'string') return [...own, set(`${value} ${text}`), set(text)];
  if (typeof value === 'number') return [...own, set(value + 1)];
  if (typeof value === 'boolean') return [...own, set(!value)];
  if (value === null) return [...own, set(text), set(false)];
  if (Array.isArray(value)) {
    const inner = value.flatMap((item: JsonValue, index) => mutationsOf(item, text, [...path, String(index)]));
    return [...own, set([...value, text]), set(value.toReversed()), ...inner].filter(
      ({ place }) => place !== `${path.join('/')} = ${JSON.stringify(value)}`,
    );
  }
  const inner = Object.entries(value).flatMap(([key, item]) => mutationsOf(item, text, [...path, key]));
  return [...own, set(text, [...path, 'x-added']), set({}, [...path, 'added']), ...inner];
}

function withValue(
  node: JsonValue,
  [key, ...rest]: readonly string[],
  to: JsonValue | undefined,
): JsonValue | undefined {
  if (key === undefined) return to;
  if (Array.isArray(node)) {
    const changed = node.map((item: JsonValue, index) => (String(index) === key ? withValue(item, rest, to) : item));
    return changed.filter((item): item is JsonValue => item !== undefined);
  }
  if (!isObject(node)) return node;
  const { [key]: was, ...others } = node as JsonObject;
  const is = withValue(was ?? null, rest, to);
  return is === undefined ? others : { ...others, [key]: is };
}
