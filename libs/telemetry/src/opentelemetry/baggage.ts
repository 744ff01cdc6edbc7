import type { Baggage } from '@opentelemetry/api';

/** Keys that an application can name: as many as every participant of a trace must hand on. */
export const MAX_BAGGAGE_KEYS = 64;
/** Of a whole value of baggage, in its encoded form: more need not be handed on. */
const MAX_BYTES = 8192;
/** Members of a value from outside. */
const MAX_MEMBERS = 180;
// Each of these is one class of characters between two anchors: whatever comes in, it is read once, from left to right.
const KEY = /^[\w!#$%&'*+.^`|~-]{1,256}$/;
const VALUE = /^[\x21\x23-\x2b\x2d-\x3a\x3c-\x5b\x5d-\x7e]*$/;
/** Of the characters that `trim` takes away, only blanks and tabs. */
const TRIMMABLE = /^[\t\x20-\x7e]*$/;

/** Whether W3C Baggage allows this key. */
export function isBaggageKey(key: string): boolean {
  return KEY.test(key);
}

/**
 * The members of a value of baggage from outside that the application has named, decoded; properties of members are left
 * out. None of a value that is too long or has too many members. A malformed member counts as missing.
 */
export function baggageMembers(given: unknown, keys: readonly string[]): readonly (readonly [string, string])[] {
  if (keys.length === 0 || typeof given !== 'string' || given.length > MAX_BYTES) return [];
  const members = given.split(',');
  if (members.length > MAX_MEMBERS) return [];
  return members.flatMap((member) => {
    const [key, encoded] = partsOf(member) ?? [];
    if (key === undefined || encoded === undefined || !keys.includes(key)) return [];
    const value = orNothing(() => decodeURIComponent(encoded));
    return value === undefined ? [] : [[key, value] as const];
  });
}

/**
 * Key and encoded value of a member. Split and trimmed rather than matched as a whole: an expression with optional blanks
 * around its parts tries every way to divide many blanks before it refuses a member.
 */
function partsOf(member: string): readonly [string, string] | undefined {
  const [pair = ''] = member.split(';', 1);
  const equals = pair.indexOf('=');
  if (equals < 0 || !TRIMMABLE.test(pair)) return undefined;
  const key = pair.slice(0, equals).trim();
  const value = pair.slice(equals + 1).trim();
  return isBaggageKey(key) && VALUE.test(value) ? [key, value] : undefined;
}

/** The named members as a value of baggage, without those that do not fit; undefined if there are none. */
export function baggageText(baggage: Baggage | undefined, keys: readonly string[]): string | undefined {
  let text = '';
  for (const key of baggage ? keys : []) {
    const value = baggage?.getEntry(key)?.value;
    const encoded = value === undefined ? undefined : orNothing(() => encodeURIComponent(value));
    if (encoded === undefined) continue;
    const member = `${text === '' ? '' : ','}${key}=${encoded}`;
    if (text.length + member.length <= MAX_BYTES) text += member;
  }
  return text === '' ? undefined : text;
}

/** Undefined for a text that is malformed. */
function orNothing(code: () => string): string | undefined {
  try {
    return code();
  } catch {
    return undefined;
  }
}
