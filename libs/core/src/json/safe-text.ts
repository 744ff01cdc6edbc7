// Control characters, invisible ones and line separators: a person would not see them in a log, or would read another line or
// another order. Half of a pair of surrogates would meet another one in one key.
const UNSAFE = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/u;

const CONTROL = /[\p{Cc}\p{Cs}]/u;

/**
 * Whether a text has control characters or half of a pair of surrogates in it: they forge log lines, PostgreSQL keeps no NUL,
 * and two lone surrogates meet in one key once they are written as UTF-8.
 */
export function hasControlCharacters(text: string): boolean {
  return CONTROL.test(text);
}

/** Whether a value is text of 1 to `max` characters that a log shows as it is: not blank, nothing invisible in it. */
export function isSafeText(value: unknown, max: number): value is string {
  return typeof value === 'string' && value.trim() !== '' && value.length <= max && !UNSAFE.test(value);
}

/** Whether a value is safe text without blanks around it, so that two ids that look alike are one. */
export function isSafeId(value: unknown, max: number): value is string {
  return isSafeText(value, max) && value === value.trim();
}

/** The text with U+FFFD in place of what {@link isSafeText} refuses, at most `max` characters; for what has happened already. */
export function safeText(text: string, max: number): string {
  return text.slice(0, max).replaceAll(new RegExp(UNSAFE, 'gu'), '\ufffd');
}
