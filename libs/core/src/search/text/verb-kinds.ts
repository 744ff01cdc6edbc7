import { stem } from './stem.js';

// Read, create, change, delete: verbs that mean one kind of action and little else.
const VERBS: ReadonlyMap<string, number> = new Map(
  [
    'get list read show find search fetch view check query describe retrieve lookup see browse count display',
    'create make insert generate register new build write',
    'update edit change modify set rename replace adjust patch',
    'delete remove clear drop cancel destroy erase revoke',
  ].flatMap((verbs, kind) => verbs.split(' ').map((verb) => [verb, kind + 1] as const)),
);

// The verbs of a longer request belong to its story more often than to its tool.
const MAX_WORDS = 25;

/** The stems of verbs and the kinds of action that they mean, from 1: read, create, change or delete. */
export const VERB_KINDS: readonly (readonly [term: string, kind: number])[] = [...VERBS].map(([verb, kind]) => [
  stem(verb),
  kind,
]);

/**
 * The kind of action that the verbs of a request mean, see {@link VERB_KINDS}; 0 if they mean none, or several. Only base forms
 * count: "what changed" asks for no change.
 */
export function kindOfRequest(words: readonly string[]): number {
  if (words.length > MAX_WORDS) return 0;
  const kinds = new Set(words.flatMap((word) => VERBS.get(word) ?? []));
  const [kind = 0] = kinds;
  return kinds.size === 1 ? kind : 0;
}
