import {
  isBsn,
  isCodiceFiscale,
  isCpf,
  isEan13,
  isNir,
  isPersonnummer,
  isPesel,
  isSpanishId,
  isSsn,
  isSteuerId,
  isSvnr,
} from './checksums.js';
import type { Finding, RedactionCountry } from './finding.js';
import type { TextView } from './text-view.js';

interface IdRule {
  readonly country: RedactionCountry;
  /** Bounded, with no neighbours that are letters or digits; separators are removed before the check. */
  readonly form: RegExp;
  readonly isValid: (bare: string) => boolean;
  /** Forms that need no word beside them, because form and check digits together are rare. */
  readonly free: RegExp | undefined;
  readonly label: RegExp;
}

const form = (source: string, flags = 'g') =>
  new RegExp(String.raw`(?<![\p{L}\p{N}_])(?:${source})(?![\p{L}\p{N}_])`, `${flags}u`);
const GAP = '[ .-]';
const SPACE = ' ';

const RULES: readonly IdRule[] = [
  {
    country: 'us',
    form: form(String.raw`\d{3}([ -]?)\d\d\1\d{4}`),
    isValid: isSsn,
    free: /^\d{3}-\d\d-\d{4}$/,
    label: /\b(?:ssns?|social security|soc ?sec|itin|tax ?payer)\b/,
  },
  {
    country: 'gb',
    form: form(`[A-Za-z]{2}${GAP}?\\d\\d${GAP}?\\d\\d${GAP}?\\d\\d${GAP}?[A-Da-d]`),
    isValid: (bare) => /^(?!BG|GB|NK|KN|TN|NT|ZZ)[A-CEGHJ-PR-TW-Z][A-CEGHJ-NPR-TW-Z]/.test(bare),
    free: /^[A-Z]{2}.+[A-D]$/,
    label: /\b(?:nino|ni|national insurance)\b/,
  },
  {
    country: 'fr',
    form: form(`[12]${GAP}?\\d\\d${GAP}?\\d\\d${GAP}?(?:\\d\\d|2[ABab])${GAP}?\\d{3}${GAP}?\\d{3}${GAP}?\\d\\d`),
    isValid: isNir,
    free: /./,
    label: /\bnir\b/,
  },
  {
    country: 'de',
    form: form(`[1-9]\\d${SPACE}?\\d{3}${SPACE}?\\d{3}${SPACE}?\\d{3}`),
    isValid: isSteuerId,
    free: undefined,
    label: /steuer ?-?id|\bidnr|\bid-nr|identifikations ?-?n|\btin\b|\btax ?-?id|steuerliche/,
  },
  {
    country: 'es',
    form: form(String.raw`(?:\d{8}|\d{1,2}\.\d{3}\.\d{3}|[XYZxyz]-?\d{7})-?[A-Za-z]`),
    isValid: isSpanishId,
    free: /[A-Z]$/,
    label: /\b(?:dni|nie|nif|documento)\b/,
  },
  {
    country: 'it',
    form: form(
      `[A-Za-z]{3}${SPACE}?[A-Za-z]{3}${SPACE}?\\d\\d[A-EHLMPRSTa-ehlmprst]\\d\\d${SPACE}?[A-Za-z]\\d{3}[A-Za-z]`,
    ),
    isValid: isCodiceFiscale,
    free: /./,
    label: /codice/,
  },
  {
    country: 'nl',
    form: form(String.raw`\d{4}[. ]?\d\d[. ]?\d{3}|\d{3}[. ]\d{3}[. ]\d{3}`),
    isValid: isBsn,
    free: undefined,
    label: /\bbsns?\b|burger ?service|\bsofi/,
  },
  {
    country: 'pl',
    form: form(String.raw`\d{6}[ -]?\d{5}`),
    isValid: isPesel,
    free: undefined,
    label: /\bpesel/,
  },
  {
    country: 'ch',
    form: form(String.raw`756([. ]?)\d{4}\1\d{4}\1\d\d`),
    isValid: isEan13,
    free: /./,
    label: /\b(?:ahv|avs|avs-nr)\b/,
  },
  {
    country: 'at',
    form: form(String.raw`[1-9]\d{3}[ -]?\d{6}`),
    isValid: isSvnr,
    free: /^\d{4} \d{6}$/,
    label: /\bsv ?-?n|\bsvnr|sozialversicherung|versicherungsn|\bvsnr/,
  },
  {
    country: 'se',
    form: form(String.raw`(?:19|20)?\d{6}[ +-]?\d{4}`),
    isValid: isPersonnummer,
    free: /[+-]/,
    label: /personnummer|person ?nr|\bpnr\b|samordningsnummer/,
  },
  {
    country: 'br',
    form: form(String.raw`\d{3}([. ]?)\d{3}\1\d{3}[- ]?\d\d`),
    isValid: isCpf,
    free: /^\d{3}\.\d{3}\.\d{3}-\d\d$/,
    label: /\bcpf/,
  },
];

/** Words for other numbers directly before one. */
const OTHER =
  /\b(?:orders?|bestell\w*|auftrag\w*|part|parts|sku|artikel\w*|invoice|rechnung\w*|parcel|tracking|ticket|serial|ref|kundennummer|vertrag\w*|order id|parcel id|org\.? ?nr|organisationsnummer|orgnr|invalid|example)\b\W{0,3}(?:(?:no|nr|number|nummer|id)\b\W{0,3})?$/;
const MAX_CHARS = 32;

/** National ids that start in `[from, to)`, with right check digits where there are some. */
export function* nationalIdsIn(
  view: TextView,
  countries: readonly RedactionCountry[],
  from: number,
  to: number,
): Generator<Finding> {
  const base = Math.max(0, from - 1);
  const part = view.text.slice(base, to + MAX_CHARS);
  for (const rule of RULES) {
    if (!countries.includes(rule.country)) continue;
    for (const { index, 0: raw } of part.matchAll(rule.form)) {
      const start = base + index;
      if (start < from) continue;
      if (start >= to) break;
      const bare = raw.replaceAll(/[^\p{L}\p{N}]/gu, '').toUpperCase();
      if (!rule.isValid(bare) || isFraction(view.text, start, start + raw.length)) continue;
      const label = view.labelOf(start);
      const isNamed = rule.label.test(label);
      if ((isNamed || rule.free?.test(raw)) && !OTHER.test(label)) {
        yield { start, end: start + raw.length, kind: 'national-id' };
      }
    }
  }
}

/** A part of a longer number with separators. */
function isFraction(text: string, start: number, end: number): boolean {
  return /\d[-./]$/.test(text.slice(Math.max(0, start - 2), start)) || /^[-./]\d/.test(text.slice(end, end + 2));
}
