const K1 = 1.5;
const B = 0.75;

/** Inverse document frequency of a term that occurs in `having` of `all` texts. */
export type Idf = (all: number, having: number) => number;

/** Splits a text into terms. */
export type Tokenize = (text: string) => readonly string[];

interface Posting {
  readonly document: number;
  readonly count: number;
}

/**
 * BM25 over whole texts with k1 1.5 and b 0.75, as two of the peers implement it. They differ in tokens and in the idf.
 */
export class PlainBm25 {
  readonly #postings = new Map<string, Posting[]>();
  readonly #lengths: readonly number[];
  readonly #averageLength: number;

  constructor(
    texts: readonly string[],
    private readonly tokenize: Tokenize,
    private readonly idf: Idf,
  ) {
    this.#lengths = texts.map((text, document) => this.#add(document, tokenize(text)));
    this.#averageLength = this.#lengths.reduce((sum, length) => sum + length, 0) / Math.max(1, texts.length);
  }

  /** Scores by position, in the order in which the query's words first match them; a repeated word counts again. */
  scores(query: string): Map<number, number> {
    const scores = new Map<number, number>();
    for (const term of this.tokenize(query)) {
      const postings = this.#postings.get(term) ?? [];
      const idf = this.idf(this.#lengths.length, postings.length);
      for (const { document, count } of postings) {
        const length = (this.#lengths[document] ?? 0) / this.#averageLength;
        const score = (idf * (count * (K1 + 1))) / (count + K1 * (1 - B + B * length));
        scores.set(document, (scores.get(document) ?? 0) + score);
      }
    }
    return scores;
  }

  #add(document: number, terms: readonly string[]): number {
    const counts = new Map<string, number>();
    for (const term of terms) counts.set(term, (counts.get(term) ?? 0) + 1);
    for (const [term, count] of counts) {
      const postings = this.#postings.get(term);
      if (postings) postings.push({ document, count });
      else this.#postings.set(term, [{ document, count }]);
    }
    return terms.length;
  }
}
