import type { z } from 'zod';
import { isObject } from '../json/json.js';
import { ToolSearchError } from '../tool/tool-search.error.js';
import { allowed, bare, retiredFrom, shapeOf, undefinedChoice } from './options.js';

type Issue = z.core.$ZodIssue;
type Path = readonly PropertyKey[];

const IS_SET = 'Is the variable of the environment set?';

/**
 * Checks options and fills in their defaults. For the boot and for constructors, not for requests.
 *
 * @param where named in the error, for example `ToolSearchModule`
 * @throws ToolSearchError `INVALID_CONFIGURATION` that names the first wrong option, the kind of its value and what is
 *   allowed. Repeats only a number where a number is expected, and a word where one of several words is: anything else may be a
 *   secret.
 */
export function parseOptions<S extends z.ZodType>(schema: S, given: unknown, where: string): z.output<S> {
  const { success, data, error } = schema.safeParse(given);
  const choice = undefinedChoice(schema, given);
  if (success && !choice) return data;
  // Sources have names; one that is legal is no secret.
  const name = isObject(given) ? given['name'] : undefined;
  const whose = typeof name === 'string' && /^[\w.-]{1,64}$/.test(name) ? `${where} ${JSON.stringify(name)}` : where;
  const worstIssue = error && innermost(worst(error.issues), given);
  const { message, hint } =
    worstIssue && (!choice || worstIssue.code === 'unrecognized_keys')
      ? refusal(schema, given, worstIssue, whose)
      : undefinedValue(choice ?? [], whose);
  throw new ToolSearchError('INVALID_CONFIGURATION', message, { hint });
}

/** The refusal of an option that chooses a place or a secret, and is there without a value. */
function undefinedValue(path: Path, where: string): { message: string; hint: string } {
  const name = nameOf(path);
  return {
    message: `${where}: ${name} is undefined.`,
    hint: `${IS_SET} Give ${name} a value, or leave the key out if you mean its default.`,
  };
}

function refusal(schema: z.ZodType, given: unknown, issue: Issue, where: string): { message: string; hint: string } {
  const name = nameOf(issue.path);
  const expected = schemaAt(schema, issue.path);
  if (issue.code === 'unrecognized_keys') {
    const became = whereItWent(schema, [...issue.path, issue.keys[0] ?? '']);
    if (became) return { ...became, message: `${where}: ${became.message}` };
    const key = JSON.stringify((issue.keys[0] ?? '').slice(0, 64));
    const keys = Object.keys((expected && shapeOf(expected)) ?? {}).join(', ');
    const message = name === '' ? `${where} has no option ${key}.` : `${where}: ${name} has no option ${key}.`;
    return { message, hint: `Known options: ${keys}.` };
  }
  const page = issue.path[0] === 'tuning' ? 'docs/tuning.md' : 'docs/options.md';
  const unset = unsetAt(given, issue.path);
  const hint = unset
    ? `${nameOf(unset)} is undefined. ${IS_SET}`
    : `Correct the option; ${page} lists all of them with their defaults.`;
  const record = issue.code === 'invalid_key' && schemaAt(schema, issue.path.slice(0, -1));
  if (record) {
    const { def } = bare(record)._zod;
    const words = def.type === 'record' ? allowed(def.keyType) : 'another one';
    return { message: `${where}: the name of ${name} must be ${words}.`, hint };
  }
  const value = valueAt(given, issue.path);
  const rule = issue.code === 'custom' ? (issue.params?.['expected'] as string | undefined) : undefined;
  const words = rule ?? (expected ? allowed(expected) : 'another value');
  const what = name === '' ? where : `${where}: ${name}`;
  if (rule !== undefined) return { message: `${what} must be ${words}.`, hint };
  if (value === undefined) return { message: `${what} must be given: ${words}.`, hint };
  return { message: `${what} must be ${words}, not ${kindOf(value, expected)}.`, hint };
}

/** The refusal of an option that was one in an earlier version: of `tuning` today, or none at all. */
function whereItWent(schema: z.ZodType, path: Path): { message: string; hint: string } | undefined {
  const name = nameOf(path);
  const hint = 'docs/upgrading.md lists the options that moved, and docs/tuning.md those of tuning.';
  if (schemaAt(schema, ['tuning', ...path])) return { message: `${name} is now tuning.${name}.`, hint };
  const sentence = path
    .map((_, depth) => {
      const owner = schemaAt(schema, path.slice(0, depth));
      return owner && retiredFrom(owner, path.slice(depth).join('.'));
    })
    .find((found) => found !== undefined);
  return sentence === undefined ? undefined : { message: `${name} is ${sentence}.`, hint };
}

/** A misspelt key explains a missing option, so it is reported first. */
function worst(issues: readonly Issue[]): Issue {
  return issues.find(({ code }) => code === 'unrecognized_keys') ?? (issues[0] as Issue);
}

/** The issue of the alternative that fits best: for an object, the fault inside it. */
function innermost(issue: Issue, given: unknown): Issue {
  if (issue.code !== 'invalid_union' || !isObject(valueAt(given, issue.path))) return issue;
  const inner = issue.errors
    .map(([first]) => first)
    .find((first) => first && (first.path.length > 0 || first.code === 'unrecognized_keys'));
  return inner ? innermost({ ...inner, path: [...issue.path, ...inner.path] } as Issue, given) : issue;
}

/** The schema of the option at this path, or undefined. */
function schemaAt(schema: z.core.$ZodType, [key, ...rest]: Path): z.core.$ZodType | undefined {
  if (key === undefined) return schema;
  const { def } = bare(schema)._zod;
  const item = def.type === 'array' ? def.element : def.type === 'record' ? def.valueType : undefined;
  const shape = shapeOf(schema);
  const next = item ?? (shape && Object.hasOwn(shape, String(key)) ? shape[String(key)] : undefined);
  return next && schemaAt(next, rest);
}

function valueAt(given: unknown, path: Path): unknown {
  return path.reduce<unknown>((value, key) => (value as Record<PropertyKey, unknown> | null | undefined)?.[key], given);
}

/** What is there with the value undefined: the option at this path, or a member of it. */
function unsetAt(given: unknown, path: Path): Path | undefined {
  const [owner, value] = [valueAt(given, path.slice(0, -1)), valueAt(given, path)];
  if (value === undefined && isObject(owner)) return Object.hasOwn(owner, path.at(-1) ?? '') ? path : undefined;
  const [key] = isObject(value) ? Object.keys(value).filter((each) => value[each] === undefined) : [];
  return key === undefined ? undefined : [...path, key];
}

/** `groups[0].title`; names that an application chose are quoted. */
function nameOf(path: Path): string {
  return path.reduce<string>((name, key) => {
    if (typeof key === 'number') return `${name}[${key}]`;
    if (!/^[A-Za-z]\w*$/.test(String(key))) return `${name}[${JSON.stringify(String(key).slice(0, 64))}]`;
    return name === '' ? String(key) : `${name}.${String(key)}`;
  }, '');
}

/** Whether the schema accepts numbers. */
function isNumeric(schema: z.core.$ZodType | undefined): boolean {
  if (!schema) return false;
  const { def } = bare(schema)._zod;
  return def.type === 'number' || (def.type === 'union' && def.options.some(isNumeric));
}

/** Whether the schema names the texts that it accepts, at least as one of its alternatives. */
function isChoice(schema: z.core.$ZodType | undefined): boolean {
  if (!schema) return false;
  const { def } = bare(schema)._zod;
  return def.type === 'literal' || (def.type === 'union' && def.options.some(isChoice));
}

/** Letters alone: a key, a token or an address has other characters. */
const WORD = /^[a-z][a-z_-]{0,23}$/i;

/** A value in words that do not repeat what may be a secret: a text, or a number in the place of a text. */
function kindOf(value: unknown, expected: z.core.$ZodType | undefined): string {
  if (value === null || typeof value === 'boolean') return String(value);
  if (typeof value === 'number' && isNumeric(expected)) return String(value);
  if (typeof value === 'string' && WORD.test(value) && isChoice(expected)) return JSON.stringify(value);
  if (Array.isArray(value)) return value.length === 0 ? 'an empty list' : 'a list';
  if (typeof value === 'string') {
    return value === '' ? 'an empty text' : 'this text';
  }
  return typeof value === 'object' ? 'an object' : `a ${typeof value}`;
}
