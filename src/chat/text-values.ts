/** What a value in a text looks like. A path of two parts may also name a repository. */
export type ValueKind =
  'quoted' | 'url' | 'email' | 'money' | 'date' | 'pattern' | 'path' | 'id' | 'number' | 'labelled' | 'name';

/** A value that stands in the user's text. */
export interface TextValue {
  readonly kind: ValueKind;
  /** As it stands in the text, without quotes. */
  readonly text: string;
  /** The word that says what it is: `branch` in "the branch main", `amount` in "amount=25". */
  readonly label?: string;
  /** Where the value stands, with its quotes. */
  readonly start: number;
  readonly end: number;
}

const QUOTED =
  /(?<!=\s?)(?:"([^"]+)"|“([^”]+)”|‘([^’]+)’|`([^`]+)`|(?<![\p{L}\p{N}])'((?:[^']|'(?=\p{L}))+)'(?!\p{L}))/gu;
const PAIR = /(?<=^|[\s,(])([A-Za-z][\w-]*)\s?=\s?(?:"([^"]*)"|'([^']*)'|([^\s,;]+))/g;

// "… saying call Bob in notes/bob.txt": what is told runs to the end, to the next thing that is told, or to where it goes.
const TELLING = String.raw`containing|saying|titled|that (?:says|contains|reads)|with (?:the |a )?(?:text|contents?|message|body|title)(?: of)?`;
const PLACE = String.raw`(?:the\s+)?(?:(?:file|folder|directory|repo|repository)\s+)?(?:[\w.@-]*\/[\w./@-]+|[\w-]+\.[a-z]{2,5}\b|the\s+[\w-]+\s+(?:file|folder|directory|repo|repository)\b)`;
const TOLD = new RegExp(
  String.raw`\b(${TELLING})\s*:?\s+(?!["'\u0060“‘])(\S.*?)(?=[\s.!?]*$|,?\s+(?:and\s+)?(?:${TELLING}|called|named)\b|,?\s+(?:in|into|to|inside|under|at)\s+${PLACE})`,
  'gisu',
);
// "Write hello to notes/a.txt"
const WRITTEN = new RegExp(
  String.raw`^\W*(?:please\s+)?(?:write|save|put|append|store)\s+(?!(?:an?|the|it|this|that|my|your|all)\b)(\w.*?)\s+(?:to|into|in)\s+${PLACE}`,
  'isu',
);
const BEFORE_QUOTE = new RegExp(String.raw`\b(${TELLING})\s*:?\s*$`, 'iu');

const KINDS: readonly (readonly [ValueKind, RegExp])[] = [
  ['url', /\bhttps?:\/\/[^\s"'<>)]+[^\s"'<>).,;!?]/g],
  ['email', /\b[\w.+-]+@[\w-]+(?:\.[\w-]+)+\b/g],
  ['money', /(?:[€$£]|\b(?:eur|usd|gbp)\b)\s?\d[\d.,]*(?<![.,])/gi],
  ['money', /\b\d(?:[\d.,]*\d)?\s?(?:[€$£]|(?:euros?|eur|usd|dollars?|gbp|pounds?|francs?)\b)/gi],
  ['date', /\b\d{4}-\d{2}-\d{2}(?:T[\d:.]+(?:Z|[+-]\d{2}:\d{2})?)?\b/g],
  ['pattern', /(?<=^|\s)[\w./-]*\*[\w.*/-]*/g],
  ['path', /(?<=^|[\s(])(?:~|\.{1,2})?\/?[\w@.-]+(?:\/[\w@.-]+)+\/?(?<![.,])|(?<=^|\s)\/[\w@./-]*[\w/]/g],
  [
    'path',
    /\b[\w-]+\.(?:txt|md|json|jsonl|ya?ml|csv|xml|html?|css|[cm]?[jt]sx?|py|rs|go|java|log|pdf|png|jpe?g|gif|svg|zip|gz)\b/g,
  ],
  [
    'id',
    /\b[A-Za-z]{2,12}[_-]\d[\w-]*\b|(?<=^|\s)#\d+\b|\b[\da-f]{8}-[\da-f-]{27}\b|\b(?=[\da-f]*\d)[\da-f]{7,40}\b(?<!\b\d+)/g,
  ],
  ['number', /(?<![\w.,])-?\d(?:[\d,]*\d)?(?:\.\d+)?(?![\w]|\.\d)/g],
];

const LABELS =
  'folder|directory|branch|repository|repo|organi[sz]ation|org|user|customer|client|label|team|city|topic|entity|node|tag|milestone|project|account|type|kind|category|language|role';

/** A word that may follow or precede a label but never is a value. */
const NO_VALUE =
  /^(?:a|an|the|my|your|our|this|that|any|all|each|every|which|what|new|of|in|on|at|for|from|to|into|with|and|or|is|are|was|as|by|called|named|titled|it|does|do|please|then|so|because|has|have|about|whole|entire|same|current|allowed|graph|knowledge|tree|listing|structure|contents?|size|list)$/i;

/**
 * All values in a text, none overlapping, in the order in which they stand there. What kind a value is of is seen from its
 * shape and from the words beside it, never from a list of things.
 */
export function findValues(text: string): TextValue[] {
  const found: TextValue[] = [];
  const add = (kind: ValueKind, start: number, end: number, value: string, label?: string) => {
    if (value === '' || found.some((other) => start < other.end && other.start < end)) return;
    found.push({ kind, text: value, start, end, ...(label !== undefined && { label: label.toLowerCase() }) });
  };
  for (const match of text.matchAll(QUOTED)) {
    const value = match.slice(1).find((group) => group !== undefined) ?? '';
    const told = BEFORE_QUOTE.exec(text.slice(0, match.index));
    add(
      'quoted',
      told?.index ?? match.index,
      match.index + match[0].length,
      value,
      told ? labelOf(told[1]) : undefined,
    );
  }
  // Whatever it looks like, the text itself says what it is.
  for (const match of text.matchAll(PAIR)) {
    const value = match[2] ?? match[3] ?? match[4] ?? '';
    add('labelled', match.index, match.index + match[0].length, value, match[1]);
  }
  for (const match of text.matchAll(TOLD)) {
    add('labelled', match.index, match.index + match[0].length, match[2] ?? '', labelOf(match[1]));
  }
  const written = WRITTEN.exec(text);
  if (written?.[1] !== undefined) {
    const start = written[0].indexOf(written[1], written[0].search(/(?:write|save|put|append|store)\s/i) + 4);
    add('labelled', start, start + written[1].length, written[1], 'content');
  }
  for (const [kind, pattern] of KINDS) {
    for (const match of text.matchAll(pattern)) {
      add(kind, match.index, match.index + match[0].length, match[0]);
    }
  }
  addLabelled(text, add);
  for (const match of text.matchAll(/(?<=[\p{L}\p{N},'’]\s+)\p{Lu}[\p{L}\p{N}'’-]*(?:\s+\p{Lu}[\p{L}\p{N}'’-]*)*/gu)) {
    if (match[0] !== 'I') add('name', match.index, match.index + match[0].length, match[0]);
  }
  return found.toSorted((left, right) => left.start - right.start).map((value) => withLabel(value, text));
}

type Add = (kind: ValueKind, start: number, end: number, value: string, label?: string) => void;

function addLabelled(text: string, add: Add): void {
  const word = String.raw`([\p{L}\p{N}][\p{L}\p{N}_./-]*[\p{L}\p{N}]|[\p{L}\p{N}])`;
  // "called reports", "named Ada Lovelace"
  for (const match of text.matchAll(
    new RegExp(String.raw`\b(called|named)\s+(\p{Lu}[\p{L}\p{N}-]*(?:\s\p{Lu}[\p{L}\p{N}-]*)*|${word})`, 'gu'),
  )) {
    const value = (match[2] ?? '').trim();
    const start = match.index + match[0].indexOf(value, (match[1] ?? '').length);
    if (!NO_VALUE.test(value)) add('labelled', start, start + value.length, value, 'name');
  }
  // "… in notes"
  const place = /\b(?:in|under|inside|within)\s+([\p{Ll}\d][\p{L}\p{N}_-]*)[.?!]*$/u.exec(text);
  if (place?.[1] !== undefined && !NO_VALUE.test(place[1])) {
    const start = place.index + place[0].indexOf(place[1], 2);
    add('labelled', start, start + place[1].length, place[1], 'folder');
  }
  // "the branch main", "the notes folder"
  const after = new RegExp(String.raw`\b(${LABELS})\s+(\p{Lu}[\p{L}\p{N}-]*(?:\s\p{Lu}[\p{L}\p{N}-]*)+|${word})`, 'gu');
  const before = new RegExp(String.raw`\bthe\s+${word}\s+(${LABELS})\b`, 'giu');
  for (const [pattern, label, value] of [[before, 2, 1] as const, [after, 1, 2] as const]) {
    for (const match of text.matchAll(pattern)) {
      const said = match[value] ?? '';
      if (NO_VALUE.test(said) || new RegExp(`^(?:${LABELS})s?$`, 'i').test(said)) continue;
      const start = match.index + (value === 1 ? match[0].search(/\s\S/) + 1 : match[0].lastIndexOf(said));
      add('labelled', start, start + said.length, said, match[label]);
    }
  }
}

function labelOf(telling = ''): string {
  return /title/i.test(telling) ? 'title' : (/message|body/i.exec(telling)?.[0] ?? 'content');
}

// "the title 'Bug'", "amount: 25", "page 3": the word right before a value says what it is.
function withLabel(value: TextValue, text: string): TextValue {
  if (value.label !== undefined) return value;
  const label = /([\p{L}][\p{L}_]*)(?:\s+(?:is|be|to|as|of))?\s*[:=]?\s*$/u.exec(
    text.slice(Math.max(0, value.start - 60), value.start),
  )?.[1];
  return label === undefined || NO_VALUE.test(label) ? value : { ...value, label: label.toLowerCase() };
}

/** The number a value stands for: 1,250.50 and 99,50 are read as people write them. */
export function numberOf({ text }: TextValue): number | undefined {
  const digits = /-?\d(?:[\d.,]*\d)?/.exec(text)?.[0];
  if (digits === undefined) return undefined;
  const plain = /^-?\d+,\d{1,2}$/.test(digits) ? digits.replace(',', '.') : digits.replaceAll(',', '');
  const number = Number(plain);
  return Number.isFinite(number) ? number : undefined;
}

/** Whether a path ends like a document; `owner/name.js` may well be a repository. */
export function isFile(path: string): boolean {
  return /\.(?:txt|md|jsonl?|csv|log|ya?ml|xml|pdf|png|jpe?g|gif|svg|html?|zip|gz)$/i.test(path);
}
