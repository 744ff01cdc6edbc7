import { isLuhn } from '../checksums.js';
import type { Finding } from '../finding.js';
import type { TextView } from '../text-view.js';
import { candidatesFrom, type NumberCandidate, type NumberRun } from './number-runs.js';

/** Ranges and lengths of the schemes, from their public tables of issuer numbers. */
const SCHEMES: readonly RegExp[] = [
  /^4\d{12}(?:\d{3}){0,2}$/, // Visa
  /^(?:5[1-5]\d{14}|2(?:22[1-9]|2[3-9]\d|[3-6]\d\d|7[01]\d|720)\d{12})$/, // Mastercard
  /^3[47]\d{13}$/, // American Express
  /^3(?:0[0-5]|095|[689]\d)\d{11,16}$/, // Diners Club
  /^6(?:011|4[4-9]\d|5\d\d)\d{12,15}$/, // Discover
  /^35(?:2[89]|[3-8]\d)\d{12,15}$/, // JCB
  /^(?:62|81)\d{14,17}$/, // UnionPay
  /^(?:50|5[6-8]|6)\d{11,17}$/, // Maestro, RuPay
  /^220[0-4]\d{12,15}$/, // Mir
];
const LABEL =
  /\b(?:cards?|pan|visa|master ?card|amex|american express|maestro|diners|discover|jcb|union ?pay|cc|credit|debit|kredit|karten?|kreditkarten?(?:nummer)?|kartennummer|cartes?|carte bleue|cb|tarjetas?|carta|carte|karta|karty|kaart(?:nummer)?|cartao|cartão|kort(?:nummer)?)\b/u;
const OTHER =
  /\b(?:imei|imsi|iccid|ean|gtin|upc|isbn|tracking|sendung\w*|shipment|parcel|order|bestell\w*|auftrag\w*|invoice|rechnung\w*|serial|seriennummer|snowflake|timestamp|ts|ns|trace|span|message id|user id|account id)\b\W{0,3}(?:(?:no|nr|num|number|nummer|id)\b\W{0,3})?$/u;
/** Groups as they are printed on cards. */
const PRINTED = /^(?:\d{4}([ .-])\d{4}\1\d{4}\1\d{1,4}(?:\1\d{1,3})?|\d{4}([ .-])\d{6}\2\d{4,5})$/;

/** Payment cards: 12 to 19 digits of a scheme with a right check digit. Rare lengths only beside a word for a card. */
export function* cardsIn(view: TextView, run: NumberRun): Generator<Finding> {
  for (let first = 0; first < run.length; first += 1) {
    for (const candidate of candidatesFrom(view.text, run, first, 12, 19)) {
      if (!isCard(view, candidate)) continue;
      yield { start: candidate.start, end: candidate.end, kind: 'card' };
      first = candidate.last;
      break;
    }
  }
}

function isCard(view: TextView, { raw, digits, start, before, after, digitsBefore }: NumberCandidate): boolean {
  const isPrinted = PRINTED.test(raw);
  if (!isPrinted && raw !== digits) return false;
  // A fraction, or a part of a longer row of numbers.
  if (before === '.' || (after === '.' && !isPrinted) || (isPrinted && before === raw[4] && digitsBefore === 4))
    return false;
  if (/^(\d)\1+$/.test(digits) || !SCHEMES.some((scheme) => scheme.test(digits)) || !isLuhn(digits)) return false;
  const label = view.labelOf(start);
  if (LABEL.test(label) || (isPrinted && digits.length === 16)) return true;
  if (OTHER.test(label)) return false;
  return digits.length >= 14 && digits.length <= 16;
}
