import { createHash } from 'node:crypto';
import { isObject } from '../../json/json.js';
import { pointerTo } from '../../tool/schema/input-issue.js';
import type { InputCheck, InputIssue } from '../../tool/tool-definition.js';

/** A name of an argument that every provider takes. */
export const LEGAL_ARGUMENT = /^[a-zA-Z0-9_.-]{1,64}$/;

const MAX_LENGTH = 64;
/** Characters that tell apart what else would become one name, as `Start<` and `Start>` would. */
const WORDS: readonly (readonly [sign: string, word: string])[] = [
  ['<', '_lt'],
  ['>', '_gt'],
  ['=', '_eq'],
  ['!', '_not'],
];

/**
 * Names for the arguments that models see, by the names the source knows: only for those that a provider would refuse. A
 * name depends on the set of the source's names alone, not on their order, and is never that of another argument.
 */
export function argumentNames(names: readonly string[]): ReadonlyMap<string, string> {
  const illegal = names.filter((name) => !LEGAL_ARGUMENT.test(name));
  if (illegal.length === 0) return new Map();
  const taken = new Set(names.filter((name) => LEGAL_ARGUMENT.test(name)));
  const readable = new Map(illegal.map((name) => [name, readableName(name)]));
  const wanted = new Map<string, number>();
  for (const shown of readable.values()) wanted.set(shown, (wanted.get(shown) ?? 0) + 1);
  const isClear = (shown: string) => !taken.has(shown) && wanted.get(shown) === 1;
  const result = new Map<string, string>();
  for (const [name, shown] of readable) if (isClear(shown)) result.set(name, shown);
  for (const shown of result.values()) taken.add(shown);
  for (const name of illegal.toSorted()) {
    if (result.has(name)) continue;
    const digest = createHash('sha256').update(name).digest('hex');
    let length = 8;
    const marked = () => `${(readable.get(name) ?? '').slice(0, MAX_LENGTH - 1 - length)}_${digest.slice(0, length)}`;
    while (taken.has(marked())) length += 1;
    taken.add(marked());
    result.set(name, marked());
  }
  return result;
}

function readableName(name: string): string {
  let text = name.slice(0, 4 * MAX_LENGTH).normalize('NFKD');
  for (const [sign, word] of WORDS) text = text.replaceAll(sign, word);
  const plain = text
    .replaceAll(/\p{M}+/gu, '')
    .replaceAll(/[^A-Za-z0-9_]+/g, '_')
    .replaceAll(/^_+|_+$/g, '');
  return (/^[A-Za-z]/.test(plain) ? plain : `arg_${plain}`).slice(0, MAX_LENGTH).replace(/_+$/, '');
}

/** The same object with other keys; a key that `names` does not know stays. */
export function renamed(input: Record<string, unknown>, names: ReadonlyMap<string, string>): Record<string, unknown> {
  // A key that is meant to become another, which is there already, stays what it is: nothing is overwritten.
  return Object.fromEntries(
    Object.entries(input).map(([key, value]) => {
      const other = names.get(key);
      return [other === undefined || Object.hasOwn(input, other) ? key : other, value];
    }),
  );
}

/**
 * A validator for arguments under the names that models see: it is asked with the source's names, which are accepted as
 * well, hands them on, and speaks of the shown ones.
 */
export function underShownNames<T extends InputCheck | Promise<InputCheck>>(
  validate: (input: unknown) => T,
  shownNames: ReadonlyMap<string, string>,
): (input: unknown) => T {
  if (shownNames.size === 0) return validate;
  const ownNames = new Map([...shownNames].map(([own, shown]) => [shown, own]));
  const shownPaths = new Map([...shownNames].map(([own, shown]) => [pointerTo(own), pointerTo(shown)]));
  const shown = (check: InputCheck): InputCheck =>
    'issues' in check ? { issues: check.issues.map((issue) => underPath(issue, shownPaths)) } : check;
  return (input) => {
    const check = validate(isObject(input) ? renamed(input, ownNames) : input);
    return (check instanceof Promise ? check.then(shown) : shown(check as InputCheck)) as T;
  };
}

function underPath(issue: InputIssue, paths: ReadonlyMap<string, string>): InputIssue {
  const end = issue.path.indexOf('/', 1);
  const first = end === -1 ? issue.path : issue.path.slice(0, end);
  const other = paths.get(first);
  return other === undefined ? issue : { ...issue, path: other + issue.path.slice(first.length) };
}
