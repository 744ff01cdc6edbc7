import { cardsIn } from './numbers/cards.js';
import { emailsIn } from './emails.js';
import { type Finding, type RedactionCountry, type RedactionKind, withoutOverlaps } from './finding.js';
import { readings } from './folding/readings.js';
import { ibansIn } from './ibans.js';
import { nationalIdsIn } from './national-ids.js';
import { type NumberRun, numberRuns } from './numbers/number-runs.js';
import { PhoneFinder } from './numbers/phones.js';
import { assignmentsIn, awsSecretsIn, namedValuesIn } from './secrets/assignments.js';
import { knownSecretsIn, privateKeysIn } from './secrets/known-secrets.js';
import { urlPasswordsIn } from './secrets/url-passwords.js';
import type { TextView } from './text-view.js';

/** The kinds of values to find, and the countries whose forms count. */
export interface Search {
  readonly kinds: ReadonlySet<RedactionKind>;
  readonly countries: readonly RedactionCountry[];
}

/** Characters between two pauses. */
const STEP = 8192;
const LARGE_STEP = 4 * STEP;

/** The order decides the kind of values that overlap: a phone number is the weakest guess. */
const ORDER: readonly RedactionKind[] = ['secret', 'iban', 'email', 'national-id', 'card', 'phone'];

/**
 * The values in a text, in order and without overlaps. The work is linear in the length of the text: every rule reads a
 * part of bounded length around each place, in at most three readings of the text. May be paused at each `yield`.
 *
 * @param key the name of the member of JSON that holds the text
 */
export function* findValues(text: string, key: string, search: Search): Generator<undefined, readonly Finding[]> {
  const found: Finding[] = [];
  for (const { view, originOf } of yield* readings(text, key)) {
    for (const finding of yield* findIn(view, search)) {
      const origin = originOf(finding);
      if (origin) found.push({ ...origin, kind: finding.kind });
    }
  }
  return withoutOverlaps(ORDER.flatMap((kind) => found.filter((finding) => finding.kind === kind)));
}

/** The values in one reading of a text, in no order. */
function* findIn(view: TextView, { kinds, countries }: Search): Generator<undefined, readonly Finding[]> {
  const { text } = view;
  const found: Finding[] = kinds.has('secret') ? [...namedValuesIn(view)] : [];
  const phones = new PhoneFinder(view, countries);
  let keysEnd = 0;
  for (let from = 0; from < text.length; from += STEP) {
    const to = Math.min(from + STEP, text.length);
    if (kinds.has('secret')) {
      for (const key of keysEnd < to ? privateKeysIn(text, Math.max(from, keysEnd), to) : []) {
        found.push(key);
        keysEnd = key.end;
      }
      // This rule reads far behind the part, so its parts are larger.
      if (from % LARGE_STEP === 0) found.push(...knownSecretsIn(text, from, Math.min(from + LARGE_STEP, text.length)));
      for (const rule of [urlPasswordsIn, awsSecretsIn]) found.push(...rule(text, from, to));
      found.push(...assignmentsIn(view, from, to));
      yield;
    }
    if (kinds.has('iban')) found.push(...ibansIn(text, from, to));
    if (kinds.has('email')) found.push(...emailsIn(text, from, to));
    if (kinds.has('national-id')) found.push(...nationalIdsIn(view, countries, from, to));
    if (kinds.has('card') || kinds.has('phone')) {
      for (const run of numberRuns(text, from, to)) {
        const cards = kinds.has('card') ? [...cardsIn(view, run)] : [];
        found.push(...cards);
        if (!kinds.has('phone')) continue;
        for (const rest of withoutCards(run, cards)) found.push(...phones.in(rest));
      }
    }
    yield;
  }
  return found;
}

/** The parts of a run between its cards. */
function withoutCards(run: NumberRun, cards: readonly Finding[]): readonly NumberRun[] {
  if (cards.length === 0) return [run];
  const parts: NumberRun[] = [];
  let rest = run;
  for (const { start, end } of cards) {
    parts.push(rest.filter((group) => group.end <= start));
    rest = rest.filter((group) => group.start >= end);
  }
  return [...parts, rest].filter((part) => part.length > 0);
}
