/** Makes a text safe for a log: it can come from a source, of any length, with line breaks. */
export function printed(text: string, maxChars: number): string {
  // Cut first: a surrogate pair that is cut in half counts as a control character and is removed too.
  return text.slice(0, maxChars).replaceAll(/[\p{C}\p{Zl}\p{Zp}]/gu, '');
}
