import type { ResultText } from './result-redactor.js';

/** A string, number or member name in JSON text. `[start, end)` covers its literal. */
export interface JsonLiteral extends ResultText {
  readonly start: number;
  readonly end: number;
  readonly kind: 'string' | 'number' | 'name';
  /** The place of the object or list that holds it; 0 outside of them. */
  readonly holder: number;
}

/** Shorter numbers cannot be values that a redactor looks for. */
const MIN_NUMBER_CHARS = 5;
const STEP = 1000;
const NUMBER = /-?\d[\d.eE+-]*/y;

/** Whether a text is an object or a list in JSON. */
export function isJsonText(text: string): boolean {
  const first = /^\s{0,64}([[{])/.exec(text);
  if (first === null) return false;
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/**
 * The literals of a valid JSON text, in its order and in one pass over its characters; iterative, so that deep nesting
 * cannot exhaust the stack. May be paused at each `yield`.
 */
export function* literalsOf(json: string): Generator<undefined, readonly JsonLiteral[]> {
  const literals: JsonLiteral[] = [];
  /** The name that applies in each open object or list; lists have the name of the member that holds them. */
  const names: string[] = [];
  const areObjects: boolean[] = [];
  const holders: number[] = [];
  let name = '';
  let expectsName = false;
  let seen = 0;
  const holder = () => holders.at(-1) ?? 0;
  for (let at = 0; at < json.length; at += 1) {
    const char = json.charAt(at);
    if (char === '"') {
      const end = endOfString(json, at);
      const text = JSON.parse(json.slice(at, end)) as string;
      const kind = expectsName ? 'name' : 'string';
      literals.push({ start: at, end, text, key: expectsName ? '' : name, kind, holder: holder() });
      if (expectsName) name = text;
      at = end - 1;
    } else if (char === '{' || char === '[') {
      names.push(name);
      areObjects.push(char === '{');
      holders.push(at);
      expectsName = char === '{';
    } else if (char === '}' || char === ']') {
      name = names.pop() ?? '';
      areObjects.pop();
      holders.pop();
      expectsName = false;
    } else if (char === ',') {
      expectsName = areObjects.at(-1) ?? false;
    } else if (char === ':') {
      expectsName = false;
    } else if (char === '-' || (char >= '0' && char <= '9')) {
      NUMBER.lastIndex = at;
      const text = NUMBER.exec(json)?.[0] ?? char;
      const end = at + text.length;
      if (text.length >= MIN_NUMBER_CHARS) {
        literals.push({ start: at, end, text, key: name, kind: 'number', holder: holder() });
      }
      at = end - 1;
    }
    if (++seen % STEP === 0) yield;
  }
  return literals;
}

function endOfString(json: string, start: number): number {
  for (let at = start + 1; ; at += 1) {
    if (json[at] === '\\') at += 1;
    else if (json[at] === '"') return at + 1;
  }
}

/**
 * The JSON text with other texts for its literals; what did not change stays as it was written. A changed number
 * becomes a string. Names that become equal are numbered, so that no member is lost.
 */
export function withLiterals(json: string, literals: readonly JsonLiteral[], texts: readonly string[]): string {
  const parts: string[] = [];
  const used = new Map<string, number>();
  let from = 0;
  literals.forEach(({ start, end, text, kind, holder }, index) => {
    const next = texts[index] ?? '';
    if (next === text) return;
    const place = `${holder} ${next}`;
    const count = kind === 'name' ? (used.get(place) ?? 0) + 1 : 1;
    if (kind === 'name') used.set(place, count);
    parts.push(json.slice(from, start), JSON.stringify(count === 1 ? next : `${next} ${count}`));
    from = end;
  });
  return parts.join('') + json.slice(from);
}
