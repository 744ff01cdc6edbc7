import { randomBytes } from 'node:crypto';
import { withoutDiacritics } from './without-diacritics.js';

/** Where the runs of a text are; buffers that one text after the other fills. */
export class RunBounds {
  /** Runs found. */
  count = 0;
  starts = new Int32Array(64);
  ends = new Int32Array(64);
  /** 32 bits for each run; equal runs have equal ones. */
  hashes = new Int32Array(64);

  add(start: number, end: number, hash: number): void {
    if (this.count === this.starts.length) {
      this.starts = doubled(this.starts);
      this.ends = doubled(this.ends);
      this.hashes = doubled(this.hashes);
    }
    this.starts[this.count] = start;
    this.ends[this.count] = end;
    this.hashes[this.count++] = hash;
  }
}

/** What a run is made of: words, joined by apostrophes and hyphens. */
export const RUN = /[\p{L}\p{N}\p{M}_]+(?:['’-][\p{L}\p{N}\p{M}_]+)*/gu;

const UNKNOWN = 0;
const BREAK = 1;
const LETTER = 2;
const JOINER = 3;
// Needs the text around it to be understood, or is a letter beyond ASCII.
const OTHER = 4;

// Kinds of the characters that names, prose and typography are made of, worked out when they are first met.
const KINDS = new Uint8Array(0x3000);

// FNV-1a
// Drawn anew in every process, so that nobody can prepare words that all meet in one place.
const SEED = randomBytes(4).readInt32LE();
const PRIME = 0x0100_0193;

/**
 * Finds what {@link RUN} matches in a text after compatibility decomposition, many times as fast. Says false when the text
 * has characters for which that takes more than looking at each alone: then the bounds mean nothing.
 */
export function scanRuns(text: string, bounds: RunBounds): boolean {
  bounds.count = 0;
  const { length } = text;
  let start = -1;
  let hash = SEED;
  for (let i = 0; i < length; i++) {
    const code = text.charCodeAt(i);
    const kind = kindOf(code);
    if (kind === LETTER) {
      if (start < 0) {
        start = i;
        hash = SEED;
      }
    } else if (kind === OTHER) {
      return false;
    } else if (start < 0) {
      continue;
    } else if (kind !== JOINER || i + 1 === length || kindOf(text.charCodeAt(i + 1)) !== LETTER) {
      bounds.add(start, i, hash);
      start = -1;
      continue;
    }
    hash = Math.imul(hash ^ code, PRIME);
  }
  if (start >= 0) bounds.add(start, length, hash);
  return true;
}

/** The hash that {@link scanRuns} gives this run. */
export function hashOfRun(run: string): number {
  let hash = SEED;
  for (let i = 0; i < run.length; i++) hash = Math.imul(hash ^ run.charCodeAt(i), PRIME);
  return hash;
}

function kindOf(code: number): number {
  if (code >= KINDS.length) return OTHER;
  const known = KINDS[code] ?? UNKNOWN;
  return known === UNKNOWN ? (KINDS[code] = classify(String.fromCharCode(code))) : known;
}

function classify(character: string): number {
  if (/^\w$/.test(character)) return LETTER;
  if (/^['’-]$/.test(character)) return JOINER;
  // Neither it nor what it stands for (`…` for three dots) is part of a run, or goes with what is beside it (a diacritic).
  const plain = withoutDiacritics(character);
  return plain !== '' && /^[^\p{L}\p{N}\p{M}_'’-]+$/u.test(character + plain) ? BREAK : OTHER;
}

function doubled(array: Int32Array): Int32Array<ArrayBuffer> {
  const larger = new Int32Array(2 * array.length);
  larger.set(array);
  return larger;
}
