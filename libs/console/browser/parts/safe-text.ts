const SHOWN = 300;
const SHOWN_IN_ONE_PIECE = 120;

// Characters that a reader does not see, or that change the order of others: controls but line ends and tabs, formats.
const UNSEEN = /(?![\n\t])[\p{Cc}\p{Cf}\u2028\u2029]/gu;

declare const plain: unique symbol;

/** A text without characters that a reader does not see. The console shows no other string outside of `Text`. */
export type PlainText = string & { readonly [plain]: true };

/** Writes characters that a reader does not see as escapes, for example `\u{202e}`. */
export function visibleText(text: string): PlainText {
  return text.replace(UNSEEN, (character) => `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`) as PlainText;
}

/** A text of others in one piece, for attributes: its start, without characters that a reader does not see. */
export function plainText(value: string, max = SHOWN_IN_ONE_PIECE): PlainText {
  const { text, isCut } = cutText(value, max);
  return visibleText(isCut ? `${text}…` : text);
}

/** Cuts a text without splitting a character. */
export function cutText(text: string, max = SHOWN): { readonly text: string; readonly isCut: boolean } {
  if (text.length <= max) return { text, isCut: false };
  const end = /[\ud800-\udbff]/.test(text.charAt(max - 1)) ? max - 1 : max;
  return { text: text.slice(0, end), isCut: true };
}
