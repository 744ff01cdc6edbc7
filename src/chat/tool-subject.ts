import { isMeaningful, isVerb, stem, wordsOf } from './words.js';

/** What a tool is about, as its name tells. */
export interface ToolSubject {
  /** Stem of the thing it works on: `colour` for `garden_set_fence_colour`; undefined where the name holds none. */
  readonly head: string | undefined;
  /** Stems of the words that say which kind of thing: `fence` for the same. */
  readonly modifiers: readonly string[];
  /** Whether only the namespace tells. */
  readonly isNamespace: boolean;
}

/** The words of a tool's name, without those of its namespace. */
export function localWords(name: string): string[] {
  return wordsOf(name.slice(namespaceOf(name).length));
}

/**
 * Finds the thing a tool works on: what follows its verb up to a preposition, else what stands before the verb, else its
 * namespace. Of several words the last is the thing, as in any English compound.
 *
 * @param action the verb of the request, which may be none that this model knows
 */
export function subjectOf(name: string, action: string): ToolSubject {
  const words = localWords(name);
  const verb = words.findIndex((word) => isVerb(word) || stem(word) === stem(action));
  const after = words.slice(verb + 1);
  const end = after.findIndex((word) => PREPOSITIONS.has(word));
  const own = things(after.slice(0, end < 0 ? undefined : end), action);
  const before = things(words.slice(0, Math.max(verb, 0)), action);
  const nouns = own.length > 0 ? own : before;
  const chosen = nouns.length > 0 ? nouns : things(wordsOf(namespaceOf(name)), action);
  // The info of a file is the file's, the colour of a fence is another thing.
  const last = chosen.findLastIndex((word) => !VAGUE.has(word));
  const at = last < 0 ? chosen.length - 1 : last;
  return { head: chosen[at], modifiers: chosen.slice(0, Math.max(at, 0)), isNamespace: nouns.length === 0 };
}

const VAGUE = new Set(
  'info information metadata details data content contents text list record item'.split(' ').map(stem),
);
const PREPOSITIONS = new Set('for in of to from by with as on at under without using'.split(' '));

function things(words: readonly string[], action: string): string[] {
  return words.filter((word) => isMeaningful(word) && stem(word) !== stem(action)).map(stem);
}

// Canonical names have a dot behind it, names on the wire two underscores.
function namespaceOf(name: string): string {
  return /^.*?(?:\.|__)(?=.)/.exec(name)?.[0] ?? '';
}
