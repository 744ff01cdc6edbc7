/** Lower-case words of a text or an identifier, split at `_`, `-` and a capital letter inside a word. */
export function wordsOf(text: string): string[] {
  const spaced = text.replace(/([a-z\d])([A-Z])/g, '$1 $2').toLowerCase();
  return spaced.match(/[\p{L}\p{N}]+/gu) ?? [];
}

export function firstSentence(text: string): string {
  return text.trim().split(/[.!?]?\n|[.!?](?:\s|$)/, 1)[0] ?? '';
}

/** Whether two words are forms of one word, or stand in one group of synonyms. */
export function isSame(left: string, right: string): boolean {
  const [a, b] = [stem(left), stem(right)];
  return a === b || SYNONYMS.some((group) => [a, b].every((root) => group.some((word) => stem(word) === root)));
}

export function isAmong(word: string, words: readonly string[]): boolean {
  return words.some((other) => isSame(word, other));
}

export function synonymsOf(word: string): string[] {
  const groups = SYNONYMS.filter((group) => group.some((other) => stem(other) === stem(word)));
  return groups.flat().filter((other) => other !== word);
}

/** Whether a verb asks for information and changes nothing. */
export function isReading(verb: string): boolean {
  return isAmong(verb, READING);
}

/** Whether a word says anything about what to do. */
export function isMeaningful(word: string): boolean {
  return word.length > 1 && !EMPTY.includes(word);
}

// "entities" and "entity" have one stem; so have "creates", "created" and "create".
function stem(word: string): string {
  const singular = word
    .replace(/ies$/, 'y')
    .replace(/(?<=ss|sh|ch|x)es$/, '')
    .replace(/(?<=\w\w)(?<![su])s$/, '');
  return singular.replace(/(?<=\w{3})(?:ing|ed|e)$/, '');
}

const READING = ['get', 'list', 'search'];
const SYNONYMS = [
  'get read show view say contain fetch open describe return retrieve',
  'list show view',
  'search find look',
  'create make add write save remember',
  'update edit change set',
  'delete remove erase',
  'sum add total',
  'directory folder',
  'content text body message',
  'name title called named titled',
  'reason because',
  'destination target to into',
].map((group) => group.split(' '));

const EMPTY = (
  'a an the this that these those my your our it its some any all every please can could would will do does is are ' +
  'be i you we they he she me us them to of in on at by for from with into and so then as have want need tell give ' +
  'what which who where how called named titled because over say says contain contains hello hi hey thanks'
).split(' ');
