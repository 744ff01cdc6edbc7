import { isMod97 } from './checksums.js';
import type { Finding } from './finding.js';

/** Lengths of the IBAN registry (ISO 13616), by country. */
const LENGTHS: ReadonlyMap<string, number> = new Map(
  (
    'AD24 AE23 AL28 AT20 AZ28 BA20 BE16 BG22 BH22 BI27 BR29 BY28 CH21 CR22 CY28 CZ24 DE22 DJ27 DK18 DO28 EE20 EG29 ES24 ' +
    'FI18 FK18 FO18 FR27 GB22 GE22 GI23 GL18 GR27 GT28 HN28 HR21 HU28 IE22 IL23 IQ23 IS26 IT27 JO30 KW30 KZ20 LB28 LC32 ' +
    'LI21 LT20 LU20 LV21 LY25 MC27 MD24 ME22 MK19 MN20 MR27 MT31 MU30 NI28 NL18 NO15 OM23 PK24 PL28 PS29 PT25 QA29 RO24 ' +
    'RS22 RU33 SA24 SC31 SD18 SE24 SI19 SK24 SM27 SO23 ST25 SV28 TL23 TN24 TR26 UA29 VA22 VG24 XK20 YE30'
  )
    .split(' ')
    .map((entry) => [entry.slice(0, 2), Number(entry.slice(2))]),
);
const START = /[A-Za-z]{2}[ \u00a0]?\d[ \u00a0]?\d/g;
const ALNUM = /[A-Za-z0-9]/;
const BLANK = /[ \u00a0\u2007\u2009\u202f.-]/;
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
  return isMod97(bare.toUpperCase()) ? at : undefined;
}
