/** A decimal number: `digits` without zeros at either end, times ten to the power of `exponent`; zero has no digits. */
interface Decimal {
  readonly negative: boolean;
  readonly digits: string;
  readonly exponent: number;
}

const DECIMAL = /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/;

/**
 * Whether a number is a multiple of another one, both as the decimals that JSON writes: 19.99 is a multiple of 0.01,
 * although the remainder of the binary numbers is not 0. Nothing is a multiple of 0.
 */
export function isMultiple(value: number, factor: number): boolean {
  if (factor === 0 || !Number.isFinite(value) || !Number.isFinite(factor)) return false;
  if (Number.isSafeInteger(value) && Number.isSafeInteger(factor)) return value % factor === 0;
  const [dividend, divisor] = [decimalOf(String(value)), decimalOf(String(factor))];
  const unit = Math.min(dividend.exponent, divisor.exponent);
  return inUnits(dividend, unit) % inUnits(divisor, unit) === 0n;
}

/** Whether the text of a JSON number is a decimal that the parsed number stands for: 6.02e23 is, 2^53+1 is not. */
export function isExactNumber(text: string): boolean {
  const number = Number(text);
  if (!Number.isFinite(number)) return false;
  const [written, parsed] = [decimalOf(text), decimalOf(String(number))];
  if (written.digits === '' || parsed.digits === '') return written.digits === parsed.digits;
  return (
    written.negative === parsed.negative && written.digits === parsed.digits && written.exponent === parsed.exponent
  );
}

/**
 * The strings and numbers of a JSON text. A string without an end goes to the end of the text: the search would otherwise
 * begin again at each of its quotation marks, and take quadratic time for a text that is no JSON.
 */
export const STRING_OR_NUMBER = /"[^"\\]*(?:\\[^][^"\\]*)*(?:"|\\?$)|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g;
/** Every whole number that JSON does not carry safely is written with 16 digits or an exponent. */
const MAY_BE_LARGE = /\d{16}|\d[eE]/;

/**
 * Whether `JSON.parse` keeps all whole numbers of a JSON text: one beyond ±(2^53-1) that was rounded cannot be told from
 * one that was not once the text is gone. A number that is too large for any is not kept either. Fractions are rounded to about 16 digits by every reader, and do not count.
 */
export function keepsWholeNumbers(json: string): boolean {
  if (!MAY_BE_LARGE.test(json)) return true;
  for (const [part] of json.matchAll(STRING_OR_NUMBER)) {
    if (part.startsWith('"') || !MAY_BE_LARGE.test(part)) continue;
    const number = Number(part);
    // JSON has no text for infinity: it would be written as null.
    if (!Number.isFinite(number)) return false;
    if (Number.isInteger(number) && !Number.isSafeInteger(number) && !isExactNumber(part)) return false;
  }
  return true;
}

function decimalOf(text: string): Decimal {
  const [, sign = '', whole = '', fraction = '', power = '0'] = DECIMAL.exec(text) ?? [];
  const all = whole + fraction;
  let [start, end] = [0, all.length];
  while (all[start] === '0') start += 1;
  while (end > start && all[end - 1] === '0') end -= 1;
  const exponent = Number(power) - fraction.length + (all.length - end);
  return { negative: sign === '-', digits: all.slice(start, end), exponent };
}

/** The number in units of ten to the power of `unit`, without its sign. */
function inUnits({ digits, exponent }: Decimal, unit: number): bigint {
  return digits === '' ? 0n : BigInt(digits) * 10n ** BigInt(exponent - unit);
}
