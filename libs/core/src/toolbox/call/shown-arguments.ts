import { isObject } from '../../json/json.js';
import { truncated, visibleText } from '../../json/safe-text.js';

/** Characters of all lines together. */
const MAX_CHARS = 4_000;
/** Characters of the beginning of each value, tried in this order until all members fit. */
const BEGINNINGS = [400, 100, 30, 10] as const;
const MAX_MEMBERS = 1_000;
const MAX_DEPTH = 32;
const PLAIN_NAME = /^[A-Za-z_$][\w$-]{0,63}$/;

interface Leaf {
  readonly path: string;
  readonly value: unknown;
}

/**
 * The arguments of a call for a person who decides on it: one line for each member, by structure, with the beginning of its
 * value and the number of characters that are left out. Names and values are JSON, and characters that nobody sees are
 * escapes, so no value can look like another member.
 *
 * @returns undefined if there are more members than 4,000 characters can show, or if they are nested deeper than 32 levels:
 *   then nobody can decide on the call
 */
export function shownArguments(input: unknown): string | undefined {
  const leaves: Leaf[] = [];
  if (!collect(input, '', 0, leaves)) return undefined;
  for (const beginning of BEGINNINGS) {
    const lines = leaves.map((leaf) => line(leaf, beginning));
    if (lines.reduce((sum, { length }) => sum + length + 1, 0) <= MAX_CHARS) return lines.join('\n');
  }
  return undefined;
}

/** @returns false if there are too many members */
function collect(value: unknown, path: string, depth: number, leaves: Leaf[]): boolean {
  const members = Array.isArray(value)
    ? value.map((each, index) => [`${path}[${index}]`, each as unknown] as const)
    : isObject(value)
      ? Object.entries(value).map(
          ([name, each]) => [`${path === '' ? '' : `${path}.`}${shownName(name)}`, each] as const,
        )
      : [];
  if (members.length === 0) {
    leaves.push({ path, value });
    return leaves.length <= MAX_MEMBERS;
  }
  return depth < MAX_DEPTH && members.every(([at, each]) => collect(each, at, depth + 1, leaves));
}

function line({ path, value }: Leaf, beginning: number): string {
  const json = JSON.stringify(value) ?? 'null';
  // Of the escaped text, so that a line has a length whatever a value consists of.
  const whole = visibleText(json);
  const shown = truncated(whole, beginning);
  const rest = whole.length - shown.length;
  return `${path === '' ? '' : `${path}: `}${shown}${rest > 0 ? `… ${rest} characters more` : ''}`;
}

function shownName(name: string): string {
  return PLAIN_NAME.test(name) ? name : visibleText(JSON.stringify(name));
}
