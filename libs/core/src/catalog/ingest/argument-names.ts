import { createHash } from 'node:crypto';
import { isObject } from '../../json/json.js';
import { pointerTo } from '../../tool/schema/input-issue.js';
import type { InputCheck, InputIssue } from '../../tool/tool-definition.js';

/** Argument names that every provider accepts. */
export const LEGAL_ARGUMENT = /^[a-zA-Z0-9_.-]{1,64}$/;
const MAX_LENGTH = 64;
/** Words for characters that distinguish names which would otherwise become equal, such as `Start<` and `Start>`. */
const WORDS: readonly (readonly [sign: string, word: string])[] = [
  ['<', '_lt'],
  ['>', '_gt'],
  ['=', '_eq'],
  ['!', '_not'],
];

/**
 * New names for arguments whose names a provider would refuse; map from the source's names to the shown ones. The
 * result depends on the set of names only, not on their order, and never repeats another argument's name.
 */
export function argumentNames(names: readonly string[]): ReadonlyMap<string, string> {
  const illegal = names.filter((name) => !LEGAL_ARGUMENT.test(name));
  if (illegal.length === 0) return new Map();
  const taken = new Set(names.filter((name) => LEGAL_ARGUMENT.test(name)));
  const readable = new Map(illegal.map((name) => [name, readableArgument(name)]));
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

/** A name that providers accept; signs that tell names apart become words. It may equal that of another argument. */
export function readableArgument(name: string): string {
  if (LEGAL_ARGUMENT.test(name)) return name;
  let text = name.slice(0, 4 * MAX_LENGTH).normalize('NFKD');
  for (const [sign, word] of WORDS) text = text.replaceAll(sign, word);
  const plain = text
    .replaceAll(/\p{M}+/gu, '')
    .replaceAll(/[^A-Za-z0-9_]+/g, '_')
    .replaceAll(/^_+|_+$/g, '');
  return (/^[A-Za-z]/.test(plain) ? plain : `arg_${plain}`).slice(0, MAX_LENGTH).replace(/_+$/, '');
}

/** A copy of the object with renamed keys; keys without an entry in `names` stay. */
export function renamed(input: Record<string, unknown>, names: ReadonlyMap<string, string>): Record<string, unknown> {
  // If the object already has the new key, the old key stays, so that no value is overwritten.
  return Object.fromEntries(
    Object.entries(input).map(([key, value]) => {
      const other = names.get(key);
      return [other === undefined || Object.hasOwn(input, other) ? key : other, value];
    }),
  );
}

/** Makes a validator accept shown and own names of arguments, and report issues under the shown ones. */
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
    const twice = isObject(input) ? givenTwice(input, shownNames) : [];
    if (twice.length > 0) return { issues: twice } as InputCheck as T;
    const check = validate(isObject(input) ? renamed(input, ownNames) : input);
    return (check instanceof Promise ? check.then(shown) : shown(check as InputCheck)) as T;
  };
}

// A rule would look at one of the two, and the source could take the other.
function givenTwice(input: Record<string, unknown>, shownNames: ReadonlyMap<string, string>): readonly InputIssue[] {
  return [...shownNames]
    .filter(([own, shown]) => Object.hasOwn(input, own) && Object.hasOwn(input, shown))
    .map(([own, shown]) => ({ path: pointerTo(shown), message: `is also given as ${JSON.stringify(own)}` }));
}

function underPath(issue: InputIssue, paths: ReadonlyMap<string, string>): InputIssue {
  const end = issue.path.indexOf('/', 1);
  const first = end === -1 ? issue.path : issue.path.slice(0, end);
  const other = paths.get(first);
  return other === undefined ? issue : { ...issue, path: other + issue.path.slice(first.length) };
}
