import type { Baggage } from '@opentelemetry/api';

/** Keys that an application can name: as many as every participant of a trace must hand on. */
export const MAX_BAGGAGE_KEYS = 64;
/** Of a whole value of baggage, in its encoded form: more need not be handed on. */
const MAX_BYTES = 8192;
/** Members of a value from outside. */
const MAX_MEMBERS = 180;
const MEMBER =
  /^[ \t]*([\w!#$%&'*+.^`|~-]{1,256})[ \t]*=[ \t]*([\x21\x23-\x2b\x2d-\x3a\x3c-\x5b\x5d-\x7e]*)[ \t]*(?:;.*)?$/;

/** Whether W3C Baggage allows this key. */
export function isBaggageKey(key: string): boolean {
  return /^[\w!#$%&'*+.^`|~-]{1,256}$/.test(key);
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
    const [, key = '', encoded = ''] = MEMBER.exec(member) ?? [];
    const value = keys.includes(key) ? orNothing(() => decodeURIComponent(encoded)) : undefined;
    return value === undefined ? [] : [[key, value] as const];
  });
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
