import { ownText } from '../../collections/own-text.js';
import { RecentMap } from '../../collections/recent-map.js';
import { RUN, RunBounds, scanRuns, withoutDiacritics } from './scan-runs.js';
import { stem } from './stem.js';
import { STOP_WORDS } from './stop-words.js';

export interface Token {
  /** The form that is compared: lower-case, without diacritics, stemmed. */
  readonly term: string;
  /** The word as it is in the text, but lower-case. */
  readonly word: string;
  readonly stop: boolean;
}

/**
 * A run of letters and digits, split into words. If it has more than one (`createIssue`, `e-mail`, `s3`), `whole` joins
 * them into one term, so that other spellings of the same identifier match it.
 */
export interface Run {
  readonly parts: readonly Token[];
  /** The parts that are not function words. */
  readonly content: readonly Token[];
  readonly whole?: string;
}

// Scripts written without spaces between words; pairs of adjacent characters replace words.
const UNSPACED =
  '\\p{scx=Han}\\p{scx=Hiragana}\\p{scx=Katakana}\\p{scx=Hangul}\\p{scx=Thai}\\p{scx=Lao}\\p{scx=Khmer}\\p{scx=Myanmar}';

// Alternatives in order: unspaced scripts; a plural acronym (`PRs`); an acronym before a word (`HTML|Parser`); a word;
// digits; other characters.
const PIECE = new RegExp(
  `[${UNSPACED}]+|\\p{Lu}{2,}s(?!\\p{Ll})|\\p{Lu}+(?!\\p{Ll})|\\p{Lu}?\\p{Ll}+|\\p{N}+|(?:(?![${UNSPACED}])[\\p{Lt}\\p{Lm}\\p{Lo}\\p{M}])+`,
  'gu',
);
const PLAIN_WORD = /^[a-z]+$/;
const IS_UNSPACED = new RegExp(`^[${UNSPACED}]`, 'u');
const MAX_WORD = 64;
const runs = new RecentMap<Run>(10_000);
const bounds = new RunBounds();

/** Splits a text into runs, in order. A text with a letter or digit has at least one. */
export function tokenize(text: string): Run[] {
  const found: Run[] = [];
  for (const raw of rawRuns(text)) {
    const run = splitRun(raw);
    if (run.parts.length > 0) found.push(run);
  }
  return found;
}

function rawRuns(text: string): readonly string[] {
  if (!scanRuns(text, bounds)) return decomposedRuns(text);
  return Array.from({ length: bounds.count }, (_, run) => text.slice(bounds.starts[run], bounds.ends[run]));
}

/** The runs of any text, without diacritics; {@link splitRun} splits one into words. */
export function decomposedRuns(text: string): readonly string[] {
  return withoutDiacritics(text).match(RUN) ?? [];
}

/** Splits one run into words. Catalogs and queries repeat the same runs often, so short ones are cached. */
export function splitRun(raw: string): Run {
  const known = runs.get(raw);
  if (known) return known;
  if (raw.length > MAX_WORD) return newRun(raw);
  const own = ownText(raw);
  const run = newRun(own);
  runs.set(own, run);
  return run;
}

function newRun(raw: string): Run {
  // Most runs are plain words, and the expressions below are slow.
  if (raw.length <= MAX_WORD && PLAIN_WORD.test(raw)) return runOf([token(raw)]);
  const pieces =
    raw
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
  // `x_y` has only single letters, so the whole identifier is the word.
  if (parts.length === 0) return runOf([token(whole)]);
  return whole.length > MAX_WORD ? runOf(parts) : { ...runOf(parts), whole: stem(whole) };
}

function runOf(parts: readonly Token[]): Run {
  return { parts, content: parts.some((part) => part.stop) ? parts.filter((part) => !part.stop) : parts };
}

function token(piece: string): Token {
  const word = piece.length > MAX_WORD ? ownText(piece.slice(0, MAX_WORD).toLowerCase()) : piece.toLowerCase();
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
