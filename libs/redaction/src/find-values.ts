import { cardsIn } from './numbers/cards.js';
import { emailsIn } from './emails.js';
import { type Finding, type RedactionCountry, type RedactionKind, withoutOverlaps } from './finding.js';
import { ibansIn } from './ibans.js';
import { nationalIdsIn } from './national-ids.js';
import { type NumberRun, numberRuns } from './numbers/number-runs.js';
import { PhoneFinder } from './numbers/phones.js';
import { assignmentsIn, awsSecretsIn, namedValuesIn } from './secrets/assignments.js';
import { knownSecretsIn, privateKeysIn } from './secrets/known-secrets.js';
import { urlPasswordsIn } from './secrets/url-passwords.js';
import { TableHeaders } from './table-headers.js';
import { TextView } from './text-view.js';

/** The kinds of values to find, and the countries whose forms count. */
export interface Search {
  readonly kinds: ReadonlySet<RedactionKind>;
  readonly countries: readonly RedactionCountry[];
}

/** Characters between two pauses. */
const STEP = 8192;

/**
 * The values in a text, in order and without overlaps. The work is linear in the length of the text: every rule reads a
 * part of bounded length around each place. May be paused at each `yield`.
 *
 * @param key the name of the member of JSON that holds the text
 */
export function* findValues(text: string, key: string, search: Search): Generator<undefined, readonly Finding[]> {
  const view = new TextView(text, yield* TableHeaders.read(text), key);
  const found: Record<RedactionKind, Finding[]> = {
    secret: [],
    email: [],
    phone: [],
    iban: [],
    card: [],
    'national-id': [],
  };
  const { kinds, countries } = search;
  const phones = new PhoneFinder(view, countries);
  let keysEnd = 0;
  if (kinds.has('secret')) found.secret.push(...namedValuesIn(view));
  for (let from = 0; from < text.length; from += STEP) {
    const to = Math.min(from + STEP, text.length);
    if (kinds.has('secret')) {
      for (const key of keysEnd < to ? privateKeysIn(text, Math.max(from, keysEnd), to) : []) {
        found.secret.push(key);
        keysEnd = key.end;
      }
      for (const rule of [knownSecretsIn, urlPasswordsIn, awsSecretsIn]) found.secret.push(...rule(text, from, to));
      found.secret.push(...assignmentsIn(view, from, to));
      yield;
    }
    if (kinds.has('iban')) found.iban.push(...ibansIn(text, from, to));
    if (kinds.has('email')) found.email.push(...emailsIn(text, from, to));
    if (kinds.has('national-id')) found['national-id'].push(...nationalIdsIn(view, countries, from, to));
    if (kinds.has('card') || kinds.has('phone')) {
      for (const run of numberRuns(text, from, to)) {
        const cards = kinds.has('card') ? [...cardsIn(view, run)] : [];
        found.card.push(...cards);
        if (!kinds.has('phone')) continue;
        for (const rest of withoutCards(run, cards)) found.phone.push(...phones.in(rest));
      }
    }
    yield;
  }
  // The order decides the kind of values that overlap: a phone number is the weakest guess.
  return withoutOverlaps(
    (['secret', 'iban', 'email', 'national-id', 'card', 'phone'] as const).flatMap((kind) => found[kind]),
  );
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
