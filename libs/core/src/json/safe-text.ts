// Invisible characters, and those that change the lines or the reading order of a log. Lone surrogates all become the
// same bytes in UTF-8, so two keys could collide.
const UNSAFE = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/u;
const CONTROL = /[\p{Cc}\p{Cs}]/u;
// All of them, fillers and selectors of variants, and the blank pattern of braille.
const UNSEEN = /[\p{C}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u{2800}]/gu;
const NONE: ReadonlySet<string> = new Set();

/**
 * Whether a text contains control characters or lone surrogates. Control characters can forge log lines; PostgreSQL
 * cannot store NUL; different lone surrogates become the same bytes in UTF-8, so two keys could collide.
 */
export function hasControlCharacters(text: string): boolean {
  return CONTROL.test(text);
}

/** Whether a value is a string of 1 to `max` characters, not blank, without control or invisible characters. */
export function isSafeText(value: unknown, max: number): value is string {
  return typeof value === 'string' && value.trim() !== '' && value.length <= max && !UNSAFE.test(value);
}

/** Whether a value is safe text without leading or trailing blanks, so that two ids that look alike are equal. */
export function isSafeId(value: unknown, max: number): value is string {
  return isSafeText(value, max) && value === value.trim();
}

/** Replaces characters that {@link isSafeText} refuses by U+FFFD and cuts, for text that can no longer be refused. */
export function safeText(text: string, max: number): string {
  return text.slice(0, max).replaceAll(new RegExp(UNSAFE, 'gu'), '\ufffd');
}

/** The first `maxChars` characters. A character of two code units is not split: some providers refuse half of one. */
export function truncated(text: string, maxChars: number): string {
  return text.slice(0, maxChars).replace(/[\ud800-\udbff]$/, '');
}

/**
 * Writes characters that a reader does not see, or that change the order of others, as escapes such as `\u{202e}`, for a
 * person who decides about the text.
 *
 * @param kept characters that stay. @default none
 */
export function visibleText(text: string, kept = NONE): string {
  return text.replaceAll(UNSEEN, (each) => (kept.has(each) ? each : `\\u{${each.codePointAt(0)?.toString(16)}}`));
}
