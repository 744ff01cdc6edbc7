import { RecentMap } from '../../collections/recent-map.js';
import { RUN, RunBounds, scanRuns } from './scan-runs.js';
import { stem } from './stem.js';
import { STOP_WORDS } from './stop-words.js';
import { withoutDiacritics } from './without-diacritics.js';

/** One word of a text as it is matched. */
export interface Token {
  /** What is compared: lower-case, without diacritics, stemmed. */
  readonly term: string;
  /** The word as it reads in the text, lower-case. */
  readonly word: string;
  /** English function word. */
  readonly stop: boolean;
}

/**
 * A run of letters and digits: the words it splits into, and, if it is more than one word (`createIssue`, `e-mail`,
 * `s3`), the words joined into one, so that other spellings of the same identifier meet it.
 */
export interface Run {
  readonly parts: readonly Token[];
  /** The parts that carry meaning: no function words. */
  readonly content: readonly Token[];
  readonly whole?: string;
}

// Written without spaces between words, so neighbouring pairs of characters stand for words.
const UNSPACED =
  '\\p{scx=Han}\\p{scx=Hiragana}\\p{scx=Katakana}\\p{scx=Hangul}\\p{scx=Thai}\\p{scx=Lao}\\p{scx=Khmer}\\p{scx=Myanmar}';

// In this order: unspaced scripts; a plural acronym (`PRs`); an acronym before a word (`HTML|Parser`); a word; digits; the rest.
const PIECE = new RegExp(
  `[${UNSPACED}]+|\\p{Lu}{2,}s(?!\\p{Ll})|\\p{Lu}+(?!\\p{Ll})|\\p{Lu}?\\p{Ll}+|\\p{N}+|(?:(?![${UNSPACED}])[\\p{Lt}\\p{Lm}\\p{Lo}\\p{M}])+`,
  'gu',
);
const IS_UNSPACED = new RegExp(`^[${UNSPACED}]`, 'u');

const MAX_WORD = 64;
const runs = new RecentMap<string, Run>(10_000);
const bounds = new RunBounds();

/** Splits a text into runs, in order. Any text with a letter or digit gives at least one. */
export function tokenize(text: string): Run[] {
  const found: Run[] = [];
  for (const raw of rawRuns(text)) {
    const run = cachedRun(raw);
    if (run.parts.length > 0) found.push(run);
  }
  return found;
}

function rawRuns(text: string): readonly string[] {
  if (!scanRuns(text, bounds)) return decomposedRuns(text);
  return Array.from({ length: bounds.count }, (_, run) => text.slice(bounds.starts[run], bounds.ends[run]));
}

/** The runs of any text as they stand in it, without diacritics; {@link splitRun} reads one. */
export function decomposedRuns(text: string): readonly string[] {
  return withoutDiacritics(text).match(RUN) ?? [];
}

function cachedRun(raw: string): Run {
  const known = runs.get(raw);
  if (known) return known;
  const run = splitRun(raw);
  if (raw.length <= MAX_WORD) runs.set(ownCopy(raw), run);
  return run;
}

// A part of a string keeps the whole of it alive; a cached word must not do that to a description.
function ownCopy(text: string): string {
  return Buffer.from(text).toString();
}

/** The words of one run. */
export function splitRun(raw: string): Run {
  const pieces =
    (raw.length <= MAX_WORD ? ownCopy(raw) : raw)
      .replace(/['’]s$/, '')
      .replace(/['’]/g, '')
      .match(PIECE) ?? [];
  const parts: Token[] = [];
  for (const piece of pieces) {
    if (IS_UNSPACED.test(piece)) parts.push(...pairsOf(piece));
    else if (pieces.length === 1 || piece.length > 1 || /\p{N}/u.test(piece)) parts.push(token(piece));
  }
  if (pieces.length < 2 || pieces.some((piece) => IS_UNSPACED.test(piece))) return runOf(parts);
  const whole = pieces.join('').toLowerCase();
  // `x_y`: nothing but single letters, so the identifier is the word.
  if (parts.length === 0) return runOf([token(whole)]);
  return whole.length > MAX_WORD ? runOf(parts) : { ...runOf(parts), whole: stem(whole) };
}

function runOf(parts: readonly Token[]): Run {
  return { parts, content: parts.some((part) => part.stop) ? parts.filter((part) => !part.stop) : parts };
}

function token(piece: string): Token {
  const word = piece.length > MAX_WORD ? ownCopy(piece.slice(0, MAX_WORD).toLowerCase()) : piece.toLowerCase();
  return { term: stem(word), word, stop: STOP_WORDS.has(word) };
}

function pairsOf(piece: string): Token[] {
  const characters = Array.from(piece.toLowerCase());
  if (characters.length < 3) return [{ term: characters.join(''), word: piece, stop: false }];
  const word = characters.slice(0, MAX_WORD).join('');
  return characters
    .slice(1)
    .map((character, before) => ({ term: `${characters[before]}${character}`, word, stop: false }));
}
