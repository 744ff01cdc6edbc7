import { hashOfRun, RunBounds, scanRuns } from '../../text/scan-runs.js';
import { decomposedRuns, splitRun } from '../../text/tokenize.js';
import type { Lexicon } from '../index/lexicon.js';
import { TokenCache } from './token-cache.js';

/** A run of letters and digits as term numbers of a lexicon. */
export interface RunTerms {
  /** The parts that are not function words, or all parts if there are no others. */
  readonly parts: readonly number[];
  readonly isContent: boolean;
  /** The parts joined into one term; undefined for a single word. */
  readonly whole: number | undefined;
}

const MAX_KNOWN_LENGTH = 64;

/** Converts texts to term numbers of a lexicon. A catalog repeats the same words often, so known runs are cached. */
export class TokenReader {
  readonly #bounds = new RunBounds();
  readonly #known = new TokenCache<RunTerms>();

  constructor(private readonly lexicon: Lexicon) {}

  /** The runs of a text, in order; runs without a word are left out. */
  read(text: string): readonly RunTerms[] {
    const found: RunTerms[] = [];
    if (scanRuns(text, this.#bounds)) {
      const { count, starts, ends, hashes } = this.#bounds;
      for (let run = 0; run < count; run++) {
        const terms = this.#termsOf(text, starts[run] ?? 0, ends[run] ?? 0, hashes[run] ?? 0);
        if (terms.parts.length > 0) found.push(terms);
      }
      return found;
    }
    for (const raw of decomposedRuns(text)) {
      const terms = this.#termsOf(raw, 0, raw.length, hashOfRun(raw));
      if (terms.parts.length > 0) found.push(terms);
    }
    return found;
  }

  #termsOf(text: string, start: number, end: number, hash: number): RunTerms {
    return this.#known.find(text, start, end, hash) ?? this.#add(text.slice(start, end), hash);
  }

  #add(raw: string, hash: number): RunTerms {
    const { parts, content, whole } = splitRun(raw);
    const terms: RunTerms = {
      parts: (content.length > 0 ? content : parts).map((part) => this.lexicon.add(part.term)),
      isContent: content.length > 0,
      whole: whole === undefined ? undefined : this.lexicon.add(whole),
    };
    if (raw.length <= MAX_KNOWN_LENGTH) this.#known.add(raw, hash, terms);
    return terms;
  }
}
