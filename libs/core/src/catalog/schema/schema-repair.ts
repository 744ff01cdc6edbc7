import { isObject, type JsonSchema } from '../../json/json.js';

const TYPES = new Set(['object', 'array', 'string', 'number', 'integer', 'boolean', 'null']);
const OTHER_TYPE_NAMES = new Map(
  `str string, text string, int integer, long integer, float number, double number, bool boolean, dict object, map object,
  list array, none null`
    .split(/,\s+/)
    .map((pair) => pair.split(' ') as [other: string, type: string]),
);
const SCHEMA = ['not', 'if', 'then', 'else', 'contains', 'propertyNames', 'contentSchema', 'items'] as const;
const LISTS = ['anyOf', 'oneOf', 'allOf', 'prefixItems'] as const;
const MAPS = ['properties', 'patternProperties', 'dependentSchemas', '$defs', 'definitions'] as const;
/** Keywords whose value is often a boolean instead of a schema. */
const SWITCHES = ['additionalProperties', 'unevaluatedProperties', 'unevaluatedItems', 'additionalItems'] as const;
/** Keywords for which `null` can only mean that they are not set. */
const NEVER_NULL = new Set<string>([
  ...SCHEMA,
  ...LISTS,
  ...MAPS,
  ...SWITCHES,
  ...'type enum required title description $schema $id $ref $comment format pattern examples deprecated'.split(' '),
  ...'minimum maximum exclusiveMinimum exclusiveMaximum multipleOf minLength maxLength'.split(' '),
  ...'minItems maxItems uniqueItems minProperties maxProperties'.split(' '),
]);
/** Keywords without meaning in draft-07 that would get one when its `$schema` is removed. */
const NEWER = `unevaluatedProperties unevaluatedItems dependentRequired dependentSchemas prefixItems minContains
  maxContains`.split(/\s+/);

type Draft = Record<string, unknown>;

interface Repairs {
  readonly changes: Set<string>;
  readonly isDraft07: boolean;
}

/**
 * Converts older, foreign and slightly wrong forms to JSON Schema 2020-12 where the meaning is clear, and leaves
 * everything else unchanged. The result accepts every value that the schema accepts; it is the same object if nothing
 * had to be changed. Pure and idempotent.
 *
 * @param isDraft07 whether the schema is draft-07 or older and will be read as 2020-12
 */
export function repairedSchema(
  schema: JsonSchema,
  isDraft07 = false,
): { readonly schema: JsonSchema; readonly changes: ReadonlySet<string> } {
  const changes = new Set<string>();
  return { schema: repaired(schema, { changes, isDraft07 }) as JsonSchema, changes };
}

function repaired(node: unknown, repairs: Repairs): unknown {
  const { changes } = repairs;
  if (!isObject(node)) return fromShorthand(node, changes);
  const draft: Draft = { ...node };
  let changed = false;
  const count = (repair: () => boolean): void => void (changed = repair() || changed);
  const note = (what: string): true => Boolean(changes.add(what)) as true;

  if (repairs.isDraft07) count(() => withoutNewer(draft, note));
  count(() => withoutNulls(draft, note));
  count(() => repairedType(draft, note));
  count(() => repairedNullable(draft, note));
  count(() => repairedBounds(draft, note));
  count(() => repairedTuple(draft, note));
  count(() => repairedRequired(draft, note));
  count(() => {
    if (!Array.isArray(draft['enum']) || draft['enum'].length > 0) return false;
    delete draft['enum'];
    return note('a choice without choices is left open');
  });
  count(() => repairedList(draft, note));
  count(() => withRepairedParts(draft, repairs));
  return changed ? draft : node;
}

/** A subschema that is not an object: a boolean, the name of a type, or null. */
function fromShorthand(node: unknown, changes: Set<string>): unknown {
  const type = typeof node === 'string' ? typeName(node) : undefined;
  if (node === true || node === null || node === false || type !== undefined) {
    changes.add('parts that are no objects are written as such');
    return node === false ? { not: {} } : type === undefined ? {} : { type };
  }
  return node;
}

function withRepairedParts(draft: Draft, repairs: Repairs): boolean {
  let changed = false;
  const replace = (holder: Draft, key: string, part: unknown): void => {
    if (part === holder[key]) return;
    holder[key] = part;
    changed = true;
  };
  for (const key of SCHEMA) if (key in draft) replace(draft, key, repaired(draft[key], repairs));
  for (const key of SWITCHES) if (isObject(draft[key])) replace(draft, key, repaired(draft[key], repairs));
  for (const key of LISTS) {
    const list = draft[key];
    if (!Array.isArray(list)) continue;
    const parts = list.map((part) => repaired(part, repairs));
    if (parts.some((part, index) => part !== list[index])) replace(draft, key, parts);
  }
  for (const key of MAPS) {
    const map = draft[key];
    if (!isObject(map)) continue;
    let copy: Draft | undefined;
    for (const [name, part] of Object.entries(map)) {
      const better = repaired(part, repairs);
      if (better !== part) (copy ??= { ...map })[name] = better;
    }
    if (copy) replace(draft, key, copy);
  }
  return changed;
}

function withoutNewer(draft: Draft, note: (what: string) => true): boolean {
  const newer = NEWER.filter((key) => key in draft);
  for (const key of newer) delete draft[key];
  return newer.length > 0 && note('keywords that its draft does not have are left out');
}

function withoutNulls(draft: Draft, note: (what: string) => true): boolean {
  const nulls = Object.keys(draft).filter((key) => draft[key] === null && NEVER_NULL.has(key));
  for (const key of nulls) delete draft[key];
  return nulls.length > 0 && note('keywords without a value are left out');
}

function typeName(text: string): string | undefined {
  if (TYPES.has(text)) return text;
  const plain = text.toLowerCase();
  return TYPES.has(plain) ? plain : OTHER_TYPE_NAMES.get(plain);
}

function repairedType(draft: Draft, note: (what: string) => true): boolean {
  const { type } = draft;
  if (type === undefined || (typeof type === 'string' && TYPES.has(type))) return false;
  const names: unknown[] = Array.isArray(type) ? type : [type];
  const known = [...new Set(names.map((name) => (typeof name === 'string' ? (typeName(name) ?? name) : name)))];
  if (known.length === 0 || known.some((name) => typeof name === 'string' && name.toLowerCase() === 'any')) {
    delete draft['type'];
    return note('a type that stands for any is left out');
  }
  if (known.length === names.length && known.every((name, index) => name === names[index])) return false;
  draft['type'] = Array.isArray(type) && known.length > 1 ? known : known[0];
  return note('types are called as JSON Schema calls them');
}

/** `nullable` exists in OpenAPI 3.0 only. */
function repairedNullable(draft: Draft, note: (what: string) => true): boolean {
  const { nullable, type } = draft;
  if (typeof nullable !== 'boolean') return false;
  delete draft['nullable'];
  if (nullable) {
    if (type !== undefined) draft['type'] = [...new Set([...(Array.isArray(type) ? type : [type]), 'null'])];
    else if (typeof draft['$ref'] === 'string' && !('anyOf' in draft)) {
      draft['anyOf'] = [{ $ref: draft['$ref'] }, { type: 'null' }];
      delete draft['$ref'];
    } else if (Array.isArray(draft['anyOf'])) draft['anyOf'] = [...(draft['anyOf'] as unknown[]), { type: 'null' }];
  }
  return note('"nullable" is written as a type');
}

/** `exclusiveMinimum: true` next to `minimum`, as in draft-04. */
function repairedBounds(draft: Draft, note: (what: string) => true): boolean {
  let changed = false;
  for (const [exclusive, bound] of [
    ['exclusiveMinimum', 'minimum'],
    ['exclusiveMaximum', 'maximum'],
  ] as const) {
    const isExclusive = draft[exclusive];
    if (typeof isExclusive !== 'boolean') continue;
    delete draft[exclusive];
    if (isExclusive && typeof draft[bound] === 'number') {
      draft[exclusive] = draft[bound];
      delete draft[bound];
    }
    changed = note('bounds are written as in newer drafts');
  }
  return changed;
}

/** An array of schemas in `items`, as before 2020-12. */
function repairedTuple(draft: Draft, note: (what: string) => true): boolean {
  const { items, additionalItems } = draft;
  if (!Array.isArray(items)) return false;
  delete draft['items'];
  delete draft['additionalItems'];
  if (items.length > 0) draft['prefixItems'] = items;
  if (additionalItems !== undefined) draft['items'] = additionalItems;
  return note('lists of fixed parts are written as in 2020-12');
}

/** OpenAI refuses an array type without `items`, and with it the whole request; `{}` means the same. */
function repairedList(draft: Draft, note: (what: string) => true): boolean {
  const { type, items, unevaluatedItems } = draft;
  const isList = type === 'array' || (Array.isArray(type) && type.includes('array'));
  if (!isList || items !== undefined) return false;
  draft['items'] = unevaluatedItems ?? {};
  return note('lists say what they hold');
}

/** `required: true` on a property, as in draft-03, moves to the object that contains the property. */
function repairedRequired(draft: Draft, note: (what: string) => true): boolean {
  let changed = false;
  if (typeof draft['required'] === 'boolean') {
    delete draft['required'];
    changed = note('"required" stands at the object');
  }
  const { required } = draft;
  if (Array.isArray(required) && new Set(required).size < required.length) {
    draft['required'] = [...new Set(required)];
    changed = note('a property is required once');
  }
  if (!isObject(draft['properties'])) return changed;
  const marked = Object.entries(draft['properties']).filter(([, part]) => isObject(part) && part['required'] === true);
  if (marked.length === 0) return changed;
  const names = Array.isArray(draft['required']) ? (draft['required'] as unknown[]) : [];
  draft['required'] = [...new Set([...names, ...marked.map(([name]) => name)])];
  return note('"required" stands at the object');
}
