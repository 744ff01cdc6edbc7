/* The public rules of check digits, by kind: they show that the labelled values are right and the look-alikes wrong. */

const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ';
const digitsOf = (text: string) => Array.from(text.replaceAll(/\D/g, ''), Number);
const weighted = (digits: readonly number[], weights: readonly number[]) =>
  weights.reduce((sum, weight, index) => sum + weight * digits[index]!, 0);

/** ISO/IEC 7812-1, annex B. */
export function luhn(text: string): boolean {
  const doubled = digitsOf(text)
    .toReversed()
    .map((digit, index) => (index % 2 === 0 ? digit : digit < 5 ? 2 * digit : 2 * digit - 9));
  return doubled.reduce((sum, digit) => sum + digit, 0) % 10 === 0;
}

/** Lengths of the SWIFT IBAN registry, for the countries in the set. */
const IBAN_LENGTHS: Readonly<Record<string, number>> = Object.fromEntries(
  [
    'NO15 BE16 DK18 FI18 NL18 SI19 AT20 EE20 LT20 LU20 CH21 HR21 LI21 LV21 BG22 DE22 GB22 IE22 AE23 CZ24 ES24 RO24 SA24',
    'SE24 SK24 PT25 IS26 TR26 FR27 GR27 IT27 MC27 SM27 CY28 HU28 PL28 BR29 MT31',
  ].flatMap((line) => line.split(' ').map((entry) => [entry.slice(0, 2), Number(entry.slice(2))])),
);

/** The length of a country's IBAN without blanks; undefined for countries that the set does not use. */
export const ibanLength = (country: string) => IBAN_LENGTHS[country.toUpperCase()];

/** ISO 13616: the length of the country, and the remainder 1 modulo 97. */
export function iban(text: string): boolean {
  const bare = text.replaceAll(/[\s-]/g, '').toUpperCase();
  if (!/^[A-Z]{2}\d{2}[A-Z\d]+$/.test(bare) || bare.length !== ibanLength(bare.slice(0, 2))) return false;
  const number = `${bare.slice(4)}${bare.slice(0, 4)}`.replaceAll(
    /[A-Z]/g,
    (letter) => `${LETTERS.indexOf(letter) + 10}`,
  );
  return BigInt(number) % 97n === 1n;
}

/** What payment cards begin with; the other Luhn-valid numbers, such as IMEIs (15 digits from 35), are no cards. */
const CARD_RANGES = /^(?:4|5[0-8]|6|3[04678]|35(?=\d{14}$)|2[2-7]|81)/;

/** 13 to 19 digits in an issuer's range with a valid check digit. */
export function card(text: string): boolean {
  const digits = text.replaceAll(/\D/g, '');
  return digits.length >= 13 && digits.length <= 19 && CARD_RANGES.test(digits) && luhn(digits);
}

function ssn(text: string): boolean {
  const [, area = '', group, serial] = /^(\d{3})[- ]?(\d{2})[- ]?(\d{4})$/.exec(text) ?? [];
  return !['', '000', '666'].includes(area) && area < '900' && group !== '00' && serial !== '0000';
}

function nino(text: string): boolean {
  const bare = text.replaceAll(' ', '');
  return /^(?!BG|GB|NK|KN|TN|NT|ZZ)[A-CEGHJ-PR-TW-Z][A-CEGHJ-NPR-TW-Z]\d{6}[A-D]$/.test(bare);
}

function nir(text: string): boolean {
  const bare = text.replaceAll(' ', '').replace('2A', '19').replace('2B', '18');
  return /^[12]\d{14}$/.test(bare) && 97 - Number(BigInt(bare.slice(0, 13)) % 97n) === Number(bare.slice(13));
}

/** ISO 7064 MOD 11,10; exactly one of the first ten digits occurs twice. */
function steuerId(text: string): boolean {
  const digits = digitsOf(text);
  let product = 10;
  for (const digit of digits.slice(0, 10)) product = (((product + digit) % 10 || 10) * 2) % 11;
  return digits.length === 11 && new Set(digits.slice(0, 10)).size === 9 && (11 - product) % 10 === digits[10];
}

function spanish(text: string): boolean {
  const [, prefix = '', number, letter] =
    /^([XYZ]?)(\d{7,8})([A-Z])$/.exec(text.toUpperCase().replaceAll(/[.-]/g, '')) ?? [];
  const value = Number(`${prefix && 'XYZ'.indexOf(prefix)}${number}`);
  return 'TRWAGMYFPDXBNJZSQVHLCKE'[value % 23] === letter;
}

function codiceFiscale(text: string): boolean {
  const bare = text.replaceAll(' ', '').toUpperCase();
  const odd = [1, 0, 5, 7, 9, 13, 15, 17, 19, 21, 2, 4, 18, 20, 11, 3, 6, 8, 12, 14, 16, 10, 22, 25, 24, 23];
  const valueOf = (character: string) => (/\d/.test(character) ? Number(character) : LETTERS.indexOf(character));
  const sum = Array.from(bare.slice(0, 15), valueOf).reduce(
    (total, value, index) => total + (index % 2 === 0 ? odd[value]! : value),
    0,
  );
  return /^[A-Z]{6}\d{2}[A-EHLMPRST]\d{2}[A-Z]\d{3}[A-Z]$/.test(bare) && LETTERS[sum % 26] === bare[15];
}

function bsn(text: string): boolean {
  const digits = digitsOf(text);
  return digits.length === 9 && weighted(digits, [9, 8, 7, 6, 5, 4, 3, 2, -1]) % 11 === 0 && digits.some(Boolean);
}

function pesel(text: string): boolean {
  const digits = digitsOf(text);
  return digits.length === 11 && weighted(digits, [1, 3, 7, 9, 1, 3, 7, 9, 1, 3, 1]) % 10 === 0 && digits.some(Boolean);
}

function ahv(text: string): boolean {
  const digits = digitsOf(text);
  return (
    text.startsWith('756') &&
    digits.length === 13 &&
    weighted(digits, [1, 3, 1, 3, 1, 3, 1, 3, 1, 3, 1, 3, 1]) % 10 === 0
  );
}

function svnr(text: string): boolean {
  const digits = digitsOf(text);
  return digits.length === 10 && weighted(digits, [3, 7, 9, 0, 5, 8, 4, 2, 1, 6]) % 11 === digits[3];
}

function personnummer(text: string): boolean {
  const digits = text.replaceAll(/\D/g, '');
  return (digits.length === 10 || digits.length === 12) && luhn(digits.slice(-10));
}

function cpf(text: string): boolean {
  const digits = digitsOf(text);
  const check = (length: number) => {
    const weights = Array.from({ length }, (_, index) => length + 1 - index);
    return ((weighted(digits, weights) * 10) % 11) % 10 === digits[length];
  };
  return digits.length === 11 && check(9) && check(10);
}

/** Checks of kinds whose values have check digits, or at least closed rules. */
export const CHECKS: Readonly<Record<string, (text: string) => boolean>> = {
  iban,
  'iban-grouped': iban,
  'us-ssn': ssn,
  'uk-nino': nino,
  'fr-nir': nir,
  'de-steuer-id': steuerId,
  'es-dni': spanish,
  'es-nie': spanish,
  'it-codice-fiscale': codiceFiscale,
  'nl-bsn': bsn,
  'pl-pesel': pesel,
  'ch-ahv': ahv,
  'at-svnr': svnr,
  'se-personnummer': personnummer,
  'br-cpf': cpf,
};
