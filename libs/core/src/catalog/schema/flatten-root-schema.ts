import { addTo } from '../../collections/records.js';
import { isObject, type JsonSchema } from '../../json/json.js';
import { schemaAt } from '../../json/json-pointer.js';

/** Keywords that no provider accepts at the root of a tool's arguments. */
export const BARRED_AT_ROOT = ['anyOf', 'oneOf', 'allOf', '$ref', 'not', 'enum', 'const'] as const;

/** Names and values visited, each time: far above real schemas, and about ten milliseconds. */
const MAX_WORK = 20_000;
const PART = 40;

type Properties = Readonly<Record<string, unknown>>;

/**
 * Merges the choices, parts and references at the root of a schema into one object schema. It accepts every object that
 * the root accepts. Constraints that need those keywords are dropped, so it may accept more.
 *
 * @returns the schema, or the reason why there is none: no object could fit, or merging takes too much work
 */
export function flattenRootSchema(root: JsonSchema): JsonSchema | string {
  const drawing = new Drawing(root);
  const result = drawing.flat(root, []);
  if (drawing.work > MAX_WORK) return 'has too many choices and parts at its root';
  if (!result) return 'must describe an object at its root';
  if (!['anyOf', 'oneOf', 'allOf', '$ref'].some((key) => key in root)) return result;
  // `unevaluatedProperties` depends on the merged parts, which no longer exist.
  const { unevaluatedProperties: _, ...rest } = result;
  return rest;
}

class Drawing {
  work = 0;
  readonly #identity = new JsonIdentity();
  // Objects created here, which may be modified.
  readonly #made = new WeakSet<object>();

  constructor(private readonly root: JsonSchema) {}

  /** The object schema of a node; undefined if no object fits. */
  flat(node: unknown, above: readonly unknown[]): JsonSchema | undefined {
    if (node === true) return { type: 'object' };
    this.work += PART;
    if (!isObject(node) || above.includes(node)) return undefined;
    this.work += Object.keys(propertiesOf(node)).length + listOf(node['required']).length;
    if (this.work > MAX_WORK) return undefined;
    const { anyOf, oneOf, allOf, $ref, not: _not, enum: _enum, const: _const, type, ...own } = node;
    if (type !== undefined && type !== 'object' && !(Array.isArray(type) && type.includes('object'))) return undefined;
    const path = [...above, node];
    const parts = [...(typeof $ref === 'string' ? [schemaAt(this.root, $ref)] : []), ...listOf(allOf)];
    const drawn = function* (this: Drawing) {
      for (const part of parts) yield this.flat(part, path);
      for (const choice of [anyOf, oneOf]) {
        if (Array.isArray(choice)) yield this.#either(choice.map((each) => this.flat(each, path)));
      }
    };
    return this.#all({ type: 'object', ...own }, drawn.call(this));
  }

  /** The schema that fits all of several object schemas; other keywords than properties and texts are the first's. */
  #all(first: JsonSchema, others: Iterable<JsonSchema | undefined>): JsonSchema | undefined {
    let result = first;
    let required: Set<unknown> | undefined;
    for (const other of others) {
      if (!other) return undefined;
      required ??= new Set(listOf(first['required']));
      for (const name of listOf(other['required'])) required.add(name);
      result = this.#both(result, other);
    }
    return required && required.size > 0 ? { ...result, required: [...required] } : result;
  }

  #both(first: JsonSchema, second: JsonSchema): JsonSchema {
    const [title, description] = ['title', 'description'].map((key) => first[key] ?? second[key]);
    const patternProperties = this.#merged(first['patternProperties'], second['patternProperties']);
    const additionalProperties =
      first['additionalProperties'] === undefined || first['additionalProperties'] === true
        ? second['additionalProperties']
        : second['additionalProperties'] === undefined
          ? first['additionalProperties']
          : this.#conjunction(first['additionalProperties'], second['additionalProperties']);
    return {
      ...first,
      ...(title !== undefined && { title }),
      ...(description !== undefined && { description }),
      properties: this.#merged(propertiesOf(first), propertiesOf(second)),
      ...(patternProperties && { patternProperties }),
      ...(additionalProperties !== undefined && { additionalProperties }),
    };
  }

  #merged(first: unknown, second: unknown): Properties | undefined {
    if (!isObject(second)) return isObject(first) ? first : undefined;
    const result = isObject(first) && this.#made.has(first) ? first : { ...(isObject(first) && first) };
    this.#made.add(result);
    for (const [key, part] of Object.entries(second)) {
      result[key] = Object.hasOwn(result, key) ? this.#conjunction(result[key], part) : part;
    }
    return result;
  }

  #conjunction(first: unknown, second: unknown): unknown {
    if (first === false || second === false) return false;
    if (isOpen(second) || this.#isSame(first, second)) return first;
    if (isOpen(first)) return second;
    const before = isObject(first) && this.#made.has(first) ? listOf(first['allOf']) : [first];
    if (before.some((part) => this.#isSame(part, second))) return first;
    this.work += before.length;
    const result = { allOf: [...before, second] };
    this.#made.add(result);
    return result;
  }

  /** The schema that fits any of several object schemas; undefined ones are those that no object fits. */
  #either(all: readonly (JsonSchema | undefined)[]): JsonSchema | undefined {
    const branches = all.filter((branch) => branch !== undefined);
    const [first] = branches;
    if (!first) return undefined;
    if (branches.length === 1) return first;
    const partsByName = new Map<string, unknown[]>();
    const openBy = new Map<string, number>();
    for (const branch of branches) {
      const isOpenBranch = !isClosed(branch);
      for (const [name, part] of Object.entries(propertiesOf(branch))) {
        this.work += 1;
        addTo(partsByName, name, part);
        if (isOpenBranch) openBy.set(name, (openBy.get(name) ?? 0) + 1);
      }
    }
    if (this.work > MAX_WORK) return undefined;
    const open = branches.filter((branch) => !isClosed(branch)).length;
    const properties = [...partsByName].map(([name, parts]) => {
      // A branch that does not declare a property but allows additional ones accepts any value for it.
      const isOpenSomewhere = open > (openBy.get(name) ?? 0);
      return [name, this.#alternative(isOpenSomewhere ? [...parts, {}] : parts)] as const;
    });
    const demands = branches.map((branch) => new Set(listOf(branch['required'])));
    const required = listOf(first['required']).filter((name) => demands.every((demanded) => demanded.has(name)));
    return {
      type: 'object',
      properties: Object.fromEntries(properties),
      ...(required.length > 0 && { required }),
      ...(branches.every(isClosed) && { additionalProperties: false }),
    };
  }

  #alternative(parts: readonly unknown[]): unknown {
    const distinct = this.#withoutCopies(parts);
    if (distinct.length === 1) return distinct[0];
    return this.#oneChoice(distinct) ?? { anyOf: distinct };
  }

  /** Merges constants of one type into one `enum`: typical for the discriminator of a union. */
  #oneChoice(parts: readonly unknown[]): JsonSchema | undefined {
    const values: unknown[] = [];
    const types = new Set<string>();
    for (const part of parts) {
      if (!isObject(part) || Object.keys(part).some((key) => !['type', 'const', 'enum'].includes(key)))
        return undefined;
      types.add(this.#identity.of(part['type']));
      if ('const' in part && !('enum' in part)) values.push(part['const']);
      else if (Array.isArray(part['enum']) && !('const' in part)) values.push(...(part['enum'] as unknown[]));
      else return undefined;
    }
    if (types.size !== 1) return undefined;
    const [first] = parts;
    const type = isObject(first) ? first['type'] : undefined;
    this.work += values.length;
    return { ...(type !== undefined && { type }), enum: this.#withoutCopies(values) };
  }

  #withoutCopies(values: readonly unknown[]): readonly unknown[] {
    return [...new Map(values.map((value) => [this.#identity.of(value), value])).values()];
  }

  #isSame(left: unknown, right: unknown): boolean {
    return left === right || this.#identity.of(left) === this.#identity.of(right);
  }
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

function propertiesOf(schema: JsonSchema): Properties {
  return isObject(schema['properties']) ? schema['properties'] : {};
}

function isClosed(schema: JsonSchema): boolean {
  return schema['additionalProperties'] === false && schema['patternProperties'] === undefined;
}

/** Whether a schema accepts every value. */
function isOpen(part: unknown): boolean {
  if (part === true) return true;
  if (!isObject(part)) return false;
  const keys = Object.keys(part).filter((key) => !['title', 'description'].includes(key));
  return keys.length === 0 || (keys.length === 1 && Array.isArray(part['anyOf']) && part['anyOf'].some(isOpen));
}

/** Equal ids for equal JSON values, in any order of keys. Each object is visited once, so only new parts cost. */
class JsonIdentity {
  readonly #ids = new Map<string, number>();
  readonly #known = new Map<object, number>();

  of(value: unknown): string {
    if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? '';
    let id = this.#known.get(value);
    if (id === undefined) this.#known.set(value, (id = this.#idOf(value)));
    return `#${id}`;
  }

  #idOf(value: object): number {
    const text = isObject(value)
      ? `{${Object.keys(value)
          .toSorted()
          .map((key) => `${JSON.stringify(key)}:${this.of(value[key])}`)
          .join()}}`
      : `[${(value as readonly unknown[]).map((item) => this.of(item)).join()}]`;
    const id = this.#ids.get(text) ?? this.#ids.size;
    this.#ids.set(text, id);
    return id;
  }
}
