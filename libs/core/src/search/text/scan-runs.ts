import { randomBytes } from 'node:crypto';

/** Positions of the runs of a text. The buffers are reused for one text after the other. */
export class RunBounds {
  count = 0;
  starts = new Int32Array(64);
  ends = new Int32Array(64);
  /** A 32-bit hash of each run. */
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

/** A run: words, joined by apostrophes and hyphens. */
export const RUN = /[\p{L}\p{N}\p{M}_]+(?:['’-][\p{L}\p{N}\p{M}_]+)*/gu;
const UNKNOWN = 0;
const BREAK = 1;
const LETTER = 2;
const JOINER = 3;
// A character that depends on its neighbours, or a letter beyond ASCII.
const OTHER = 4;
// Kinds of the characters below U+3000, classified on first use.
const KINDS = new Uint8Array(0x3000);
// FNV-1a, with a random seed for each process, so that an attacker cannot prepare words whose hashes collide.
const SEED = randomBytes(4).readInt32LE();
const PRIME = 0x0100_0193;

/**
 * Finds the matches of {@link RUN} in a text after compatibility decomposition, many times faster than the expression.
 * Returns false if the text has characters that cannot be classified one by one; the bounds are then meaningless.
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

/** The hash that {@link scanRuns} computes for this run. */
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
  // A break: neither the character nor its decomposition (`…` becomes three dots) is part of a run or modifies its
  // neighbour (as a diacritic does).
  const plain = withoutDiacritics(character);
  return plain !== '' && /^[^\p{L}\p{N}\p{M}_'’-]+$/u.test(character + plain) ? BREAK : OTHER;
}

function doubled(array: Int32Array): Int32Array<ArrayBuffer> {
  const larger = new Int32Array(2 * array.length);
  larger.set(array);
  return larger;
}

// Latin, Greek and Cyrillic diacritics, Hebrew and Arabic points, and invisible characters. Vowel signs of other
// scripts stay: they are letters.
const UNREAD = new RegExp(
  ['[\\u0300-\\u036f]', '[\\u0591-\\u05c7]', '[\\u064b-\\u0652]', '[\\ufe00-\\ufe0f]', '\\p{Cf}'].join('|'),
  'gu',
);

/** Normalizes a text to compatibility form (NFKC), without diacritics and invisible characters. */
export function withoutDiacritics(text: string): string {
  // NFC recomposes Hangul syllables and voiced kana, which NFKD decomposes.
  return text.normalize('NFKD').replace(UNREAD, '').normalize('NFC');
}
