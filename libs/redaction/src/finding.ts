/** Kinds of values that are removed. A kind stands in its own place of the text as `[kind]`. */
export const KINDS = ['secret', 'email', 'phone', 'iban', 'card', 'national-id'] as const;
/** One of {@link KINDS}. */
export type RedactionKind = (typeof KINDS)[number];

/** Countries with rules for phone numbers in their national form, or for national ids. ISO 3166-1, in lower case. */
export const COUNTRIES = ['at', 'br', 'ch', 'de', 'es', 'fr', 'gb', 'it', 'nl', 'pl', 'se', 'us'] as const;
/** One of {@link COUNTRIES}. */
export type RedactionCountry = (typeof COUNTRIES)[number];

/** A value in a text: `[start, end)` in UTF-16 units. */
export interface Finding {
  readonly start: number;
  readonly end: number;
  readonly kind: RedactionKind;
}

/** The findings in the order of the text. Those that overlap become one, of the kind of the first one given. */
export function withoutOverlaps(findings: readonly Finding[]): readonly Finding[] {
  const order = findings
    .map((finding, rank) => ({ ...finding, rank }))
    .toSorted((a, b) => a.start - b.start || a.rank - b.rank);
  const joined: (Finding & { readonly rank: number })[] = [];
  for (const next of order) {
    const last = joined.at(-1);
    if (last === undefined || last.end <= next.start) joined.push(next);
    else {
      const { kind, rank } = last.rank < next.rank ? last : next;
      joined[joined.length - 1] = { start: last.start, end: Math.max(last.end, next.end), kind, rank };
    }
  }
  return joined.map(({ start, end, kind }) => ({ start, end, kind }));
}
