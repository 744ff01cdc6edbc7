import { z } from 'zod';
import { isObject } from '../json/json.js';

/** The options that an application gives, by their schema: those with a default may be left out. */
export type OptionsOf<S extends z.ZodType> = z.input<S>;

/** Options with their defaults filled in. */
export type SettingsOf<S extends z.ZodType> = z.output<S>;

type AnySchema = z.core.$ZodType;

const WORDS = new WeakMap<AnySchema, string>();
const MEMBERS = new WeakMap<AnySchema, z.core.$ZodObject>();
const NEVER_UNDEFINED = new WeakSet<AnySchema>();
const RETIRED = new WeakMap<AnySchema, Readonly<Record<string, string>>>();

/** Sets the words for the values that a schema accepts, as in "must be …"; see {@link allowed}. */
export function described<S extends AnySchema>(schema: S, words: string): S {
  WORDS.set(schema, words);
  return schema;
}

/**
 * An option that chooses a place or a secret. With the value `undefined` it is refused instead of counted as left out:
 * that is the value of an environment variable that is not set.
 */
export function neverUndefined<S extends AnySchema>(schema: S): S {
  NEVER_UNDEFINED.add(schema);
  return schema;
}

/** An object of options. Unknown keys are refused. */
export function object<S extends z.core.$ZodLooseShape>(shape: S): z.ZodObject<S, z.core.$strict> {
  return z.strictObject(shape) as z.ZodObject<S, z.core.$strict>;
}

/** Names options that this object had once, by their path, with what the refusal says of each: "is …". */
export function retired<S extends AnySchema>(schema: S, sentences: Readonly<Record<string, string>>): S {
  RETIRED.set(schema, sentences);
  return schema;
}

/** What became of an option that the schema had once, or undefined. @param path from the schema, with dots */
export function retiredFrom(schema: AnySchema, path: string): string | undefined {
  const sentences = RETIRED.get(bare(schema));
  return sentences && Object.hasOwn(sentences, path) ? sentences[path] : undefined;
}

/** Optional options of another file. `T` is their named type: declaration files lose the comments of an inferred one. */
export function part<T>(schema: z.ZodType<unknown, T>): z.ZodOptional<z.ZodType<T, T>> {
  return (schema as z.ZodType<T, T>).optional();
}

/** A whole number within bounds, both inclusive. */
export function whole(min: number, max: number) {
  const words = max === Number.MAX_SAFE_INTEGER ? `of at least ${min}` : `from ${min} to ${max}`;
  return described(z.int().min(min).max(max), `a whole number ${words}`);
}

/** A number from 0 to 1. */
export function share() {
  return described(z.number().min(0).max(1), 'a number from 0 to 1');
}

/** `true` or `false`. */
export function flag() {
  return z.boolean();
}

/** A text that is not empty. */
export function text(maxChars?: number) {
  return maxChars === undefined
    ? described(z.string().min(1), 'a text')
    : described(z.string().min(1).max(maxChars), `a text of 1 to ${maxChars} characters`);
}

/** One of these texts or flags. */
export function oneOf<const V extends readonly (string | boolean)[]>(...values: V) {
  return z.literal(values);
}

/** A list whose items are checked. */
export function list<S extends z.ZodType>(item: S) {
  return z.array(item).readonly();
}

/** A list with at least one entry. */
export function someOf<S extends z.ZodType>(item: S) {
  return described(z.array(item).min(1), 'a list with at least one entry').readonly();
}

/** Values by name; `keys` limits the names. */
export function record<S extends z.ZodType>(value: S, keys: z.ZodString = z.string()) {
  return z.record(keys, value).readonly();
}

/** A function of type `F`; only its kind is checked. */
export function func<F>() {
  return value<F>((given) => typeof given === 'function', 'a function');
}

/** A value that is passed on as it is. */
export function value<T>(isLegal: (given: unknown) => boolean, words: string) {
  return described(z.custom<T>(isLegal), words);
}

/** An object of the application that is passed on as it is; these members of it are checked. */
export function kept<T extends object>(members: Readonly<Record<string, AnySchema>>, words: string) {
  const shape = z.looseObject(members);
  const schema = z.custom<T>(isObject).check((payload) => {
    const { issues = [] } = shape.safeParse(payload.value).error ?? {};
    payload.issues.push(...(issues as z.core.$ZodRawIssue[]));
  });
  MEMBERS.set(schema, shape);
  return described(schema, words);
}

/**
 * A rule about several options: `path` must be `expected` unless `holds`. For `check()` of an object of options.
 *
 * @param path the option at fault, with dots for one inside of others
 */
export function rule<T extends object>(
  path: (keyof T & string) | `${keyof T & string}.${string}`,
  expected: string,
  holds: (options: T) => boolean,
) {
  return (payload: { readonly value: T; readonly issues: z.core.$ZodRawIssue[] }): void => {
    if (holds(payload.value)) return;
    payload.issues.push({ code: 'custom', input: payload.value, path: path.split('.'), params: { expected } });
  };
}

/** Completes options that were checked before with the defaults of their schema. One level deep, without a check. */
export function withDefaults<S extends z.ZodObject>(schema: S, given: Partial<z.input<S>> = {}): z.output<S> {
  const settings: Record<string, unknown> = {};
  for (const [key, field] of Object.entries<AnySchema>(schema.shape)) {
    const fallback = defaultOf(field);
    const own = (given as Record<string, unknown>)[key];
    if (own !== undefined || fallback !== undefined) settings[key] = own ?? fallback;
  }
  return settings as z.output<S>;
}

/** The path of an option with the value `undefined` that is {@link neverUndefined}; undefined if there is none. */
export function undefinedChoice(
  schema: AnySchema,
  given: unknown,
  path: readonly PropertyKey[] = [],
): readonly PropertyKey[] | undefined {
  const own = bare(schema);
  if (given === undefined) return NEVER_UNDEFINED.has(own) && path.length > 0 ? path : undefined;
  if (typeof given !== 'object' || given === null) return undefined;
  const { def } = own._zod;
  if (def.type === 'array' && Array.isArray(given)) {
    return given.map((item, index) => undefinedChoice(def.element, item, [...path, index])).find(Boolean);
  }
  return Object.entries(shapeOf(schema) ?? {})
    .filter(([key]) => Object.hasOwn(given, key))
    .map(([key, option]) => undefinedChoice(option, (given as Record<string, unknown>)[key], [...path, key]))
    .find(Boolean);
}

/** The default of an option, or undefined if it has none. */
export function defaultOf(schema: AnySchema): unknown {
  const { def } = schema._zod as z.core.$ZodTypes['_zod'];
  return def.type === 'default' ? def.defaultValue : undefined;
}

/** The options inside a schema, by name; undefined if it is not an object of options. */
export function shapeOf(schema: AnySchema): Readonly<Record<string, AnySchema>> | undefined {
  const own = bare(schema);
  const { def } = (MEMBERS.get(own) ?? own)._zod;
  if (def.type === 'union') return def.options.map(shapeOf).find((shape) => shape !== undefined);
  return def.type === 'object' ? def.shape : undefined;
}

/** Each option of a schema with its path, also the options inside of options and of the items of lists. */
export function eachOption(
  schema: AnySchema,
  path: readonly (string | number)[] = [],
): readonly { readonly path: readonly (string | number)[]; readonly schema: AnySchema }[] {
  const { def } = bare(schema)._zod;
  const inner = def.type === 'array' ? [[0, def.element] as const] : Object.entries(shapeOf(schema) ?? {});
  return inner.flatMap(([key, option]) => [
    { path: [...path, key], schema: option },
    ...eachOption(option, [...path, key]),
  ]);
}

/** The schema without its wrappers (optional, default, readonly), as zod's closed union of schemas. */
export function bare(schema: AnySchema): z.core.$ZodTypes {
  const own = schema as z.core.$ZodTypes;
  const { def } = own._zod;
  return 'innerType' in def ? bare(def.innerType) : own;
}

/** The values that a schema accepts, in words that follow "must be". */
export function allowed(schema: AnySchema): string {
  const words = WORDS.get(schema);
  if (words !== undefined) return words;
  const { def } = (schema as z.core.$ZodTypes)._zod;
  if ('innerType' in def) return allowed(def.innerType);
  switch (def.type) {
    case 'boolean':
      return 'true or false';
    case 'literal':
      return def.values.length === 1 ? String(def.values[0]) : `one of ${def.values.map(String).join(', ')}`;
    case 'array':
      return 'a list';
    case 'object':
    case 'record':
      return 'an object';
    case 'union':
      return def.options.map(allowed).join(' or ');
    default:
      return `of type ${def.type}`;
  }
}
