import { findValues, isFile, numberOf, type TextValue } from './text-values.js';
import {
  isMeaningful,
  isVerb,
  joinedNegations,
  otherNoun,
  otherVerb,
  sameAction,
  stem,
  toolNoun,
  toolVerb,
  wordsOf,
} from './words.js';

/** Something to remember: who, what about them, and the rest. */
export interface Fact {
  readonly subject: string;
  readonly predicate: string;
  readonly object: string;
  /** Predicate and object as they stand in the text. */
  readonly statement: string;
}

/** One thing the user wants done, taken apart. */
export interface UserRequest {
  readonly text: string;
  /** What to do, one verb. */
  readonly action: string;
  /** The verb tools are likely to use for it. */
  readonly verb: string;
  /** What to do it with: meaningful words that are no values. */
  readonly objects: readonly string[];
  /** What the values are, where the user did not say it: `file` for a path. */
  readonly implied: readonly string[];
  readonly values: readonly TextValue[];
  readonly fact?: Fact;
  /** What follows "because". */
  readonly reason?: string;
  /** The request speaks of the result before it. */
  readonly refersBack: boolean;
}

const NEXT = /[\s,;.!?]*\b(?:and then|then|after that|afterwards)\b[\s,]*/giu;
const SENTENCE = /[.!?;]\s+(?=(\p{L}+))/gu;

/** Takes a text with several requests apart: at "and then", and where a sentence begins with a verb. */
export function splitRequests(text: string): string[] {
  const quoted = findValues(text).filter(({ kind }) => kind === 'quoted');
  const outside = (index: number) => !quoted.some(({ start, end }) => start <= index && index < end);
  const cuts = [...text.matchAll(NEXT)].map((match) => ({ from: match.index, to: match.index + match[0].length }));
  for (const match of text.matchAll(SENTENCE)) {
    if (isVerb((match[1] ?? '').toLowerCase())) cuts.push({ from: match.index, to: match.index + match[0].length });
  }
  const parts: string[] = [];
  let at = 0;
  for (const { from, to } of cuts
    .filter(({ from }) => outside(from))
    .toSorted((left, right) => left.from - right.from)) {
    if (from < at) continue;
    parts.push(text.slice(at, from));
    at = to;
  }
  return [...parts, text.slice(at)].map((part) => part.trim()).filter((part) => part !== '');
}

/** Questions by their form; `drop` is what belongs to the form and not to the matter. */
const QUESTIONS: readonly { form: RegExp; action: string; objects?: readonly string[]; drop: RegExp }[] = [
  {
    form: /\bwhat\b.*\b(?:say|says|contain|contains|written|inside)\b/i,
    action: 'read',
    drop: /\b(?:say|says|contains?|written|inside|know)\b/gi,
  },
  {
    form: /\b(?:what do you (?:know|remember)|what is known|tell me (?:something )?about)\b/i,
    action: 'search',
    objects: ['knowledge'],
    drop: /\b(?:know|known|remember|something)\b/gi,
  },
  {
    form: /^who\b(?!\s+(?:is|are|was|were)\s+(?:the|my|our)\b.*\bof\b)|^(?:where|when) (?:do|does|did)\b/i,
    action: 'search',
    objects: ['knowledge'],
    drop: /(?<!\p{L})\p{Ll}[\p{L}'’-]*/gu,
  },
  { form: /^what(?:'s| is) in(?:side)?\b.*\.\w+\W*$/i, action: 'read', drop: /^$/g },
  { form: /^what(?:'s| is) in(?:side)?\b/i, action: 'list', drop: /^$/g },
  { form: /^(?:do|does|is|are)\b.*\bexists?\b/i, action: 'get', objects: ['info'], drop: /\bexists?\b/gi },
  { form: /^(?:is|are) there\b/i, action: 'search', drop: /^$/g },
  {
    form: /^(?:which (?!(?:is|are|was|were|do|does|did)\b)\p{L}+|what (?!(?:is|was|does)\b)\p{L}+(?<![us])s\b)|\bhow many\b|^do (?:i|we) have\b/iu,
    action: 'list',
    drop: /\b(?:many|access|exist|there|see)\b/gi,
  },
  { form: /\bhow (?:large|big)\b/i, action: 'get', objects: ['size'], drop: /\b(?:large|big)\b/gi },
  { form: /^where (?:is|are)\b/i, action: 'search', drop: /^$/g },
  { form: /^(?:what|how|who)\b/i, action: 'get', drop: /^$/g },
];

const REPORT = /[\s,]*\b(?:and|to)\s+(?:tell|show|give|let|report|explain)\s+(?:me|us|it to)\b.*$/isu;
const REASON = /[\s,]*\b(?:because(?: of)?|since|due to)\s+(.+)$/isu;
const FACT =
  /^\W*(?:please\s+)?(?:(?:remember|memori[sz]e)(?:\s+that|:)?|(?:note|store|save|keep in mind|don't forget|do not forget)(?:\s+the fact)?(?:\s+that|:))\s+(.+)$/isu;
const SENTENCE_PARTS =
  /^((?:(?:my|our|the|a|an)\s+\S+|.+?))\s+((?:is|are|was|were|has|have|had|[a-z]+(?:s|ed)|like|love|prefer|want|work|live|know|own|use)(?:\s+(?:a|an|the|in|at|on|for|to|with|from|of|as|by|about|not))*)\s+(.+)$/su;

/** Reads what one request asks for, by the form of its words. */
export function readRequest(text: string): UserRequest {
  const fact = factOf(text);
  const withoutReport = text.replace(REPORT, '');
  const reason = REASON.exec(withoutReport)?.[1]?.replace(/[\s.!?]+$/u, '');
  const matter = withoutReport.replace(REASON, '');
  const values = findValues(matter);
  const said = fact ? '' : masked(matter, values);
  const hasId = values.some(({ kind }) => kind === 'id');
  // Who or what a thing with an id is about, the thing itself tells.
  const question = QUESTIONS.find(
    ({ form, objects }) => form.test(matter.trim()) && !(hasId && objects?.includes('knowledge')),
  );
  const words = wordsOf(
    joinedNegations(fact ? text.slice(0, text.indexOf(fact.subject)) : said.replace(question?.drop ?? /^$/, ' ')),
  );
  const meaningful = words.filter(isMeaningful);
  const action = question?.action ?? meaningful.find(isVerb) ?? meaningful[0] ?? '';
  const implied = impliedBy(values, fact);
  // "Find files in the notes folder" is not about folders.
  const places = new Set(
    sameAction(action).has('search')
      ? values.flatMap(({ label, start }) =>
          label && /\bin\s+(?:the\s+)?$/i.test(matter.slice(0, start)) ? [label] : [],
        )
      : [],
  );
  // "A note in a.txt" is a file.
  const noun = (word: string) =>
    implied.includes('file') && /^(?:note|document|memo|letter|report)$/.test(word) ? 'file' : word;
  const objects = [
    ...new Set([
      ...meaningful.filter((word) => word !== action && !places.has(word)).map(noun),
      ...(question?.objects ?? []),
    ]),
  ];
  return {
    text,
    ...(isSum(matter, action, objects, values)
      ? { action: 'sum', verb: 'sum', objects: ['numbers'] }
      : { action, verb: verbFor(action, objects), objects }),
    implied,
    values,
    ...(fact && { fact }),
    ...(reason !== undefined && { reason }),
    refersBack: /\b(?:it|its|them|the (?:result|answer|contents?))\b/i.test(matter),
  };
}

/** How to search for what a request needs: first in the words tools prefer, then in the user's or in other ones. */
export function wordings({ action, verb, objects, implied, fact }: UserRequest): string[] {
  const things =
    objects.length > 1
      ? objects
      : [...objects, ...implied.filter((word) => !fact && (word !== 'entity' || objects.length === 0))];
  const ways = [
    // Who or what a fact is about is an entity; what is known of it, knowledge.
    fact ? [verb, 'knowledge', 'entities'] : [verb, ...things.map(toolNoun)],
    [action, ...objects],
    [otherVerb(action), ...things.map(toolNoun)],
    [verb, ...things.map(otherNoun)],
  ];
  return [...new Set(ways.map((words) => [...new Set(words)].slice(0, 8).join(' ').trim()))]
    .filter(Boolean)
    .slice(0, 2);
}

const VAGUE = new Set(['details', 'detail', 'info', 'information', 'data', 'everything']);

/** The request with the nouns that its ids stand for, if one of these words begins like an id: `inv_7` is an invoice. */
export function withIdNouns(request: UserRequest, words: readonly string[]): UserRequest {
  const nouns = idPrefixes(request).flatMap(
    (prefix) => words.find((word) => word.startsWith(prefix))?.replace(/s$/, '') ?? [],
  );
  if (nouns.length === 0) return request;
  const objects = request.objects.filter((word) => !VAGUE.has(word));
  const others = nouns.filter((noun) => !objects.some((word) => stem(word) === stem(noun)));
  return { ...request, objects: [...new Set([...objects, ...others])] };
}

/** What the ids of a request begin with, `inv` for `inv_7`. */
export function idPrefixes({ values }: Pick<UserRequest, 'values'>): string[] {
  return values.flatMap(({ kind, text }) =>
    kind === 'id' ? (/^[a-z]{2,}(?=[_-])/i.exec(text)?.[0].toLowerCase() ?? []) : [],
  );
}

function factOf(text: string): Fact | undefined {
  const rest = FACT.exec(text)?.[1]?.replace(/[\s.!]+$/u, '');
  const [, subject, predicate, object] = SENTENCE_PARTS.exec(rest ?? '') ?? [];
  if (rest === undefined || subject === undefined || predicate === undefined || object === undefined) return undefined;
  return { subject, predicate, object, statement: rest.slice(rest.indexOf(predicate, subject.length)) };
}

// "Show the invoices" is a list, "show the invoice" is not.
function verbFor(action: string, objects: readonly string[]): string {
  const many =
    objects.some((word) => /[^s]s$/.test(word) && !/^(?:contents|details)$/.test(word)) &&
    sameAction(action).has('list');
  return many ? 'list' : toolVerb(action);
}

function masked(text: string, values: readonly TextValue[]): string {
  let rest = text;
  for (const { start, end } of values) rest = rest.slice(0, start) + ' '.repeat(end - start) + rest.slice(end);
  return rest;
}

function isSum(text: string, action: string, objects: readonly string[], values: readonly TextValue[]): boolean {
  const areNumbers =
    values.length > 1 && values.every((value) => value.kind === 'number' && numberOf(value) !== undefined);
  const isSaid = sameAction('sum').has(stem(action)) || objects.length > 0 || /\d\s*\+\s*\d/.test(text);
  return (
    areNumbers &&
    isSaid &&
    objects.every((word) => ['number', 'numbers', 'sum', 'total', 'plus', 'together'].includes(word))
  );
}

function impliedBy(values: readonly TextValue[], fact: Fact | undefined): string[] {
  const words = values.flatMap(({ kind, text }) => {
    if (kind === 'path') return isFile(text) ? ['file'] : text.split('/').length === 2 ? ['repository'] : ['directory'];
    if (kind === 'name') return ['entity'];
    return kind === 'email' || kind === 'url' ? [kind] : [];
  });
  return [...new Set([...words, ...(fact ? ['entity'] : [])])];
}
