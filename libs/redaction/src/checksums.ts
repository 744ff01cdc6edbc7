/* Public rules of check digits. All take bare values: digits and capital letters without separators. */

const digitsOf = (bare: string) => Array.from(bare, Number);

function weighted(bare: string, weights: readonly number[]): number {
  return weights.reduce((sum, weight, index) => sum + weight * Number(bare[index]), 0);
}

/** ISO/IEC 7812-1, annex B. */
export function isLuhn(digits: string): boolean {
  let sum = 0;
  for (let at = digits.length - 1, isDoubled = false; at >= 0; at -= 1, isDoubled = !isDoubled) {
    const digit = digits.charCodeAt(at) - 48;
    sum += isDoubled ? (digit < 5 ? 2 * digit : 2 * digit - 9) : digit;
  }
  return sum % 10 === 0;
}

/** ISO 7064 MOD 97-10, as IBANs use it: the first four characters are moved to the end. */
export function isMod97(bare: string): boolean {
  let rest = 0;
  for (const char of bare.slice(4) + bare.slice(0, 4)) {
    const value = Number.parseInt(char, 36);
    rest = (value > 9 ? rest * 100 + value : rest * 10 + value) % 97;
  }
  return rest === 1;
}

/** Swiss AHV number: the check digit of EAN-13. */
export function isEan13(digits: string): boolean {
  return weighted(digits, [1, 3, 1, 3, 1, 3, 1, 3, 1, 3, 1, 3, 1]) % 10 === 0;
}

/** French NIR: 97 minus the rest of the number modulo 97. `2A` and `2B` stand for 19 and 18. */
export function isNir(bare: string): boolean {
  const digits = bare.replace('2A', '19').replace('2B', '18');
  return 97 - Number(BigInt(digits.slice(0, 13)) % 97n) === Number(digits.slice(13));
}

/** German tax id: ISO 7064 MOD 11,10; one of the first ten digits occurs two or three times, the others once. */
export function isSteuerId(digits: string): boolean {
  let product = 10;
  for (const digit of digitsOf(digits.slice(0, 10))) product = (((product + digit) % 10 || 10) * 2) % 11;
  const different = new Set(digits.slice(0, 10)).size;
  return (different === 9 || different === 8) && (11 - product) % 10 === Number(digits[10]);
}

/** Dutch BSN, the "elfproef". */
export function isBsn(digits: string): boolean {
  return weighted(digits, [9, 8, 7, 6, 5, 4, 3, 2, -1]) % 11 === 0 && !/^0+$/.test(digits);
}

/** Polish PESEL. The month also says the century: 1900 to 2099 are accepted. */
export function isPesel(digits: string): boolean {
  const isRight = weighted(digits, [1, 3, 7, 9, 1, 3, 7, 9, 1, 3, 1]) % 10 === 0;
  return isRight && isDay(Number(digits.slice(2, 4)) % 20, Number(digits.slice(4, 6)), Number(digits[2]) < 4);
}

/** Austrian social security number. A month above 12 is possible where a day has no free number. */
export function isSvnr(digits: string): boolean {
  const isRight = weighted(digits, [3, 7, 9, 0, 5, 8, 4, 2, 1, 6]) % 11 === Number(digits[3]);
  const month = Number(digits.slice(6, 8));
  return isRight && isDay(month > 12 && month < 16 ? 12 : month, Number(digits.slice(4, 6)));
}

/** Swedish personal number, also with 60 added to the day (coordination number). Ten or twelve digits. */
export function isPersonnummer(digits: string): boolean {
  const short = digits.slice(-10);
  return isLuhn(short) && isDay(Number(short.slice(2, 4)), Number(short.slice(4, 6)) % 60);
}

/** Brazilian CPF: two check digits. */
export function isCpf(digits: string): boolean {
  const check = (length: number) => {
    const weights = Array.from({ length }, (_, index) => length + 1 - index);
    return ((weighted(digits, weights) * 10) % 11) % 10 === Number(digits[length]);
  };
  return check(9) && check(10) && !/^(\d)\1+$/.test(digits);
}

/** Spanish DNI and NIE: the letter of the number modulo 23. */
export function isSpanishId(bare: string): boolean {
  const number = bare.slice(0, -1).replace(/^[XYZ]/, (letter) => `${'XYZ'.indexOf(letter)}`);
  return 'TRWAGMYFPDXBNJZSQVHLCKE'[Number(number) % 23] === bare.at(-1);
}

const ODD = [1, 0, 5, 7, 9, 13, 15, 17, 19, 21, 2, 4, 18, 20, 11, 3, 6, 8, 12, 14, 16, 10, 22, 25, 24, 23];

/** Italian codice fiscale: decree of 23 December 1976. */
export function isCodiceFiscale(bare: string): boolean {
  let sum = 0;
  for (let at = 0; at < 15; at += 1) {
    const value = Number.parseInt(bare.charAt(at), 36);
    const index = value > 9 ? value - 10 : value;
    sum += at % 2 === 0 ? (ODD[index] ?? 0) : index;
  }
  return String.fromCharCode(65 + (sum % 26)) === bare[15];
}

/** A US social security number has no check digit, but numbers that are never given out. */
export function isSsn(digits: string): boolean {
  return !/^(?:000|666|9)|^...00|0000$/.test(digits);
}

function isDay(month: number, day: number, isOther = true): boolean {
  return isOther && month >= 1 && month <= 12 && day >= 1 && day <= 31;
}
