const MIN_PLACES = 128;
const MAX_KNOWN = 1 << 16;
/** At most half of the places are taken, so only runs that were chosen for it share so long a row of them. */
const MAX_PROBES = 64;

interface KnownRun<Value> {
  readonly raw: string;
  readonly hash: number;
  readonly value: Value;
}

/**
 * What is known of runs of letters and digits. It is asked with the letters where they stand in a text, so a run that is known
 * costs no string. May forget or not keep any of them: when it is full it starts anew, and of runs that were made to meet in
 * one place it keeps 64, so that no text can make it slow.
 */
export class RunTable<Value> {
  // Open addressing: the place of a run is the first free one from that which its hash names.
  #places = freePlaces<Value>(MIN_PLACES);
  #known = 0;

  /** What is known of the run from `start` up to `end` of a text; undefined if nothing is. */
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

  /** Keeps what is known of a run that is not there yet, if there is room for it. */
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
