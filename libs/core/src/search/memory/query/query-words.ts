import type { SearchState } from '../index/index-state.js';
import { GAP, type Segment } from '../index/segment.js';
import type { ViewStatistics } from './view-statistics.js';
import type { QueryPlan } from './query-plan.js';

// Bonus of 50 % if the query covers a tool's whole name; the namespace counts less.
const NAME_COVERAGE = 0.5;
const NAMESPACE_COVERAGE = 0.25;
// A tool of another kind of action ("delete_user" for "find a user") has to fit better by its words.
const OTHER_ACTION = 0.8;

/** The maximum of {@link QueryWords.coverage}. */
export const MAX_COVERAGE = (1 + NAME_COVERAGE) * (1 + NAMESPACE_COVERAGE);

/** Finds the words of a query in the sequences of tools; reused by one query after the other. */
export class QueryWords {
  // Per term of the lexicon: how well it represents a term of the query, 0 to 1.
  #shares = new Float32Array(0);
  // Per term of the lexicon: its position among the words of pairs, from 1; 0 for other terms.
  #positions = new Uint8Array(0);
  #pairWords: readonly number[] = [];
  #query: QueryPlan | undefined;
  // Verbs by their terms: whether they are of the kind that is asked for. Empty if no kind is.
  #verbs: ReadonlyMap<number, boolean> = new Map();
  // Per pair of positions: the weight of the pair, and the last tool in which it was found.
  #weights = new Float64Array(0);
  #found = new Uint32Array(0);
  #tool = 0;

  take(query: QueryPlan, lexiconSize: number): void {
    this.#forget();
    this.#query = query;
    if (this.#positions.length < lexiconSize) {
      this.#positions = new Uint8Array(lexiconSize + (lexiconSize >>> 2));
      this.#shares = new Float32Array(this.#positions.length);
    }
    for (const senses of [...query.meanings.map((group) => group.senses), query.asides]) {
      for (const { id, share } of senses) this.#shares[id] = Math.max(this.#shares[id] ?? 0, share);
    }
    this.#verbs = new Map(query.verbs);
    this.#pairWords = [...new Set(query.pairs.flatMap(({ first, second }) => [first, second]))];
    for (const [position, id] of this.#pairWords.entries()) this.#positions[id] = position + 1;
    const width = this.#pairWords.length + 1;
    this.#weights = new Float64Array(width * width);
    this.#found = new Uint32Array(width * width);
    this.#tool = 0;
    for (const { first, second, weight } of query.pairs) {
      this.#weights[(this.#positions[first] ?? 0) * width + (this.#positions[second] ?? 0)] = weight;
    }
  }

  /** The factor of a tool's score for the words of its name and namespace that the query has. */
  coverage(state: SearchState, statistics: ViewStatistics, slot: number): number {
    return coverageBy(state, slot, (segment, from, to) => this.#coveredShare(segment, statistics, from, to));
  }

  /** An upper bound of {@link coverage} that does not need the rarity of words, which a new view has to count. */
  coverageBound(state: SearchState, slot: number): number {
    return coverageBy(state, slot, ({ sequences }, from, to) => this.#largestShare(sequences, from, to));
  }

  /** The summed weight of the query's word pairs that are adjacent in the tool's name, title or description. */
  proximity(state: SearchState, slot: number): number {
    if (!this.#query || this.#query.pairs.length === 0) return 0;
    const { sequences, sequenceStarts, nameLengths, namespaceLengths } = state.segmentOf(slot);
    const tool = state.numberOf(slot);
    const width = this.#pairWords.length + 1;
    const skipped = (nameLengths[tool] ?? 0) + (namespaceLengths[tool] ?? 0);
    const end = sequenceStarts[tool + 1] ?? 0;
    this.#tool += 1;
    let total = 0;
    let previous = 0;
    for (let i = (sequenceStarts[tool] ?? 0) + skipped; i < end; i++) {
      const position = this.#positions[sequences[i] ?? GAP] ?? 0;
      if (previous !== 0 && position !== 0) {
        const pair = previous * width + position;
        if (this.#found[pair] !== this.#tool) total += this.#weights[pair] ?? 0;
        this.#found[pair] = this.#tool;
      }
      previous = position;
    }
    return total;
  }

  /** The factor, at most 1, of a tool's score whose name has verbs, but none of the kind that is asked for. */
  agreement(state: SearchState, slot: number): number {
    if (this.#verbs.size === 0) return 1;
    const { sequences, sequenceStarts, nameLengths } = state.segmentOf(slot);
    const tool = state.numberOf(slot);
    const start = sequenceStarts[tool] ?? 0;
    let isOther = false;
    for (let i = start; i < start + (nameLengths[tool] ?? 0); i++) {
      const isAsked = this.#verbs.get(sequences[i] ?? GAP);
      if (isAsked) return 1;
      isOther ||= isAsked === false;
    }
    return isOther ? OTHER_ACTION : 1;
  }

  #largestShare(sequences: Uint32Array, from: number, to: number): number {
    let largest = 0;
    for (let i = from; i < to; i++) largest = Math.max(largest, this.#shares[sequences[i] ?? GAP] ?? 0);
    return largest;
  }

  #forget(): void {
    for (const id of this.#pairWords) this.#positions[id] = 0;
    for (const { senses } of this.#query?.meanings ?? []) {
      for (const { id } of senses) this.#shares[id] = 0;
    }
    for (const { id } of this.#query?.asides ?? []) this.#shares[id] = 0;
  }

  #coveredShare(segment: Segment, statistics: ViewStatistics, from: number, to: number): number {
    // Mostly the query has none of the words; then their rarity is not needed.
    if (this.#largestShare(segment.sequences, from, to) === 0) return 0;
    let all = 0;
    let covered = 0;
    for (let i = from; i < to; i++) {
      const term = segment.sequences[i] ?? GAP;
      const rarity = statistics.rarity(term);
      all += rarity;
      covered += rarity * (this.#shares[term] ?? 0);
    }
    return all === 0 ? 0 : covered / all;
  }
}

/** @param shareOf the share of the words between two places of a sequence that the query has, 0 to 1 */
function coverageBy(
  state: SearchState,
  slot: number,
  shareOf: (segment: Segment, from: number, to: number) => number,
): number {
  const segment = state.segmentOf(slot);
  const tool = state.numberOf(slot);
  const start = segment.sequenceStarts[tool] ?? 0;
  const middle = start + (segment.nameLengths[tool] ?? 0);
  const end = middle + (segment.namespaceLengths[tool] ?? 0);
  const name = shareOf(segment, start, middle);
  const namespace = shareOf(segment, middle, end);
  return (1 + NAME_COVERAGE * name) * (1 + NAMESPACE_COVERAGE * namespace);
}
