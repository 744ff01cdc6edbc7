import { allowed, bare, eachOption } from '@tool-search/core/internal';
import { z } from 'zod';

type Path = readonly (string | number)[];

/** Options of which exactly one is wrong, and what the refusal has to say. */
export interface WrongOptions {
  readonly title: string;
  readonly options: object;
  readonly says: string;
}

/** A text that a refusal must not repeat. */
export const SECRET = 'sk-secret-0123456789 \u0000';
const CANDIDATES = [SECRET, -1.5, [SECRET], { secret: SECRET }, () => SECRET, null, true];

/**
 * Walks through a schema. Each option gets a value of a wrong kind, each object of options an unknown key.
 *
 * @param rights correct options, with the required members of all objects that are optional. The first that has the
 *   object around an option is used; more than one are needed where options exclude each other.
 */
export function wrongOptions(schema: z.core.$ZodType, rights: readonly [object, ...object[]]): readonly WrongOptions[] {
  const options = [{ path: [] as Path, schema }, ...eachOption(schema)];
  return options.flatMap((option) => {
    const name = nameOf(option.path);
    const right = rights.find((each) => hasParent(each, option.path)) ?? rights[0];
    const wrong = CANDIDATES.find((value) => !z.safeParse(option.schema, value).success);
    const bad: WrongOptions[] = [];
    if (name !== '' && wrong !== undefined) {
      const says = `${name} must be ${allowed(option.schema)}, not `;
      bad.push({ title: `${name}: ${kindOf(wrong)}`, options: withValue(right, option.path, wrong), says });
    }
    const { def } = bare(option.schema)._zod;
    if (def.type === 'object' && def.catchall?._zod.def.type === 'never') {
      const says = `${name}${name === '' ? '' : ' '}has no option "unknownOption".`;
      bad.push({
        title: `${name}: an unknown key`,
        options: withValue(right, [...option.path, 'unknownOption'], 1),
        says,
      });
    }
    return bad;
  });
}

/** Options whose value nothing checks. */
export function uncheckedOptions(schema: z.core.$ZodType): readonly string[] {
  const isUnchecked = (option: z.core.$ZodType) => CANDIDATES.every((value) => z.safeParse(option, value).success);
  return eachOption(schema).flatMap((option) => (isUnchecked(option.schema) ? [nameOf(option.path)] : []));
}

function hasParent(into: unknown, path: Path): boolean {
  const parent = path
    .slice(0, -1)
    .reduce<unknown>((value, key) => (value as Record<string, unknown> | undefined)?.[key], into);
  return parent !== undefined;
}

function withValue(into: unknown, [key, ...rest]: Path, value: unknown): object {
  const inner =
    rest.length === 0 ? value : withValue((into as Record<string, unknown> | undefined)?.[key!], rest, value);
  if (typeof key === 'number') return [inner];
  // A class instance keeps its prototype.
  const copy = Object.assign(Object.create(Object.getPrototypeOf(into ?? {}) as object) as object, into);
  return Object.assign(copy, { [key!]: inner });
}

function nameOf(path: Path): string {
  return path.reduce<string>(
    (name, key) => (typeof key === 'number' ? `${name}[${key}]` : `${name}${name && '.'}${key}`),
    '',
  );
}

function kindOf(value: unknown): string {
  return value === null ? 'null' : Array.isArray(value) ? 'list' : typeof value;
}
