// Latin, Greek and Cyrillic diacritics, Hebrew and Arabic points, and invisible characters. Vowel signs of other
// scripts stay: they are letters.
const UNREAD = new RegExp(
  ['[\\u0300-\\u036f]', '[\\u0591-\\u05c7]', '[\\u064b-\\u0652]', '[\\ufe00-\\ufe0f]', '\\p{Cf}'].join('|'),
  'gu',
);

/** Normalizes a text to compatibility form (NFKC), without diacritics and invisible characters. */
export function withoutDiacritics(text: string): string {
  // NFC recomposes Hangul syllables and voiced kana, which NFKD decomposes.
  return text.normalize('NFKD').replace(UNREAD, '').normalize('NFC');
}
