/** An option of a command. */
export interface CommandOption<T> {
  readonly type: 'string' | 'boolean';
  readonly multiple?: boolean;
  /** What it takes, for `--help`. */
  readonly takes: string;
  /** @throws Error that says what the option takes */
  readonly read: (name: string, given: unknown) => T;
}

/** The options of a command, by name. */
export type CommandOptions = Readonly<Record<string, CommandOption<unknown>>>;

/** The values of options, by name. */
export type OptionValues<Options extends CommandOptions> = {
  readonly [Name in keyof Options]: Options[Name] extends CommandOption<infer T> ? T : never;
};

/** `--name`: true if it is given. */
export function flag(): CommandOption<boolean> {
  return { type: 'boolean', takes: '', read: (_, given) => given === true };
}

/** `--name TEXT`. */
export function text(takes = 'TEXT'): CommandOption<string | undefined> {
  return { type: 'string', takes, read: (_, given) => given as string | undefined };
}

/** `--name TEXT`, any number of times. */
export function texts(takes = 'FILE'): CommandOption<readonly string[]> {
  return { type: 'string', multiple: true, takes: `${takes} …`, read: (_, given) => (given ?? []) as string[] };
}

/** `--name NUMBER`: a whole number from 1 to `max`. A run without work would find no fault. */
export function count(byDefault: number, max = 1_000_000): CommandOption<number> {
  return {
    type: 'string',
    takes: `NUMBER (${byDefault})`,
    read: (name, given = byDefault) => wholeNumber(name, given, max),
  };
}

/** `--name NUMBER`, as {@link count}; undefined if it is not given. */
export function countOrNone(max: number): CommandOption<number | undefined> {
  return {
    type: 'string',
    takes: 'NUMBER',
    read: (name, given) => (given === undefined ? undefined : wholeNumber(name, given, max)),
  };
}

function wholeNumber(name: string, given: unknown, max: number): number {
  const value = Number(given);
  if (Number.isInteger(value) && value >= 1 && value <= max) return value;
  throw new Error(`--${name} takes a whole number from 1 to ${max.toLocaleString('en')}`);
}

/** `--name WORD`: one of these words. */
export function oneOf<const Word extends string>(words: readonly Word[]): CommandOption<Word | undefined> {
  return {
    type: 'string',
    takes: words.join('|'),
    read: (name, given) => {
      if (given === undefined || words.includes(given as Word)) return given as Word | undefined;
      throw new Error(`--${name} takes ${words.join(', ')}`);
    },
  };
}
