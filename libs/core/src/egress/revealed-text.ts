import { EscapeReader } from './escape-reader.js';

const BYTES_OF_UNIT = 2;
const MAX_UNIT = 0xffff;

/** A text in which escapes are replaced by the characters for which they stand. */
export interface RevealedText {
  readonly text: string;
  /** For each character, and for the end, its index in the original text. Absent in the original. */
  readonly starts?: Uint32Array;
}

/**
 * Replaces the escapes of URLs, JSON, JavaScript and HTML. Non-ASCII characters of URLs become their bytes. A server chooses
 * how many escapes there are, so none of them costs more than a few steps.
 */
export class Escapes {
  readonly #reader: EscapeReader;

  /** @param quotes whether quotation marks and slashes after a backslash count; JSON has them everywhere */
  constructor(quotes: boolean) {
    this.#reader = new EscapeReader(quotes);
  }

  /** The text without escapes; the same text if it has none. */
  revealed(text: string): string {
    return this.#read(text, undefined).text;
  }

  /** The text without escapes, with the place of each character; the same object if it has none. */
  located(seen: RevealedText): RevealedText {
    return this.#read(seen.text, new Uint32Array(seen.text.length + 1), seen);
  }

  /** @param places of the characters of the result, to be filled */
  #read(text: string, places: Uint32Array | undefined, seen: RevealedText = { text }): RevealedText {
    const reader = this.#reader;
    let at = 0;
    while (at < text.length && !reader.readAt(text, at)) at++;
    if (at === text.length) return seen;
    const units = new Uint16Array(text.length);
    const { starts } = seen;
    for (let index = 0; index < at; index++) {
      units[index] = text.charCodeAt(index);
      if (places) places[index] = starts?.[index] ?? index;
    }
    let length = at;
    while (at < text.length) {
      const isEscape = reader.readAt(text, at);
      const code = isEscape ? reader.code : text.charCodeAt(at);
      const place = starts?.[at] ?? at;
      if (places) places[length] = place;
      if (code > MAX_UNIT) {
        const pair = String.fromCodePoint(code);
        units[length++] = pair.charCodeAt(0);
        if (places) places[length] = place;
        units[length++] = pair.charCodeAt(1);
      } else units[length++] = code;
      at += isEscape ? reader.length : 1;
    }
    const revealed = Buffer.from(units.buffer, 0, length * BYTES_OF_UNIT).toString('utf16le');
    if (!places) return { text: revealed };
    places[length] = starts?.[text.length] ?? text.length;
    return { text: revealed, starts: places.subarray(0, length + 1) };
  }
}
