import { hashOfRun, RunBounds, scanRuns } from '../../text/scan-runs.js';
import { isAside } from '../../text/stop-words.js';
import { decomposedRuns, splitRun } from '../../text/tokenize.js';
import type { Lexicon } from '../index/lexicon.js';

export interface RunTerms {
  /** The parts that are not function words, or all parts if there are no others. */
  readonly parts: readonly number[];
  /** The function words that may change the meaning of a verb. */
  readonly asides: readonly number[];
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
      parts: (content.length > 0 ? content : parts).map(({ term }) => this.lexicon.add(term)),
      asides: parts.filter(isAside).map(({ term }) => this.lexicon.add(term)),
      isContent: content.length > 0,
      whole: whole === undefined ? undefined : this.lexicon.add(whole),
    };
    if (raw.length <= MAX_KNOWN_LENGTH) this.#known.add(raw, hash, terms);
    return terms;
  }
}

const MIN_PLACES = 128;
const MAX_KNOWN = 1 << 16;
/** At most half of the places are taken, so only runs chosen by an attacker share so long a sequence of places. */
const MAX_PROBES = 64;

interface KnownRun<Value> {
  readonly raw: string;
  readonly hash: number;
  readonly value: Value;
}

/**
 * A cache keyed by runs of letters and digits. Lookups compare the characters within a text, so a known run costs no
 * string. Entries may be dropped: a full table starts empty again, and of runs with colliding hashes at most 64 are
 * kept, so that no text can make it slow.
 */
export class TokenCache<Value> {
  // Open addressing: a run is stored in the first free place from the one that its hash selects.
  #places = freePlaces<Value>(MIN_PLACES);
  #known = 0;

  find(text: string, start: number, end: number, hash: number): Value | undefined {
    const places = this.#places;
    const mask = places.length - 1;
    let place = placeOf(hash) & mask;
    for (let probe = 0; probe < MAX_PROBES; probe++) {
      const known = places[place];
      if (!known) return undefined;
      if (known.hash === hash && standsAt(known.raw, text, start, end)) return known.value;
      place = (place + 1) & mask;
    }
    return undefined;
  }

  /** Adds the value of a run that is not in the table yet, if there is room. */
  add(raw: string, hash: number, value: Value): void {
    if (this.#known === MAX_KNOWN) this.#resize(MIN_PLACES, []);
    else if (2 * this.#known >= this.#places.length) this.#resize(2 * this.#places.length, this.#places);
    this.#put({ raw, hash, value });
  }

  #put(run: KnownRun<Value>): void {
    const mask = this.#places.length - 1;
    const first = placeOf(run.hash);
    for (let probe = 0; probe < MAX_PROBES; probe++) {
      const place = (first + probe) & mask;
      if (this.#places[place]) continue;
      this.#places[place] = run;
      this.#known += 1;
      return;
    }
  }

  #resize(places: number, runs: readonly (KnownRun<Value> | undefined)[]): void {
    this.#places = freePlaces(places);
    this.#known = 0;
    for (const run of runs) if (run) this.#put(run);
  }
}

function placeOf(hash: number): number {
  return hash ^ (hash >>> 15);
}

function freePlaces<Value>(count: number): (KnownRun<Value> | undefined)[] {
  return Array.from<KnownRun<Value> | undefined>({ length: count });
}

function standsAt(raw: string, text: string, start: number, end: number): boolean {
  if (raw.length !== end - start) return false;
  for (let i = 0; i < raw.length; i++) if (raw.charCodeAt(i) !== text.charCodeAt(start + i)) return false;
  return true;
}
