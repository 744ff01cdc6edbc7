import type { LearnedPosting } from '../../learned/learned-overlay.js';
import type { QueryTerm, QueryTerms } from '../../text/query-terms.js';
import type { Synonym } from '../../text/synonyms/synonyms.js';
import { VERB_KINDS } from '../../text/verb-kinds.js';
import type { Words } from '../index/lexicon.js';
import type { ViewStatistics } from './view-statistics.js';

/** A term by which a tool can match a term or phrase of the query: the word itself or a replacement. */
export interface TermVariant {
  /** The term's number in the lexicon. */
  readonly id: number;
  readonly term: string;
  /** 0 to 1: how well it represents the meaning. */
  readonly share: number;
  /** The largest contribution that it can make to a score. */
  readonly weight: number;
}

/** A term or phrase of a query, with the visible tools' terms that match it. Of a tool's senses the best one counts. */
export interface TermGroup {
  /** The term of the query; undefined for a phrase that is not looked up itself. */
  readonly term: string | undefined;
  readonly senses: readonly TermVariant[];
}

/** Two adjacent words of a query, by their numbers in the lexicon. */
export interface WeighedPair {
  readonly first: number;
  readonly second: number;
  /** The amount it adds to the score of a tool in which the words are adjacent. */
  readonly weight: number;
}

/** The gain of a tool for a term of its learned queries. */
export interface LearnedGain {
  /** Dense id. */
  readonly tool: number;
  readonly term: string;
  readonly gain: number;
}

/** A query, weighted for one view. It does not depend on hidden tools. */
export interface QueryPlan {
  /** Largest contribution first: the order in which scores are summed, so that equal tools get equal scores. */
  readonly meanings: readonly TermGroup[];
  readonly pairs: readonly WeighedPair[];
  /** The query's words, each with its meanings. */
  readonly words: readonly { readonly word: string; readonly meanings: readonly TermGroup[] }[];
  readonly learned: readonly LearnedGain[];
  /** Words that count only in names, by their numbers in the lexicon. */
  readonly asides: readonly { readonly id: number; readonly share: number }[];
  /** The verbs of tools, by their numbers in the lexicon: whether they are of the kind that is asked for. Empty if none is. */
  readonly verbs: readonly (readonly [id: number, isAsked: boolean])[];
  /** Whether the answer may contain learned words. */
  readonly showsLearned: boolean;
  /** The summed weight of all terms, known or not. */
  readonly termWeight: number;
  /** The summed weight of all pairs, known or not. */
  readonly pairWeight: number;
  /**
   * Words of the query that no visible tool matches: not directly, not by a synonym, not by a corrected spelling and,
   * if the answer may contain learned words, not by a learned query. Without numbers, which are values more often than
   * words.
   */
  readonly unmatched: readonly string[];
}

// A synonym counts half as much as the word itself.
const SYNONYM_WEIGHT = 0.5;
// "Check" introduces a request more often than it names an action, but a tool that checks comes before one that gets.
const HINTED_VERB_WEIGHT = 0.55;
// A word that no visible tool has is most likely a misspelling of a similar word.
const CORRECTION_SHARE = 0.7;
// Each correction searches a part of the vocabulary.
const MAX_CORRECTED_WORDS = 4;
// In a request with this many word pairs a tool has many words by chance, and only adjacent words show that it fits. In
// a short request they show little.
const LONG_REQUEST = 20;
// In a request of more terms a common synonym does not affect the order, and takes longest to read.
const MANY_TERMS = 14;
const MIN_SYNONYM_SHARE = 1 / 50;

/**
 * Weighs the terms of a query by their rarity in a view.
 *
 * @param lessonsOf the learned postings of a term, for visible tools only
 * @param showsLearned whether the answer may contain learned words
 */
export function planQuery(
  query: QueryTerms,
  lexicon: Words,
  statistics: ViewStatistics,
  lessonsOf: (term: string) => readonly LearnedPosting[] = () => [],
  showsLearned = true,
): QueryPlan {
  const own = query.terms.map((term) => weighTerm(term, lexicon, statistics));
  const least = own.length > MANY_TERMS ? MIN_SYNONYM_SHARE * sum(own.map(({ weight }) => weight)) : 0;
  const terms = corrected(
    own.map((term, position) => withSynonyms(term, query.terms[position], least, lexicon, statistics)),
    lexicon,
    statistics,
  );
  const hints = query.hints.map(({ term, weight, synonyms }): TermGroup => {
    const id = term === undefined ? undefined : lexicon.find(term);
    if (term === undefined || id === undefined || !statistics.has(id)) {
      return { term: undefined, senses: sensesOf(synonyms, weight, Infinity, lexicon, statistics) };
    }
    const rarity = statistics.rarity(id);
    const own = { id, term, share: 1, weight: HINTED_VERB_WEIGHT * weight * rarity };
    return { term: undefined, senses: [own, ...sensesOf(synonyms, weight, rarity, lexicon, statistics)] };
  });
  const learned = terms.flatMap(({ term, weight, rarity }, position) => {
    const largest = rarity > 0 ? weight : (query.terms[position]?.weight ?? 0) * statistics.unknownRarity;
    return lessonsOf(term).map(({ tool, impact }) => ({ tool, term, gain: impact * largest }));
  });
  const isLearned = (term: string | undefined): boolean => learned.some((gain) => gain.term === term);
  const isKnown = ({ term, senses }: TermGroup): boolean => senses.length > 0 || isLearned(term);
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
    asides: query.asides.flatMap(({ term, share }) => {
      const id = lexicon.find(term);
      return id === undefined ? [] : [{ id, share }];
    }),
    verbs:
      query.kind === 0
        ? []
        : VERB_KINDS.flatMap(([term, kind]) => {
            const id = lexicon.find(term);
            return id === undefined ? [] : [[id, kind === query.kind] as const];
          }),
    showsLearned,
    termWeight: sum(terms.map((term) => Math.max(term.weight, peakOf(term)))) + sum(hints.map(peakOf)),
    pairWeight: sum(pairs.map(({ weight }) => weight)),
    unmatched: words
      .filter(({ meanings }) => !meanings.some(({ senses }) => showsLearned || senses.length > 0))
      .map(({ word }) => word),
  };
}

export function peakOf({ senses }: TermGroup): number {
  return senses.reduce((largest, { weight }) => Math.max(largest, weight), 0);
}

interface WeighedTerm extends TermGroup {
  readonly term: string;
  /** The term's own number if a visible tool has it. */
  readonly id: number | undefined;
  /** 0 for an unknown number, or the unknown joined form of an identifier: these are not words of their own. */
  readonly rarity: number;
  readonly weight: number;
}

function weighTerm(
  { term, weight, isNumber, isWhole }: QueryTerm,
  lexicon: Words,
  statistics: ViewStatistics,
): WeighedTerm {
  const found = lexicon.find(term);
  const id = found !== undefined && statistics.has(found) ? found : undefined;
  const rarity = id !== undefined ? statistics.rarity(id) : isNumber || isWhole ? 0 : statistics.unknownRarity;
  const senses = id === undefined ? [] : [{ id, term, share: 1, weight: weight * rarity }];
  return { term, id, rarity, weight: weight * rarity, senses };
}

/** @param least the minimum weight of a synonym of a known term */
function withSynonyms(
  own: WeighedTerm,
  asked: QueryTerm | undefined,
  least: number,
  lexicon: Words,
  statistics: ViewStatistics,
): WeighedTerm {
  if (!asked || asked.synonyms.length === 0) return own;
  // A rare synonym must not outweigh the common word of the query.
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
): TermVariant[] {
  return synonyms.flatMap(({ term, share }) => {
    const id = lexicon.find(term);
    if (id === undefined || !statistics.has(id)) return [];
    return [{ id, term, share, weight: SYNONYM_WEIGHT * share * weight * Math.min(statistics.rarity(id), maxRarity) }];
  });
}

/** Adds corrected spellings to unknown terms. */
function corrected(terms: readonly WeighedTerm[], lexicon: Words, statistics: ViewStatistics): WeighedTerm[] {
  const rarityOf = (id: number): number | undefined => (statistics.has(id) ? statistics.rarity(id) : undefined);
  let left = MAX_CORRECTED_WORDS;
  return terms.map((term) => {
    if (term.senses.length > 0 || term.rarity === 0 || left-- <= 0) return term;
    const share = CORRECTION_SHARE;
    const senses = lexicon.spelling.correctionsOf(term.term, rarityOf).map((id): TermVariant => {
      const weight = (share * term.weight * statistics.rarity(id)) / term.rarity;
      return { id, term: lexicon.termOf(id), share, weight };
    });
    return { ...term, senses };
  });
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
