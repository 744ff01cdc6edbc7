import type { ToolSet } from '../tool/tool-set.js';
import type { IndexedTools } from './indexed-tools.js';

/**
 * Word statistics over the visible tools alone. A frequency is counted when it is first asked for and then kept: a
 * request needs only a few of them.
 */
export class ViewStatistics {
  /** How many tools are visible. */
  readonly size: number;
  // Per term: its frequency + 1, 0 while it has not been counted; and its rarity, 0 while not worked out.
  readonly #counted: Uint32Array;
  readonly #rarities: Float64Array;
  readonly #isWhole: boolean;

  constructor(
    private readonly index: IndexedTools,
    private readonly visible: ToolSet,
  ) {
    const terms = index.starts.length - 1;
    this.size = visible.size;
    this.#isWhole = visible.size === index.snapshot.tools.length;
    this.#counted = new Uint32Array(this.#isWhole ? 0 : terms);
    this.#rarities = new Float64Array(terms);
  }

  /** In how many visible tools the term occurs. */
  frequency(term: number): number {
    const { starts, tools } = this.index;
    const start = starts[term] ?? 0;
    const end = starts[term + 1] ?? start;
    if (this.#isWhole) return end - start;
    const known = this.#counted[term] ?? 0;
    if (known > 0) return known - 1;
    let count = 0;
    for (let position = start; position < end; position++) if (this.visible.has(tools[position] ?? 0)) count += 1;
    this.#counted[term] = count + 1;
    return count;
  }

  /** BM25's inverse document frequency: the rarer a term is among the visible tools, the larger; always above 0. */
  rarity(term: number): number {
    const known = this.#rarities[term] ?? 0;
    if (known > 0) return known;
    const frequency = this.frequency(term);
    const rarity = Math.log(1 + (this.size - frequency + 0.5) / (frequency + 0.5));
    this.#rarities[term] = rarity;
    return rarity;
  }

  /** Bytes this object holds, for the cache that keeps it. */
  get bytes(): number {
    return 512 + this.#counted.byteLength + this.#rarities.byteLength;
  }
}
