import type { Finding, RedactionCountry } from '../finding.js';
import type { TextView } from '../text-view.js';
import { isCallingNumber } from './calling-codes.js';
import { candidatesFrom, type NumberCandidate, type NumberRun } from './number-runs.js';
import { OTHER_LABEL, PHONE_LABEL, PHONE_SUFFIX } from './phone-labels.js';

interface NationalPlan {
  /** Forms that are a phone number without a word that says so. */
  readonly free: RegExp;
  /** Digits of a number beside such a word. */
  readonly digits: RegExp;
}

/** The public numbering plans, as people write their numbers. */
const PLANS: Readonly<Partial<Record<RedactionCountry, NationalPlan>>> = {
  us: {
    free: /^(?:1[ .-]?)?(?:\([2-9]\d\d\) ?[2-9]\d\d[ .-]\d{4}|[2-9]\d\d([.-])[2-9]\d\d\1\d{4})$/,
    digits: /^(?:1?[2-9]\d\d)?[2-9]\d{6}$/,
  },
  gb: {
    free: /^\(?0(?:20\)?[ -]\d{4}[ -]\d{4}|2\d\)?[ -]\d{4}[ -]\d{4}|1\d1\)?[ -]\d{3}[ -]\d{4}|11\d\)?[ -]\d{3}[ -]\d{4}|1\d{3}\)?[ -]\d{3}[ -]?\d{3}|7\d{3}[ -]\d{3}[ -]?\d{3}|[38]\d\d[ -]\d{3}[ -]\d{3,4})$/,
    digits: /^0?[1-378]\d{8,9}$/,
  },
  de: {
    free: /^(?:\(0[1-9]\d{1,4}\) ?\d{2,9}(?:[ -]\d{1,5}){0,3}|0[1-9]\d{1,4} ?\/ ?\d{3,9}(?:[ -]\d{1,5}){0,3}|01[567]\d{1,2}[ -]\d{3,8}(?:[ -]\d{2,5}){0,2}|0[2-9]\d{1,4} \d{3,8}-\d{1,5})$/,
    digits: /^0?[1-9]\d{5,11}$/,
  },
  at: {
    free: /^(?:\(0[1-9]\d{0,3}\) ?\d{2,9}(?:[ -]\d{1,5}){0,3}|06[5-9]\d(?: ?\/ ?|[ -])\d{3,8}(?:[ -]\d{2,5}){0,2})$/,
    digits: /^0?[1-9]\d{5,11}$/,
  },
  ch: { free: /^0[2-9]\d[ -]\d{3}([ -])\d\d\1\d\d$/, digits: /^0?[2-9]\d{8}$/ },
  fr: { free: /^0[1-9]([ .-])\d\d\1\d\d\1\d\d\1\d\d$/, digits: /^0?[1-9]\d{8}$/ },
  es: {
    free: /^[6789]\d(?:([ .-])\d{3}\1\d\d\1\d\d|\d([ .-])\d\d\2\d\d\2\d\d)$/,
    digits: /^[6789]\d{8}$/,
  },
  it: {
    free: /^(?:0\d{1,3} ?\/ ?\d{4,8}|3[2-9]\d[ -]\d{7}|3[2-9]\d([ .-])\d{3}\1\d{4})$/,
    digits: /^(?:0\d{5,10}|3\d{8,9})$/,
  },
  nl: {
    free: /^(?:06[ -]\d{8}|06[ -]\d{4}[ -]\d{4}|0[1-578]\d ?- ?\d{7}|\(0[1-9]\d{1,2}\) ?\d{3}[ -]?\d{2}[ -]?\d{2,4})$/,
    digits: /^0?[1-9]\d{8}$/,
  },
  pl: { free: /^\(?[1-9]\d\)?([ -])\d{3}\1\d\d\1\d\d$/, digits: /^[1-9]\d{8}$/ },
};

/** Countries whose national numbers start with a zero. */
const TRUNK_ZERO: ReadonlySet<RedactionCountry> = new Set(['at', 'ch', 'de', 'fr', 'gb', 'it', 'nl']);
/** A zero, an area, and groups with blanks, a hyphen or a slash. */
const EUROPEAN = /^0[1-9]\d{0,3}(?:(?: \d{2,5}){2,4}|[ -]\d{6,8}| ?\/ ?\d{3,9}(?:[ -]\d{1,5}){0,3}| \d{3,8}-\d{1,5})$/;
/** How far behind another phone number its label still holds, as in `030 … or 0171 …`. */
const SAME_AGAIN = 44;
const MIN_DIGITS = 7;

/** Phone numbers: international ones, national forms that are typical, and others beside a word for a phone. */
export class PhoneFinder {
  readonly #plans: readonly NationalPlan[];
  readonly #isEuropean: boolean;
  #lastEnd = -Infinity;
  #lastRun = 0;

  constructor(
    private readonly view: TextView,
    countries: readonly RedactionCountry[],
  ) {
    this.#plans = countries.flatMap((country) => PLANS[country] ?? []);
    this.#isEuropean = countries.some((country) => TRUNK_ZERO.has(country));
  }

  *in(run: NumberRun): Generator<Finding> {
    for (let first = 0; first < run.length; first += 1) {
      for (const candidate of candidatesFrom(this.view.text, run, first, MIN_DIGITS, 17)) {
        const start = this.#startOf(candidate);
        if (start === undefined) continue;
        yield { start, end: candidate.end, kind: 'phone' };
        this.#lastEnd = candidate.end;
        first = candidate.last;
        break;
      }
    }
    const [head] = run;
    const last = run.at(-1);
    if (head && last && last.end - head.start >= 5) this.#lastRun = last.end;
  }

  /** Where the phone number of a candidate starts, with its plus and bracket; undefined if it is none. */
  #startOf(candidate: NumberCandidate): number | undefined {
    const { text } = this.view;
    const { start, end, before, after } = candidate;
    if (isFraction(text, candidate)) return undefined;
    // A bracket around the whole number is no part of it.
    const open = text.charAt(start - 1) === '(' && candidate.raw.includes(')') ? 1 : 0;
    const plus = /\+ ?$/.exec(text.slice(Math.max(0, start - open - 2), start - open))?.[0].length ?? 0;
    const raw = `${open ? '(' : ''}${candidate.raw}`.replaceAll('\u2013', '-');
    if (plus > 0) {
      const outside = text.charAt(start - open - plus - 1);
      const digits = raw.replace(/\(0\)/, '').replaceAll(/\D/g, '');
      return /[\p{L}\p{N}]/u.test(outside) || !isCallingNumber(digits) ? undefined : start - open - plus;
    }
    // In the middle of a run only after a bracket or slash, or a separator that the number itself does not have.
    if (before !== '' && !open && (before === after || (raw.includes(before) && before !== ' '))) return undefined;
    if (/^00[ -]?[1-9]/.test(raw)) {
      const digits = raw.slice(2).replace(/\(0\)/, '').replaceAll(/\D/g, '');
      return isCallingNumber(digits) && (raw !== candidate.digits || this.#isLabelled(start, end)) ? start : undefined;
    }
    if (before === '' && this.#isTypical(raw) && !this.#isOther(start)) return start - open;
    if ((before !== '' && !open) || !this.#isLabelled(start, end) || isDateOrAmount(raw)) return undefined;
    // With its country code, but without the plus.
    if (raw === candidate.digits && raw.length >= 11 && isCallingNumber(raw)) return start;
    return this.#plans.some(({ digits }) => digits.test(candidate.digits)) ? start - open : undefined;
  }

  #isTypical(raw: string): boolean {
    if (this.#plans.some(({ free }) => free.test(raw))) return true;
    const digits = raw.replaceAll(/\D/g, '').length;
    return this.#isEuropean && EUROPEAN.test(raw) && digits >= 9 && digits <= 12;
  }

  #isLabelled(start: number, end: number): boolean {
    if (PHONE_SUFFIX.test(this.view.text.slice(end, end + 24))) return true;

    const between = start - this.#lastEnd;
    if (between <= SAME_AGAIN && !this.view.text.slice(this.#lastEnd, start).includes('\n')) {
      const own = this.view.labelOf(start, this.#lastEnd);
      if (!OTHER_LABEL.test(own)) return true;
    }
    const label = this.view.labelOf(start, this.#lastRun);
    return PHONE_LABEL.test(label) && !OTHER_LABEL.test(label);
  }

  #isOther(start: number): boolean {
    return OTHER_LABEL.test(this.view.labelOf(start, this.#lastRun)) && !PHONE_LABEL.test(this.view.key);
  }
}

/** A number with a fraction or a unit, or a part of a version, a time or an address. */
function isFraction(text: string, { start, end, before, after, raw }: NumberCandidate): boolean {
  if (before === '.' || (after === '.' && raw.includes('.'))) return true;
  if (/[#$€£]$/.test(text.slice(start - 1, start))) return true;
  return /^(?:,\d{1,2}(?!\d)|:\d| ?[€$£%]| ?(?:EUR|USD|PLN|CHF|kg|km|ms|kWh)\b)/.test(text.slice(end, end + 6));
}

function isDateOrAmount(raw: string): boolean {
  return (
    /^(?:\d{1,2}[./-]\d{1,2}[./-](?:\d{4}|\d\d)|\d{4}[./-]\d{1,2}[./-]\d{1,2})(?:\D|$)/.test(raw) ||
    /^[1-9]\d{0,2}(?:\.\d{3}){2,}$/.test(raw) ||
    /^(?:\d{1,3}\.){3}\d{1,3}$/.test(raw)
  );
}
