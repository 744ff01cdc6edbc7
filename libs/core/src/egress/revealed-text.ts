// Several levels of JSON double the backslashes, several of URL encoding repeat "25", several of HTML repeat "amp;".
const ENCODED =
  String.raw`%(?:25){0,8}[0-9a-f]{2}|\\{1,16}(?:u[0-9a-f]{4}|x[0-9a-f]{2})|` +
  String.raw`&(?:amp;){0,8}(?:#x[0-9a-f]{1,6};?|#\d{1,7};?|quot;|apos;|lt;|gt;|amp;)`;
const QUOTED = String.raw`|\\{1,16}["'/]`;
const NAMED: Readonly<Record<string, string>> = { quot: '"', apos: "'", lt: '<', gt: '>', amp: '&' };
const MAX_CODE_POINT = 0x10ffff;

/** A text in which escapes are replaced by the characters for which they stand. */
export interface RevealedText {
  readonly text: string;
  /** For each character, and for the end, its index in the original text. Absent in the original. */
  readonly starts?: Uint32Array;
}

/** Finds and replaces the escapes of URLs, JSON, JavaScript and HTML. Non-ASCII characters of URLs become their bytes. */
export class Escapes {
  readonly #one: RegExp;
  readonly #all: RegExp;

  /** @param quotes whether quotation marks and slashes after a backslash count; JSON has them everywhere */
  constructor(quotes: boolean) {
    const pattern = quotes ? ENCODED + QUOTED : ENCODED;
    this.#one = new RegExp(pattern, 'i');
    this.#all = new RegExp(pattern, 'gi');
  }

  isIn(text: string): boolean {
    return this.#one.test(text);
  }

  /** The text without escapes. */
  revealed(text: string): string {
    return text.replace(this.#all, characterOf);
  }

  /** The text without escapes, with the place of each character. */
  located({ text, starts }: RevealedText): RevealedText {
    const places = new Uint32Array(text.length + 1);
    const parts: string[] = [];
    let from = 0;
    let length = 0;
    const keep = (to: number) => {
      parts.push(text.slice(from, to));
      for (let index = from; index < to; index++) places[length++] = starts?.[index] ?? index;
    };
    for (const { 0: escape, index } of text.matchAll(this.#all)) {
      keep(index);
      const character = characterOf(escape);
      parts.push(character);
      for (let unit = 0; unit < character.length; unit++) places[length++] = starts?.[index] ?? index;
      from = index + escape.length;
    }
    keep(text.length);
    places[length] = starts?.[text.length] ?? text.length;
    return { text: parts.join(''), starts: places.subarray(0, length + 1) };
  }
}

function characterOf(escape: string): string {
  if (escape.startsWith('%')) return String.fromCharCode(Number.parseInt(escape.slice(-2), 16));
  if (escape.startsWith('\\')) {
    const [said = ''] = /[^\\].*$/.exec(escape) ?? [];
    return said.length === 1 ? said : String.fromCharCode(Number.parseInt(said.slice(1), 16));
  }
  const said = escape.replace(/^&(?:amp;)*(?=.)/i, '').replace(';', '');
  if (!said.startsWith('#')) return NAMED[said.toLowerCase()] ?? '&';
  const code = /^#x/i.test(said) ? Number.parseInt(said.slice(2), 16) : Number.parseInt(said.slice(1), 10);
  return code <= MAX_CODE_POINT ? String.fromCodePoint(code) : '\ufffd';
}
