const ASCII = /^[\t-\x7e]*$/;
const MARKS = /\p{Mn}/gu;
const INVISIBLE = /[\p{Cf}\p{Variation_Selector}\u034f\u115f\u1160\u3164\uffa0\u17b4\u17b5]/gu;

/** Look-alikes in other scripts that NFKC does not map to Latin letters: each group starts with the Latin letter. */
const LOOK_ALIKES: ReadonlyMap<string, string> = new Map(
  `aаαɑᴀ bвβʙ cсϲᴄ dԁᴅɗ eеεєᴇҽ fғꜰ gɡɢԍ hһнʜհ iіιıɪӏ jјʝᴊ kкκᴋ lⅼʟ mмᴍ nпηɴո
  oоοσᴏօ pрρᴘ qԛգ rгʀ sѕꜱ tтτᴛ uυᴜսц vѵνᴠ wԝωᴡѡ xхχ yуγʏү zᴢʐ`
    .split(/\s+/)
    .flatMap(([latin = '', ...others]) => others.map((other) => [other, latin] as const)),
);

/** Compatibility forms (fullwidth, circled …) become plain letters; accents and invisible characters are removed. */
export function foldedText(text: string): string {
  if (ASCII.test(text)) return text;
  const letters = text.replace(/[\u{1f130}-\u{1f189}\u{1f1e6}-\u{1f1ff}]/gu, enclosedLetter);
  const plain = letters.normalize('NFKC').replace(INVISIBLE, '');
  // Only accents are removed: Korean syllables and kana with voicing marks are composed again.
  return plain
    .normalize('NFD')
    .replace(MARKS, (mark) => (isVoicing(mark) ? mark : ''))
    .normalize('NFC');
}

export function unmasked(word: string): string {
  let plain = '';
  for (const char of word) plain += LOOK_ALIKES.get(char) ?? char;
  return plain;
}

export function looksLike(char: string): string | undefined {
  return LOOK_ALIKES.get(char);
}

function isVoicing(mark: string): boolean {
  return mark === '\u3099' || mark === '\u309a' || !/\p{Script=Inherited}/u.test(mark);
}

function enclosedLetter(char: string): string {
  const code = char.codePointAt(0) ?? 0;
  const first = code >= 0x1f1e6 ? 0x1f1e6 : code >= 0x1f170 ? 0x1f170 : code >= 0x1f150 ? 0x1f150 : 0x1f130;
  return code - first < 26 ? String.fromCharCode(97 + code - first) : char;
}
