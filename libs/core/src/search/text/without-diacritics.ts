// Latin, Greek and Cyrillic diacritics, Hebrew and Arabic points, and what nobody sees. Vowel signs of other scripts stay:
// they are letters.
const UNREAD = new RegExp(
  ['[\\u0300-\\u036f]', '[\\u0591-\\u05c7]', '[\\u064b-\\u0652]', '[\\ufe00-\\ufe0f]', '\\p{Cf}'].join('|'),
  'gu',
);

/** A text in compatibility form (NFKC) without the marks that readers leave out. */
export function withoutDiacritics(text: string): string {
  // NFC afterwards puts Hangul syllables and voiced kana together again, which NFKD takes apart.
  return text.normalize('NFKD').replace(UNREAD, '').normalize('NFC');
}
