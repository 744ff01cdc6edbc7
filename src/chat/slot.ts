import type { JsonSchema, JsonValue } from '@tool-search/core';
import type { UserRequest } from './request-reading.js';
import type { TextValue } from './text-values.js';
import { sameThing, stem, wordsOf } from './words.js';

/** One argument to fill. */
export interface Slot {
  readonly name: string;
  /** Stems of the words in its name. */
  readonly words: ReadonlySet<string>;
  readonly schema: JsonSchema;
  readonly required: boolean;
  /** It is the only one that is required. */
  readonly only?: boolean;
  /** One element of a list, which may have any number of them. */
  readonly one?: boolean;
}

/** What an argument may be filled from. */
export interface Evidence {
  readonly request: UserRequest;
  /** Text of the result before. */
  readonly previous: string | undefined;
  /** What the tool says about itself. */
  readonly description: string;
  /** Values that other arguments have taken. */
  readonly used: ReadonlySet<TextValue>;
}

/** A value for an argument: which values of the text it takes, and which words it covers. */
export interface Finding {
  readonly value: JsonValue;
  readonly uses?: readonly TextValue[];
  readonly words?: string;
}

/** The stems of words, separated by spaces. */
export function stems(words: string): ReadonlySet<string> {
  return new Set(words.split(' ').map(stem));
}

/** Whether an argument's name has one of these words. */
export function isNamed({ words }: Slot, any: ReadonlySet<string>): boolean {
  return [...words].some((word) => any.has(word));
}

/** Whether the text itself says that a value belongs to an argument. */
export function isLabelled({ label }: TextValue, slot: Slot): boolean {
  if (label === undefined) return false;
  return wordsOf(label).every((word) => slot.words.has(stem(word))) || isNamed(slot, sameThing(label));
}

/** The values nobody has taken, in the order of the text. */
export function freeValues({ request, used }: Evidence): TextValue[] {
  return request.values.filter((value) => !used.has(value));
}

/** What a pattern's first group catches in the text, with the values inside it, if those are free. */
export function phrase(pattern: RegExp, { request, used }: Evidence): Finding | undefined {
  const match = pattern.exec(request.text);
  const said = match?.[1]?.trim();
  if (!match || said === undefined || said === '') return undefined;
  const start = match.index + match[0].lastIndexOf(said);
  const uses = request.values.filter((value) => value.start >= start && value.end <= start + said.length);
  return uses.some((value) => used.has(value)) ? undefined : { value: said, uses, words: said };
}

/** Whether a value keeps to the bounds of its schema; patterns are the toolbox's business, a stranger's could run forever. */
export function fits(value: JsonValue, type: string, schema: JsonSchema): boolean {
  const { minLength, maxLength, minimum, maximum, exclusiveMinimum } = schema;
  const within = (size: number, low: unknown, high: unknown) =>
    !(typeof low === 'number' && size < low) && !(typeof high === 'number' && size > high);
  if (typeof value === 'string') return type === 'string' && within(value.length, minLength, maxLength);
  if (typeof value !== 'number') return true;
  if (type === 'integer' && !Number.isInteger(value)) return false;
  if (typeof exclusiveMinimum === 'number' && value <= exclusiveMinimum) return false;
  return within(value, minimum, maximum);
}
