import type { LearnedPosting } from '../../learned/learned-overlay.js';
import type { QueryTerm, QueryTerms } from '../../text/query-terms.js';
import type { Synonym } from '../../text/synonyms/synonyms.js';
import type { Words } from '../index/lexicon.js';
import type { ViewStatistics } from './view-statistics.js';

/** One way in which a tool can have what a query says: the word itself, or another one that stands for it. */
export interface Sense {
  /** The term's number in the lexicon. */
  readonly id: number;
  readonly term: string;
  /** 0 to 1: how much of the meaning. */
  readonly share: number;
  /** The largest contribution it can make to a score. */
  readonly weight: number;
}

/** A term or phrase of a query, by what visible tools have of it. Of several senses that a tool has, the best one counts. */
export interface Meaning {
  /** The term as the query has it; undefined for a phrase that is not looked up itself. */
  readonly term: string | undefined;
  readonly senses: readonly Sense[];
}

/** Two neighbouring words of a query, by their numbers in the lexicon. */
export interface WeighedPair {
  readonly first: number;
  readonly second: number;
  /** What it adds to the score of a tool that has them side by side. */
  readonly weight: number;
}

/** What a tool gets for a term that searches led to it with. */
export interface LearnedGain {
  /** Dense id. */
  readonly tool: number;
  readonly term: string;
  readonly gain: number;
}

/** A query as one view weighs it. Nothing in it depends on a hidden tool. */
export interface WeighedQuery {
  /** Largest contribution first: the order in which scores are added up, so that equal tools get equal scores. */
  readonly meanings: readonly Meaning[];
  /** Pairs of known words. */
  readonly pairs: readonly WeighedPair[];
  /** The query's words with the meanings that each of them has. */
  readonly words: readonly { readonly word: string; readonly meanings: readonly Meaning[] }[];
  readonly learned: readonly LearnedGain[];
  /** Whether the answer may say which words were learned. */
  readonly showsLearned: boolean;
  /**
   * The share of all terms, by weight, that visible tools have or were found with, 0 to 1; a term of which they have only
   * another word or spelling counts a quarter. Unknown ones in quotes are left out beside others.
   */
  readonly known: number;
  /** The summed weight of all terms, known or not. */
  readonly termWeight: number;
  /** The summed weight of all pairs, known or not. */
  readonly pairWeight: number;
  /**
   * Words of the query for which no visible tool has anything: themselves, another word for them, one spelt nearly so, or,
   * where that may be said, a lesson.
   * Numbers are left out, they are values more often than words.
   */
  readonly unmatched: readonly string[];
}

// A word counts half as much where a tool has only a synonym of it.
const SYNONYM_WEIGHT = 0.5;
// A word that nobody knows is most likely the word that is spelt nearly so.
const CORRECTION_SHARE = 0.7;
// Each costs a look through a part of the vocabulary.
const MAX_CORRECTED_WORDS = 4;
// Another word is a guess at what was meant.
const GUESSED_SHARE = 0.25;
// In a request of so many word pairs a tool has many words by accident, and only neighbours show that it means the same. In a
// short one they show little.
const LONG_REQUEST = 20;
// In a request of more terms a common synonym decides nothing, and takes longest to be read.
const MANY_TERMS = 14;
const MIN_SYNONYM_SHARE = 1 / 50;

/**
 * Weighs the terms of a query by their rarity in a view.
 *
 * @param lessonsOf what visible tools have learned of a term
 * @param showsLearned whether the answer may say which words were learned
 */
export function weighQuery(
  query: QueryTerms,
  lexicon: Words,
  statistics: ViewStatistics,
  lessonsOf: (term: string) => readonly LearnedPosting[] = () => [],
  showsLearned = true,
): WeighedQuery {
  const own = query.terms.map((term) => weighTerm(term, lexicon, statistics));
  const least = own.length > MANY_TERMS ? MIN_SYNONYM_SHARE * sum(own.map(({ weight }) => weight)) : 0;
  const terms = corrected(
    own.map((term, position) => withSynonyms(term, query.terms[position], least, lexicon, statistics)),
    lexicon,
    statistics,
  );
  const hints = query.hints.map(({ weight, synonyms }): Meaning => {
    return { term: undefined, senses: sensesOf(synonyms, weight, Infinity, lexicon, statistics) };
  });
  const learned = terms.flatMap(({ term, weight, rarity }, position) => {
    const largest = rarity > 0 ? weight : (query.terms[position]?.weight ?? 0) * statistics.unknownRarity;
    return lessonsOf(term).map(({ tool, impact }) => ({ tool, term, gain: impact * largest }));
  });
  const isLearned = (term: string | undefined): boolean => learned.some((gain) => gain.term === term);
  const isKnown = ({ term, senses }: Meaning): boolean => senses.length > 0 || isLearned(term);
  const words = query.words.map(({ word, terms: positions }) => ({
    word,
    meanings: positions.flatMap((position) => terms[position] ?? []).filter(isKnown),
  }));
  const pairs = query.pairs.map(([a, b]) => {
    const [first, second] = [terms[a], terms[b]];
    const rarity = Math.min(first?.rarity ?? 0, second?.rarity ?? 0);
    return { first: first?.id, second: second?.id, weight: rarity * Math.min(1, query.pairs.length / LONG_REQUEST) };
  });
  return {
    meanings: [...terms, ...hints].filter(({ senses }) => senses.length > 0).sort((a, b) => peakOf(b) - peakOf(a)),
    pairs: pairs.flatMap(({ first, second, weight }) =>
      first === undefined || second === undefined ? [] : [{ first, second, weight }],
    ),
    words,
    learned,
    showsLearned,
    known: knownShare(terms, isLearned),
    termWeight: sum(terms.map((term) => Math.max(term.weight, peakOf(term)))) + sum(hints.map(peakOf)),
    pairWeight: sum(pairs.map(({ weight }) => weight)),
    unmatched: words
      .filter(({ meanings }) => !meanings.some(({ senses }) => showsLearned || senses.length > 0))
      .map(({ word }) => word),
  };
}

/** The largest contribution that a meaning can make. */
export function peakOf({ senses }: Meaning): number {
  return senses.reduce((largest, { weight }) => Math.max(largest, weight), 0);
}

interface WeighedTerm extends Meaning {
  readonly term: string;
  /** The term's own number, if a visible tool has it. */
  readonly id: number | undefined;
  /** 0 for what is no word of its own: an unknown number, or the joined form of an identifier. */
  readonly rarity: number;
  readonly isQuoted: boolean;
  readonly weight: number;
}

function weighTerm(
  { term, weight, isNumber, isWhole, isQuoted }: QueryTerm,
  lexicon: Words,
  statistics: ViewStatistics,
): WeighedTerm {
  const found = lexicon.find(term);
  const id = found !== undefined && statistics.has(found) ? found : undefined;
  const rarity = id !== undefined ? statistics.rarity(id) : isNumber || isWhole ? 0 : statistics.unknownRarity;
  const senses = id === undefined ? [] : [{ id, term, share: 1, weight: weight * rarity }];
  return { term, id, rarity, isQuoted, weight: weight * rarity, senses };
}

/** @param least what a synonym of a known term must give at most, to be one */
function withSynonyms(
  own: WeighedTerm,
  asked: QueryTerm | undefined,
  least: number,
  lexicon: Words,
  statistics: ViewStatistics,
): WeighedTerm {
  if (!asked || asked.synonyms.length === 0) return own;
  // A rare synonym must not outweigh the common word that was said.
  const maxRarity = own.rarity === 0 ? Infinity : own.rarity;
  const others = sensesOf(asked.synonyms, asked.weight, maxRarity, lexicon, statistics);
  const kept = own.id === undefined ? others : others.filter(({ weight }) => weight >= least);
  return { ...own, senses: [...own.senses, ...kept] };
}

function sensesOf(
  synonyms: readonly Synonym[],
  weight: number,
  maxRarity: number,
  lexicon: Words,
  statistics: ViewStatistics,
): Sense[] {
  return synonyms.flatMap(({ term, share }) => {
    const id = lexicon.find(term);
    if (id === undefined || !statistics.has(id)) return [];
    return [{ id, term, share, weight: SYNONYM_WEIGHT * share * weight * Math.min(statistics.rarity(id), maxRarity) }];
  });
}

/** The terms, unknown ones with the words that they may be misspelt for. */
function corrected(terms: readonly WeighedTerm[], lexicon: Words, statistics: ViewStatistics): WeighedTerm[] {
  const rarityOf = (id: number): number | undefined => (statistics.has(id) ? statistics.rarity(id) : undefined);
  let left = MAX_CORRECTED_WORDS;
  return terms.map((term) => {
    if (term.senses.length > 0 || term.rarity === 0 || left-- <= 0) return term;
    const share = CORRECTION_SHARE;
    const senses = lexicon.spelling.correctionsOf(term.term, rarityOf).map((id): Sense => {
      const weight = (share * term.weight * statistics.rarity(id)) / term.rarity;
      return { id, term: lexicon.termOf(id), share, weight };
    });
    return { ...term, senses };
  });
}

function knownShare(terms: readonly WeighedTerm[], isLearned: (term: string) => boolean): number {
  const isUnknown = ({ term, senses }: WeighedTerm): boolean => senses.length === 0 && !isLearned(term);
  // What nobody knows and stands in quotes is a value, which no tool can know.
  const words = terms.filter((term) => !term.isQuoted || !isUnknown(term));
  const known = words.map(({ id, term, weight, senses }) => {
    if (id !== undefined || isLearned(term)) return weight;
    return senses.length > 0 ? GUESSED_SHARE * weight : 0;
  });
  const all = sum((words.length > 0 ? words : terms).map(({ weight }) => weight));
  // Nothing but numbers, or phrases that only hint at something: no word is missing.
  return all === 0 ? 1 : sum(known) / all;
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
