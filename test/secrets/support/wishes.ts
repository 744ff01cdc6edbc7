import { type AnswerKind, ANSWERS, type CallersMethod, FAILURES, saidIn } from './answers.js';
import { ALL_ENCODINGS, type Encoding, ENCODINGS, PLAIN } from './encodings.js';
import { labelOf, type Place, placesOf, planted } from './places.js';

/** Where and how a server says the credential that it was sent. A caller wishes for one by its number. */
export interface Wish {
  readonly kind: string;
  /** Absent: in every value. */
  readonly place?: Place;
  readonly encoding: Encoding;
}

/**
 * For each request of callers: each place of each kind of answer by itself, and all places in each encoding. Of failures,
 * which are alike for all requests, all of that for calls alone.
 */
export const WISHES = Object.fromEntries(
  Object.entries(ANSWERS).map(([method, kinds]) => [method, wishesFor(method, kinds)]),
) as Readonly<Record<CallersMethod, readonly Wish[]>>;

function wishesFor(method: string, kinds: Readonly<Record<string, AnswerKind>>): readonly Wish[] {
  return Object.entries(kinds).flatMap(([kind, answer]) => {
    if (kind in FAILURES && method !== 'tools/call') return [{ kind, encoding: PLAIN }];
    return allWishes(kind, answer);
  });
}

function allWishes(kind: string, answer: AnswerKind): readonly Wish[] {
  return [
    ...placesOf(saidIn(answer)).map((place): Wish => ({ kind, place, encoding: PLAIN })),
    ...ALL_ENCODINGS.map((encoding): Wish => ({ kind, encoding })),
  ];
}

/** The answer that a wish asks for. */
export function answerTo(method: CallersMethod, wish: Wish, credential: string): AnswerKind {
  const kinds: Readonly<Record<string, AnswerKind>> = ANSWERS[method];
  const answer = kinds[wish.kind]!;
  const said = planted(saidIn(answer), ENCODINGS[wish.encoding](credential), wish.place);
  if ('result' in answer) return { result: said };
  if ('error' in answer) return { error: said };
  return 'status' in answer ? { ...answer, ...said } : { ...answer, params: said };
}

/** How a test calls a wish. */
export function labelOfWish(method: string, { kind, place, encoding }: Wish): string {
  return `${method}, ${kind}, ${place ? labelOf(place) : encoding}`;
}
