import { type FoldedText, FoldedTextBuilder, type Span } from './folded-text.js';

/** An escaped character, or a blank of a form: `?card=4111+1111`. */
const ENCODED = /%[0-9A-Fa-f]{2}|[?&][\w.~-]{1,40}=[^\s&"'<>+]{0,200}\+/g;
/** A blank of a form, bytes of characters that are not ASCII, or one that is; also escaped again, as in an address inside of another one. */
const ESCAPES = /\+|(?<bytes>(?:%(?:25){0,3}[89A-Fa-f][0-9A-Fa-f]){1,1024})|%(?:25){0,3}[0-7][0-9A-Fa-f]/g;
const ESCAPE = /%(?:25){0,3}([0-9A-Fa-f]{2})/g;
/** Characters that end an address in a folded text. */
const BOUNDARIES: ReadonlySet<string> = new Set('\t\n\v\f\r \u2028\u2029"\'`<>{}|\\^');
/** A sign of a mail address, six digits, or a word for a secret in an address; escapes are blanks here, except those of the sign. */
const MAY_HOLD_VALUE = /@|(?:\d\D{0,3}){5}\d|pass|key|secret|token|bearer|basic/i;
/** Escapes that change what an address says: not of blanks, slashes, brackets, umlauts and the like. */
const TELLING =
  /%(?:25){0,3}(?:2[27DEde]|3[\dADad]|40|[46][1-9A-Fa-f]|[57][\dAa]|5[Ff]|7[Ee]|C2|[cC][4-9A-Fa-f]|c2|[DEFdef][\dA-Fa-f])/;
/** How many characters before an address can say what is in it. */
const CONTEXT = 52;
/** Characters of addresses, or escapes, between two pauses. */
const STEP = 4096;

/** The addresses of a text that have escaped characters, decoded, with some words before each; all else is left out. */
export interface DecodedAddresses {
  readonly folded: FoldedText;
  /** Where the addresses are in the folded text, in order. */
  readonly addresses: readonly Span[];
}

/** Decodes the addresses in a folded text. */
export function* decodedAddresses(text: string): Generator<undefined, DecodedAddresses> {
  const builder = new FoldedTextBuilder(text);
  const addresses: Span[] = [];
  for (const address of encodedIn(text)) {
    if (!address) {
      yield;
      continue;
    }
    const context = Math.max(builder.done, lineStart(text, address.start));
    if (context > builder.done) builder.replace({ start: builder.done, end: context }, '\n');
    builder.keepUntil(address.start);
    const start = builder.length;
    yield* decode(text, address, builder);
    addresses.push({ start, end: builder.length });
  }
  builder.replace({ start: builder.done, end: text.length }, '');
  return { folded: builder.build(), addresses };
}

/** The addresses that may hold a value; undefined where it is time for a pause. */
function* encodedIn(text: string): Generator<Span | undefined> {
  let done = 0;
  let scanned = 0;
  for (const { index, 0: found } of text.matchAll(ENCODED)) {
    if (index < done) continue;
    let start = index;
    while (start > done && !BOUNDARIES.has(text.charAt(start - 1))) start -= 1;
    let end = index + found.length;
    while (end < text.length && !BOUNDARIES.has(text.charAt(end))) end += 1;
    done = end;
    scanned += end - start;
    if (scanned >= STEP) {
      scanned = 0;
      yield undefined;
    }
    if (mayHoldValue(text.slice(start, end))) yield { start, end };
  }
}

function mayHoldValue(address: string): boolean {
  return TELLING.test(address) || MAY_HOLD_VALUE.test(address.replaceAll(ESCAPE, ' '));
}

/** Where the words begin that may say what is at a place. */
function lineStart(text: string, at: number): number {
  const start = Math.max(0, at - CONTEXT);
  return start + text.slice(start, at).lastIndexOf('\n') + 1;
}

/** Writes an address without its escapes. A plus is a blank behind the first `?` or `=`. */
function* decode(text: string, { start, end }: Span, builder: FoldedTextBuilder): Generator<undefined> {
  const address = text.slice(start, end);
  const query = /[?=]/.exec(address)?.index ?? Infinity;
  let escapes = 0;
  for (const { index, 0: raw, groups } of address.matchAll(ESCAPES)) {
    escapes += groups?.['bytes'] === undefined ? 1 : raw.length;
    if (escapes >= STEP) {
      escapes = 0;
      yield;
    }
    const from = start + index;
    if (groups?.['bytes'] !== undefined) decodeBytes(raw, from, builder);
    else if (raw !== '+') builder.replace({ start: from, end: from + raw.length }, asciiOf(raw));
    else if (index > query) builder.replace({ start: from, end: from + 1 }, ' ');
  }
  builder.keepUntil(end);
}

function asciiOf(escape: string): string {
  return String.fromCharCode(Number.parseInt(escape.slice(-2), 16));
}

/** Writes the characters that bytes are in UTF-8. Bytes that are none stay escaped. */
function decodeBytes(raw: string, start: number, builder: FoldedTextBuilder): void {
  const bytes = Array.from(raw.matchAll(ESCAPE), ({ index, 0: unit, 1: hex = '' }) => {
    return { hex, start: start + index, end: start + index + unit.length };
  });
  for (let at = 0; at < bytes.length;) {
    const parts = bytes.slice(at, at + bytesOfCharacter(bytes[at]?.hex ?? ''));
    const character = characterOf(parts.map(({ hex }) => `%${hex}`).join(''));
    const [first, last] = [parts[0], parts.at(-1)];
    if (character !== undefined && first && last) builder.replace({ start: first.start, end: last.end }, character);
    at += character === undefined ? 1 : parts.length;
  }
}

/** How many bytes a character has in UTF-8, by the first one. */
function bytesOfCharacter(hex: string): number {
  const byte = Number.parseInt(hex, 16);
  return byte < 0xe0 ? 2 : byte < 0xf0 ? 3 : 4;
}

function characterOf(escapes: string): string | undefined {
  try {
    return decodeURIComponent(escapes);
  } catch {
    return undefined;
  }
}
