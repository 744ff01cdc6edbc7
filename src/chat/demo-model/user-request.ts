import { isMeaningful, isReading, wordsOf } from './words.js';

/** An option is a word that may be one of the values an argument allows. */
type Kind = 'text' | 'path' | 'id' | 'number' | 'name' | 'relation' | 'option';

export interface Value {
  readonly kind: Kind;
  readonly text: string;
  /** Words beside it that may say what it is: "amount" in "amount=25", "litres" in "3 litres", "from" in "from Ada". */
  readonly labels: readonly string[];
}

export interface UserRequest {
  readonly verb: string;
  /** The other words that mean something and belong to no value. */
  readonly nouns: readonly string[];
  readonly values: readonly Value[];
  /** It asks for information and changes nothing. */
  readonly isReading: boolean;
  /** It is an order without a negation, a condition or an alternative. */
  readonly isPlain: boolean;
}

const NAME = String.raw`(?!I\b)\p{Lu}[\p{L}'-]*(?: \p{Lu}[\p{L}'-]*)*`;
const PATH = String.raw`https?:\/\/\S*\w|[\w@.~*-]*\/[\w@.\/*-]*[\w*]|(?<!\w)[\w-]+\.[a-z]{2,5}\b`;

/** Each group is a kind of value; where several match at one place the first counts. */
const VALUE = new RegExp(
  [
    // Quoted, an e-mail address, what follows "=", or a reason.
    String.raw`(?<text>(?<!\w)(["'\x60]).+?\2(?!\w)|[\w.+-]+@[\w.-]+\w|(?<==)[^\s,;"']+|(?<=\bbecause\s)[^.!?\n]+)`,
    // "works at" in "Remember that Ada works at Acme".
    String.raw`(?<relation>(?<=\bthat ${NAME} )(?:\p{Ll}+ )*\p{Ll}+(?= ${NAME}))`,
    String.raw`(?<path>${PATH}|(?<=\b(?:the|my) )[\w-]+(?= (?:folder|directory)\b)` +
      String.raw`|(?<=\b(?:file|folder|directory) (?:called|named) )[\w.-]*\w)`,
    String.raw`(?<id>\b(?:[A-Za-z]{2,12}[_-]\d[\w-]*|[\da-f]{8}-[\da-f-]{27}))`,
    String.raw`(?<number>(?<![\w.,-])-?\d+(?:\.\d+)?(?![.,-]?\d|\w))`,
    String.raw`(?<name>(?<=[\p{L}\p{N},:] +)${NAME}|(?<=\b(?:called|named|titled) )[\w-]+)`,
  ].join('|'),
  'gu',
);

const QUESTION =
  /(?:^|[,.!:])\s*(?:(?:tell me )?wh\w+|how|is|are|was|were|do|does|did|has|have|(?:can|could) (?:i|we))\b/i;
const NOT_PLAIN = /\b(?:not?|never|nothing|without|except|unless|if|or|instead)\b|n['’]t\b/i;
const NOUN_OF_KIND: Partial<Record<Kind, string>> = { path: 'file', relation: 'relation' };

/** Reads a request: its values are quoted, labelled, or have the form of a path, an identifier, a number or a name. */
export function readRequest(request: string): UserRequest {
  const text = request.replace(/[“”]/g, '"');
  const values: Value[] = [];
  let rest = text;
  for (const { 0: whole, index, groups } of text.matchAll(VALUE)) {
    const [kind] = Object.entries(groups ?? {}).find(([, found]) => found !== undefined) ?? [];
    const value = whole.replace(/^(["'`])(.*)\1$/s, '$2');
    const before = /(\p{L}+)\W*$/u.exec(text.slice(0, index))?.[1] ?? '';
    const unit = kind === 'number' ? (/^\s+(\p{L}+)/u.exec(text.slice(index + whole.length))?.[1] ?? '') : '';
    const labels = [before, unit].map((word) => word.toLowerCase());
    values.push({ kind: kind === 'text' ? kindOf(whole) : (kind as Kind), text: value, labels });
    rest = rest.slice(0, index) + ' '.repeat(whole.length) + rest.slice(index + whole.length);
  }
  const words = wordsOf(rest);
  const verb = QUESTION.test(text) ? verbOfQuestion(words) : (words.find(isMeaningful) ?? '');
  const units = values.map(({ labels }) => labels[1]);
  const nouns = words.filter((word) => isMeaningful(word) && word !== verb && !units.includes(word));
  return {
    verb,
    nouns: [...new Set(nouns.length > 0 ? nouns : values.flatMap(({ kind }) => NOUN_OF_KIND[kind] ?? []))],
    values,
    isReading: isReading(verb),
    // "I refunded it" is no order.
    isPlain: !NOT_PLAIN.test(rest) && !/\w{3}(?:ed|ing)$/.test(verb),
  };
}

function kindOf(text: string): Kind {
  if (/^-?\d+(?:\.\d+)?$/.test(text)) return 'number';
  return new RegExp(`^["'\`]?(?:${PATH})["'\`]?$`, 'u').test(text) ? 'path' : 'text';
}

function verbOfQuestion(words: readonly string[]): string {
  if (words.includes('which')) return 'list';
  return words.some((word) => /^(?:says?|contains?|in)$/.test(word)) ? 'read' : 'get';
}
