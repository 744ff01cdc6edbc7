import { querySegments } from './query-segments.js';
import { ASK_WORDS, FILLER_WORDS, PARTICLES } from './stop-words.js';
import { beginsPhrase, MAX_PHRASE, type Synonym, synonymsOf } from './synonyms/synonyms.js';
import { type Token, tokenize } from './tokenize.js';
import { stem } from './stem.js';
import { kindOfRequest } from './verb-kinds.js';

/** A distinct term of a query. */
export interface QueryTerm {
  readonly term: string;
  /** How much the term counts; 1 for a word outside quotes. */
  readonly weight: number;
  /** Digits only. */
  readonly isNumber: boolean;
  /** The joined form of an identifier whose parts are terms as well. */
  readonly isWhole: boolean;
  /** Terms that tools may use instead. */
  readonly synonyms: readonly Synonym[];
}

/** A word of a query that is looked up in names only. */
export interface QueryAside {
  readonly term: string;
  /** 0 to 1: how well it says what is asked for. */
  readonly share: number;
}

/** A phrase of a query that counts little: only its synonyms are looked up, and the phrase itself if it is a verb. */
export interface QueryHint {
  /** The term of a verb that introduces the request ("check"): a tool that has it comes before one that has a synonym. */
  readonly term?: string;
  readonly weight: number;
  readonly synonyms: readonly Synonym[];
}

/** An analyzed query. Numbers in it are positions in `terms`. */
export interface QueryTerms {
  readonly terms: readonly QueryTerm[];
  /** Possible meanings of phrases that have no term of their own ("where"). */
  readonly hints: readonly QueryHint[];
  /** Pairs of adjacent words of the query. */
  readonly pairs: readonly (readonly [number, number])[];
  /** Words that count only in the names of tools: those that introduce a request ("find", "check") and function words ("on"). */
  readonly asides: readonly QueryAside[];
  /** The kind of action that its verbs name, of {@link VERB_KINDS}; 0 if there is none, or several. */
  readonly kind: number;
  /** Whether the query had more than {@link MAX_QUERY_TERMS} terms. */
  readonly isTruncated: boolean;
  /** The query's words; a word is known if one of its terms is. */
  readonly words: readonly { readonly word: string; readonly terms: readonly number[] }[];
}

/** Maximum number of distinct terms of a query; further terms are ignored. */
export const MAX_QUERY_TERMS = 64;

// The parts of an identifier and the whole are all looked up; together they should not weigh much more than two plain
// words.
const COMPOUND_WEIGHT = 0.6;
const FILLER_WEIGHT = 0.5;
// Of "I need help to find", "need" and "help"; of "turn off the light on the porch", "on".
const UNSURE_SHARE = 0.5;
const NUMBER = /^\p{N}+$/u;
// "Where" only hints at the tool's subject, a verb that introduces the request at its verb.
const HINT_WEIGHT = 0.25;
const VERB_HINT_WEIGHT = 0.185;
const NAME_WEIGHT = 0.65;

/** Analyzes a query into its meaningful terms with their weights, at most {@link MAX_QUERY_TERMS}. */
export function queryTerms(text: string): QueryTerms {
  const runs = querySegments(text).flatMap((segment) => tokenize(segment.text).map((run) => ({ run, segment })));
  const parts: Token[] = [];
  for (const { run } of runs) parts.push(...run.parts);
  const isMeaningful = [isAboutTools, isContent].find((test) => parts.some(test)) ?? (() => true);

  let isTruncated = false;
  const counted = new Map<string, { position: number; weight: number; isWhole: boolean }>();
  const count = (term: string, weight: number, isWhole: boolean): number | undefined => {
    const known = counted.get(term);
    if (known) {
      known.weight = Math.max(known.weight, weight);
      known.isWhole &&= isWhole;
      return known.position;
    }
    if (counted.size === MAX_QUERY_TERMS) {
      isTruncated = true;
      return undefined;
    }
    counted.set(term, { position: counted.size, weight, isWhole });
    return counted.size - 1;
  };

  const words = new Map<string, Set<number>>();
  const pairs = new Map<number, readonly [number, number]>();
  let previous: number | undefined;
  const places: (number | undefined)[] = [];
  for (const { run, segment } of runs) {
    const kept = run.parts.filter(isMeaningful);
    const weight = run.whole === undefined ? segment.weight : segment.weight * COMPOUND_WEIGHT;
    const positions = kept.map((part) => count(part.term, weight * weightOf(part), false));
    let place = 0;
    for (const part of run.parts) places.push(isMeaningful(part) ? positions[place++] : undefined);
    const whole = kept.length > 0 && run.whole !== undefined ? count(run.whole, weight, true) : undefined;
    for (const [index, position] of positions.entries()) {
      const part = kept[index];
      if (position === undefined || !part) continue;
      if (!NUMBER.test(part.term)) {
        const terms = words.get(part.word) ?? new Set();
        words.set(part.word, whole === undefined ? terms.add(position) : terms.add(position).add(whole));
      }
      if (previous !== undefined && previous !== position) {
        pairs.set(previous * MAX_QUERY_TERMS + position, [previous, position]);
      }
      previous = position;
    }
  }
  const stems = parts.map((part) => part.term);
  const synonyms = new Map<number | string, readonly Synonym[]>();
  for (const { start, end, others } of knownPhrases(stems)) {
    const known = places.slice(start, end).findLast((place) => place !== undefined);
    const key = known ?? stems.slice(start, end).join(' ');
    synonyms.set(key, known === undefined ? others : [...(synonyms.get(key) ?? []), ...others]);
  }
  const isNew = ({ term }: Synonym): boolean => !counted.has(term);
  const asking = new Set(parts.filter(({ word }) => ASK_WORDS.has(word)).map(({ term }) => term));
  return {
    terms: [...counted].map(([term, { position, weight, isWhole }]) => ({
      term,
      weight,
      isNumber: NUMBER.test(term),
      isWhole,
      synonyms: (synonyms.get(position) ?? []).filter(isNew),
    })),
    hints: [
      ...[...synonyms].flatMap(([key, others]) =>
        typeof key === 'string'
          ? [
              asking.has(key)
                ? { term: key, weight: VERB_HINT_WEIGHT, synonyms: others.filter(isNew) }
                : { weight: HINT_WEIGHT, synonyms: others.filter(isNew) },
            ]
          : [],
      ),
      ...(namesThing(text) ? [{ weight: NAME_WEIGHT, synonyms: NAME_LOOKUPS.filter(isNew) }] : []),
    ],
    asides: asidesOf(parts)
      .filter(({ term }) => !counted.has(term))
      .slice(0, MAX_QUERY_TERMS),
    kind: kindOfRequest(parts.map(({ word }) => word)),
    isTruncated,
    pairs: [...pairs.values()],
    words: [...words].map(([word, terms]) => ({ word, terms: [...terms] })),
  };
}

/**
 * Words that introduce the request, and function words. Of several in a row ("I need help to find") the last one is the verb of
 * what is asked for; the first particle belongs to it.
 */
function asidesOf(parts: readonly Token[]): readonly QueryAside[] {
  const shares = new Map<string, number>();
  const first = parts.find(({ word }) => PARTICLES.has(word));
  let isVerb = true;
  for (const part of parts.toReversed()) {
    const isAsking = ASK_WORDS.has(part.word);
    if (!part.stop && !isAsking) isVerb = true;
    else {
      const isSure = PARTICLES.has(part.word) ? part.word === first?.word : part.stop || isVerb;
      shares.set(part.term, Math.max(shares.get(part.term) ?? 0, isSure ? 1 : UNSURE_SHARE));
    }
    if (isAsking) isVerb = false;
  }
  return [...shares].map(([term, share]) => ({ term, share }));
}

/** Yields the words and phrases that have synonyms, with their positions. */
function* knownPhrases(
  stems: readonly string[],
): Generator<{ start: number; end: number; others: readonly Synonym[] }> {
  for (const [start, stem] of stems.entries()) {
    const longest = beginsPhrase(stem) ? MAX_PHRASE : 1;
    let phrase = stem;
    for (let end = start + 1; ; end++) {
      const others = synonymsOf(phrase);
      if (others.length > 0) yield { start, end, others };
      if (end === Math.min(start + longest, stems.length)) break;
      phrase += ` ${stems[end]}`;
    }
  }
}

function weightOf(part: Token): number {
  return FILLER_WORDS.has(part.word) ? FILLER_WEIGHT : 1;
}

function isContent(part: Token): boolean {
  return !part.stop;
}

function isAboutTools(part: Token): boolean {
  return !part.stop && !ASK_WORDS.has(part.word);
}

// A capital letter within a sentence, or at the start of a quotation.
const NAME = /(?<=[\p{Ll}\p{N},;:)]\s["'(]?)\p{Lu}\p{L}+|["“'](?=\p{Lu})/u;

/** Whether a request contains a proper name ("the cast of Titanic"). */
export function namesThing(text: string): boolean {
  return NAME.test(text);
}

/** Synonyms for a request with a proper name: tools take identifiers, so the name has to be looked up first. */
const NAME_LOOKUPS: readonly Synonym[] = ['search', 'find', 'lookup'].map((word) => ({ term: stem(word), share: 1 }));
