/** Digits in a row. */
export interface DigitGroup {
  readonly start: number;
  readonly end: number;
  /** A letter, a digit of a decimal fraction or a character of an identifier touches it. */
  readonly touchesBefore: boolean;
  readonly touchesAfter: boolean;
}

/** Groups of digits with nothing but short separators between them, as in `+49 (0)30 23125-488`. */
export type NumberRun = readonly DigitGroup[];

/** Separator between two groups of one number: one character, or a few with a bracket or a slash. */
const SEPARATOR = /(?: ?\/ ?| [-\u2013] | ?\(|\)[ .-]?|[ .\u2013-])/y;
const MAX_GROUPS = 16;

const isDigit = (code: number) => code >= 48 && code <= 57;
/** Letters, also accented ones, and the underscore. */
const isWord = (code: number) =>
  (code >= 65 && code <= 90) || (code >= 97 && code <= 122) || code === 95 || (code >= 0xc0 && code < 0x2000);

/** The runs that start in `[from, to)`, in one pass. A run of very many groups is returned in parts. */
export function* numberRuns(text: string, from: number, to: number): Generator<NumberRun> {
  let run: DigitGroup[] = [];
  let at = from;
  // The number that an earlier part of the text ends with belongs to that part.
  while (at > 0 && at < to && isDigit(text.charCodeAt(at)) && isDigit(text.charCodeAt(at - 1))) at += 1;
  while (at < to || (run.length > 0 && at < text.length)) {
    if (!isDigit(text.charCodeAt(at))) {
      if (run.length > 0) {
        SEPARATOR.lastIndex = at;
        const next = SEPARATOR.test(text) ? SEPARATOR.lastIndex : at;
        if (next > at && isDigit(text.charCodeAt(next)) && run.length < MAX_GROUPS) {
          at = next;
          continue;
        }
        yield run;
        run = [];
        continue;
      }
      at += 1;
      continue;
    }
    if (isEscape(text, at - 1)) {
      at += 2;
      continue;
    }
    let end = at + 1;
    while (isDigit(text.charCodeAt(end))) end += 1;
    run.push({
      start: at,
      end,
      touchesBefore: touches(text, at - 1) || isEscape(text, at - 3),
      touchesAfter: isWord(text.charCodeAt(end)) && !isExtension(text, end),
    });
    at = end;
  }
  if (run.length > 0) yield run;
}

function touches(text: string, at: number): boolean {
  return at >= 0 && isWord(text.charCodeAt(at));
}

/** An escaped character of an address, such as `%20`: what it stands for is seen in the decoded address. */
function isEscape(text: string, at: number): boolean {
  return text[at] === '%' && /^%[0-9A-Fa-f]{2}$/.test(text.slice(at, at + 3));
}

/** `x204` behind a phone number. */
function isExtension(text: string, at: number): boolean {
  return text[at] === 'x' && isDigit(text.charCodeAt(at + 1));
}

/** A part of a run that may be a number of its own. */
export interface NumberCandidate {
  readonly start: number;
  readonly end: number;
  readonly raw: string;
  readonly digits: string;
  /** Separator before and after it in its run; `''` at the ends. */
  readonly before: string;
  readonly after: string;
  /** Digits of the group before it. */
  readonly digitsBefore: number;
  /** How many groups of the run end with it. */
  readonly last: number;
}

/** The parts of a run from one group on, the longest first, with `min` to `max` digits. Parts that touch letters are left out. */
export function* candidatesFrom(
  text: string,
  run: NumberRun,
  first: number,
  min: number,
  max: number,
): Generator<NumberCandidate> {
  const head = run[first];
  if (!head || head.touchesBefore) return;
  const ends: number[] = [];
  let count = 0;
  for (let last = first; last < run.length; last += 1) {
    const group = run[last];
    if (!group) break;
    count += group.end - group.start;
    if (count > max) break;
    if (count >= min && !group.touchesAfter) ends.push(last);
    if (group.touchesAfter) break;
  }
  for (const last of ends.toReversed()) {
    const end = run[last]?.end ?? head.end;
    const raw = text.slice(head.start, end);
    const previous = run[first - 1];
    const next = run[last + 1];
    yield {
      start: head.start,
      end,
      raw,
      digits: raw.replaceAll(/\D/g, ''),
      digitsBefore: previous ? previous.end - previous.start : 0,
      before: previous ? text.slice(previous.end, head.start) : '',
      after: next ? text.slice(end, next.start) : '',
      last,
    };
  }
}
