/** Several levels of URL encoding repeat "25", several of HTML repeat "amp;". */
const MAX_REPEATS = 8;
/** Several levels of JSON double the backslashes. */
const MAX_BACKSLASHES = 16;
const NAMED: readonly (readonly [name: string, stands: string])[] = [
  ['amp;', '&'],
  ['quot;', '"'],
  ['apos;', "'"],
  ['lt;', '<'],
  ['gt;', '>'],
];
const MAX_CODE_POINT = 0x10ffff;
const UNKNOWN = 0xfffd;

/** Reads one escape of URLs, JSON, JavaScript or HTML at a time. Looks at a bounded number of characters, whatever they are. */
export class EscapeReader {
  /** How many characters the last escape has. */
  length = 0;
  /** For which code point it stands. */
  code = 0;

  /** @param quotes whether quotation marks and slashes after a backslash count; JSON has them everywhere */
  constructor(private readonly quotes: boolean) {}

  /** Whether an escape begins here. Then {@link length} and {@link code} are its. */
  readAt(text: string, start: number): boolean {
    switch (text.charCodeAt(start)) {
      case 0x25: // %
        return this.#percent(text, start);
      case 0x5c: // \
        return this.#backslash(text, start);
      case 0x26: // &
        return this.#ampersand(text, start);
      default:
        return false;
    }
  }

  #percent(text: string, start: number): boolean {
    const end = afterRepeats(text, start + 1, '25');
    const code = hexAt(text, end, 2);
    if (code >= 0) return this.#found(start, end + 2, code);
    // The last "25" is the escaped percent sign itself.
    return end > start + 1 && this.#found(start, end, 0x25);
  }

  #backslash(text: string, start: number): boolean {
    let end = start + 1;
    while (end - start <= MAX_BACKSLASHES && text.charCodeAt(end) === 0x5c) end++;
    if (end - start > MAX_BACKSLASHES) return false;
    const kind = text.charCodeAt(end);
    const digits = (kind | 0x20) === 0x75 ? 4 : (kind | 0x20) === 0x78 ? 2 : 0;
    if (digits > 0) {
      const code = hexAt(text, end + 1, digits);
      return code >= 0 && this.#found(start, end + 1 + digits, code);
    }
    // " ' /
    return this.quotes && (kind === 0x22 || kind === 0x27 || kind === 0x2f) && this.#found(start, end + 1, kind);
  }

  #ampersand(text: string, start: number): boolean {
    const end = afterRepeats(text, start + 1, 'amp;');
    if (text.charCodeAt(end) === 0x23) return this.#number(text, start, end + 1) || this.#repeated(start, end);
    for (const [name, stands] of NAMED) {
      if (isAt(text, end, name)) return this.#found(start, end + name.length, stands.charCodeAt(0));
    }
    return this.#repeated(start, end);
  }

  #number(text: string, start: number, at: number): boolean {
    const isHex = (text.charCodeAt(at) | 0x20) === 0x78;
    const from = isHex ? at + 1 : at;
    let code = 0;
    let end = from;
    for (; end < from + (isHex ? 6 : 7); end++) {
      const digit = digitOf(text.charCodeAt(end));
      if (digit < 0 || (!isHex && digit > 9)) break;
      code = code * (isHex ? 16 : 10) + digit;
    }
    if (end === from) return false;
    if (text.charCodeAt(end) === 0x3b) end++;
    return this.#found(start, end, code <= MAX_CODE_POINT ? code : UNKNOWN);
  }

  // The last "amp;" is the escaped ampersand itself.
  #repeated(start: number, end: number): boolean {
    return end > start + 1 && this.#found(start, end, 0x26);
  }

  #found(start: number, end: number, code: number): boolean {
    this.length = end - start;
    this.code = code;
    return true;
  }
}

function afterRepeats(text: string, from: number, part: string): number {
  let end = from;
  for (let count = 0; count < MAX_REPEATS && isAt(text, end, part); count++) end += part.length;
  return end;
}

/** Whether a part in small letters is here, in letters of any size. */
function isAt(text: string, at: number, part: string): boolean {
  for (let index = 0; index < part.length; index++) {
    const [own, sought] = [text.charCodeAt(at + index), part.charCodeAt(index)];
    if (own !== sought && (own | 0x20) !== sought) return false;
  }
  return true;
}

/** The value of so many hexadecimal digits; -1 if there are not so many. */
function hexAt(text: string, from: number, digits: number): number {
  let code = 0;
  for (let at = from; at < from + digits; at++) {
    const digit = digitOf(text.charCodeAt(at));
    if (digit < 0) return -1;
    code = code * 16 + digit;
  }
  return code;
}

function digitOf(unit: number): number {
  if (unit >= 0x30 && unit <= 0x39) return unit - 0x30;
  const small = unit | 0x20;
  return small >= 0x61 && small <= 0x66 ? small - 0x57 : -1;
}
