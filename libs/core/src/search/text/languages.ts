/** Frequent words of languages in Latin letters, without parts of usual names; a word may belong to several. */
const FUNCTION_WORDS: Readonly<Record<string, string>> = {
  en: 'the of to and for in with from by this that is are be or an my your all its which when into if',
  de: 'der und für von mit eine einen einem einer nicht ich ist sind zu auf wie alle bitte über nach aus oder dem meine mein diese das den zum zur wird',
  fr: 'une pour avec dans est cette ces ma je vous nous sur toutes tous quel quelle au aux et ou les leur chaque donne moi',
  es: 'una para por del mis que está este estos todos todas cuál qué cómo como mi un y sus ha entre sobre dame',
  it: 'una di della dei delle gli questo questa tutti tutte che sono nella nel mio mia il lo alla degli',
  pt: 'uma para por minha meu este todos todas que não em um os ao à pelo pela você seu sua',
  nl: 'een het voor niet alle mijn deze dit welke naar zijn worden wordt bij ook van op',
  sv: 'och är att det den en av på med som för till inte alla',
  da: 'og er det til den en af på med som for ikke alle',
  ro: 'și este pentru din care sau toate într',
  ca: 'amb els dels aquesta són és',
};

/** Scripts, most particular first: Japanese has Chinese characters too. Some are those of one language. */
const SCRIPTS: readonly (readonly [key: string, letters: RegExp])[] = [
  ['ja', /[\p{Script=Hiragana}\p{Script=Katakana}]/gu],
  ['ko', /\p{Script=Hangul}/gu],
  ['zh', /\p{Script=Han}/gu],
  ['he', /\p{Script=Hebrew}/gu],
  ['th', /\p{Script=Thai}/gu],
  ['el', /\p{Script=Greek}/gu],
  ['Cyrl', /\p{Script=Cyrillic}/gu],
  ['Arab', /\p{Script=Arabic}/gu],
  ['Deva', /\p{Script=Devanagari}/gu],
];

const LANGUAGES_OF: ReadonlyMap<string, readonly string[]> = languagesOf();
const COUNTED: ReadonlySet<string> = new Set([...Object.keys(FUNCTION_WORDS), ...SCRIPTS.map(([key]) => key)]);
const WORD = /\p{L}+/gu;
const OTHER_SCRIPTS = /(?!\p{Script=Latin})[\p{L}\p{M}]/gu;
/** Letters of a script without spaces that say as much as one word. */
const LETTERS_A_WORD = 2;
/** A single word may be a name or an acronym ("os", "mit"). */
const MIN_FOREIGN = 2;

/** Counts what a text shows of each language, or of a script that several languages share (`Cyrl`), in words. */
export function countLanguages(text: string, counts = new Map<string, number>()): Map<string, number> {
  const add = (key: string, count: number) => counts.set(key, (counts.get(key) ?? 0) + count);
  // Names and acronyms are no function words: "MIT", "Los Angeles".
  for (const [word] of text.matchAll(WORD)) for (const language of LANGUAGES_OF.get(word) ?? []) add(language, 1);
  let rest = text.match(OTHER_SCRIPTS)?.join('') ?? '';
  for (const [key, letters] of SCRIPTS) {
    const count = rest === '' ? 0 : (rest.match(letters)?.length ?? 0);
    if (count === 0) continue;
    add(key, count / LETTERS_A_WORD);
    if (key === 'ja') rest = rest.replace(/\p{Script=Han}/gu, '');
  }
  return counts;
}

/** Whether a key of {@link countLanguages} is a language, so that it can be named: scripts of several begin with a capital. */
export function isLanguage(key: string): boolean {
  return /^[a-z]/.test(key);
}

/**
 * Whether a request is in another language than the tools: it has two words of another one, or one with a letter that English
 * does not have, and more of these than of theirs.
 *
 * @param language of the tools, as a tag of BCP 47; empty if it is not clear
 */
export function isForeign(request: string, language: string): boolean {
  const { language: own = '', script = '' } = language === '' ? {} : new Intl.Locale(language).maximize();
  const key = [own, script].find((each) => COUNTED.has(each));
  if (key === undefined) return false;
  const others = request.match(OTHER_SCRIPTS)?.length ?? 0;
  // A request may quote a text in another script ("translate …").
  const isQuoted = others > 0 && others <= (request.match(/\p{Script=Latin}/gu)?.length ?? 0);
  const counts = countLanguages(isQuoted ? request.replace(OTHER_SCRIPTS, '') : request);
  const least = Math.max(counts.get(key) ?? 0, /\P{ASCII}/u.test(request) ? 0 : MIN_FOREIGN - 1);
  return [...counts.values()].some((count) => count > least);
}

function languagesOf(): ReadonlyMap<string, readonly string[]> {
  const found = new Map<string, string[]>();
  for (const [language, words] of Object.entries(FUNCTION_WORDS)) {
    for (const word of new Set(words.split(' '))) found.set(word, [...(found.get(word) ?? []), language]);
  }
  return found;
}
