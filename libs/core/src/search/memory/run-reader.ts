import { hashOfRun, RunBounds, scanRuns } from '../text/scan-runs.js';
import { decomposedRuns, splitRun } from '../text/tokenize.js';
import type { Lexicon } from './lexicon.js';

/** A run of letters and digits in terms of a lexicon. */
export interface RunTerms {
  /** The parts that carry meaning, or all of them if none does. */
  readonly parts: readonly number[];
  readonly isContent: boolean;
  /** The parts joined into one; undefined for a single word. */
  readonly whole: number | undefined;
}

interface KnownRun {
  readonly raw: string;
  readonly hash: number;
  readonly terms: RunTerms;
}

const MIN_PLACES = 1_024;
const MAX_KNOWN = 1 << 16;
const MAX_KNOWN_LENGTH = 64;

/**
 * Reads texts in terms of a lexicon. A catalog says few words often, so runs are kept in a hash table that is asked with the
 * letters where they stand in the text: a run that is known costs no string. A table that is full starts anew.
 */
export class RunReader {
  readonly #bounds = new RunBounds();
  // Open addressing: the place of a run is the first free one from that which its hash names.
  #places = freePlaces(MIN_PLACES);
  #known = 0;

  constructor(private readonly lexicon: Lexicon) {}

  /** The runs of a text, in order; those without a word are left out. */
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
    const place = this.#placeOf(text, start, end, hash);
    return this.#places[place]?.terms ?? this.#add(text.slice(start, end), hash);
  }

  #placeOf(text: string, start: number, end: number, hash: number): number {
    const mask = this.#places.length - 1;
    let place = (hash ^ (hash >>> 15)) & mask;
    for (;;) {
      const known = this.#places[place];
      if (!known || (known.hash === hash && standsAt(known.raw, text, start, end))) return place;
      place = (place + 1) & mask;
    }
  }

  #add(raw: string, hash: number): RunTerms {
    const { parts, content, whole } = splitRun(raw);
    const terms: RunTerms = {
      parts: (content.length > 0 ? content : parts).map((part) => this.lexicon.add(part.term)),
      isContent: content.length > 0,
      whole: whole === undefined ? undefined : this.lexicon.add(whole),
    };
    if (raw.length > MAX_KNOWN_LENGTH) return terms;
    if (this.#known === MAX_KNOWN) this.#resize(MIN_PLACES, []);
    else if (2 * this.#known >= this.#places.length) this.#resize(2 * this.#places.length, this.#places);
    this.#put({ raw, hash, terms });
    return terms;
  }

  #put(run: KnownRun): void {
    this.#places[this.#placeOf(run.raw, 0, run.raw.length, run.hash)] = run;
    this.#known += 1;
  }

  #resize(places: number, runs: readonly (KnownRun | undefined)[]): void {
    this.#places = freePlaces(places);
    this.#known = 0;
    for (const run of runs) if (run) this.#put(run);
  }
}

function freePlaces(count: number): (KnownRun | undefined)[] {
  return Array.from({ length: count }, () => undefined);
}

function standsAt(raw: string, text: string, start: number, end: number): boolean {
  if (raw.length !== end - start) return false;
  for (let i = 0; i < raw.length; i++) if (raw.charCodeAt(i) !== text.charCodeAt(start + i)) return false;
  return true;
}
