import { getCountrySpecifications } from 'ibantools';
import { isMod97 } from './checksums.js';
import type { Finding } from './finding.js';

/** Lengths of IBANs by country: those of the registry (ISO 13616), and of countries that use the form without being in it. */
const LENGTHS: ReadonlyMap<string, number> = new Map(
  Object.entries(getCountrySpecifications()).flatMap(([country, { chars }]) =>
    chars === null ? [] : [[country, chars]],
  ),
);
const START = /[A-Za-z]{2}[ \t]?\d[ \t]?\d/g;
const ALNUM = /[A-Za-z0-9]/;
const BLANK = /[ \t.-]/;
/** Blanks between two characters. */
const MAX_BLANKS = 2;

/** International bank account numbers that start in `[from, to)`, in groups of any size, with right check digits. */
export function* ibansIn(text: string, from: number, to: number): Generator<Finding> {
  const part = text.slice(from, to + 8);
  for (const { index, 0: found } of part.matchAll(START)) {
    const start = from + index;
    if (start >= to) return;
    const length = LENGTHS.get(found.slice(0, 2).toUpperCase());
    if (length === undefined || isInsideWord(text, start)) continue;
    const end = endOf(text, start, length);
    if (end !== undefined) yield { start, end, kind: 'iban' };
  }
}

function isInsideWord(text: string, start: number): boolean {
  return start > 0 && ALNUM.test(text.charAt(start - 1)) && !/iban$/i.test(text.slice(Math.max(0, start - 4), start));
}

function endOf(text: string, start: number, length: number): number | undefined {
  let bare = '';
  let at = start;
  for (let blanks = 0; bare.length < length; at += 1) {
    const char = text.charAt(at);
    if (ALNUM.test(char)) {
      bare += char;
      blanks = 0;
    } else if (!BLANK.test(char) || ++blanks > MAX_BLANKS) return undefined;
  }
  if (ALNUM.test(text.charAt(at))) return undefined;
  // The national part may be wrong: a reader takes it for an account number all the same. ibantools refuses it.
  return isMod97(bare.toUpperCase()) ? at : undefined;
}
