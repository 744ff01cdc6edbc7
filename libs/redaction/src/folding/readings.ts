import { type Columns, TableHeaders } from '../table-headers.js';
import { TextView } from '../text-view.js';
import { decodedAddresses } from './addresses.js';
import { fold } from './fold.js';
import type { Span } from './folded-text.js';

/** A text as it may be meant, in one spelling, and how to find its parts in the original. */
export interface Reading {
  readonly view: TextView;
  /** Where a part stands in the original; undefined for a part that another reading is for. */
  readonly originOf: (part: Span) => Span | undefined;
}

/**
 * The ways to read a text: folded, with characters that nobody sees dropped; if these stand between letters and digits,
 * also as separators; if addresses have escaped characters, these addresses decoded. May be paused at each `yield`.
 *
 * @param key the name of the member of JSON that holds the text
 */
export function* readings(text: string, key: string): Generator<undefined, readonly Reading[]> {
  const { folded, isAmbiguous } = yield* fold(text);
  const name = (yield* fold(key)).folded.text;
  const headers = yield* TableHeaders.read(folded.text);
  const found: Reading[] = [
    { view: new TextView(withoutTabs(folded.text, headers), headers, name), originOf: (part) => folded.spanOf(part) },
  ];
  if (isAmbiguous) {
    const separated = (yield* fold(text, 'separates')).folded;
    const own = yield* TableHeaders.read(separated.text);
    found.push({
      view: new TextView(withoutTabs(separated.text, own), own, name),
      originOf: (part) => separated.spanOf(part),
    });
  }
  const decoded = yield* decodedAddresses(folded.text);
  if (decoded.addresses.length === 0) return found;
  const again = (yield* fold(decoded.folded.text)).folded;
  const placeOf = (part: Span) => decoded.folded.spanOf(again.spanOf(part));
  const columns: Columns = { of: (at) => headers.of(placeOf({ start: at, end: at + 1 }).start), below: () => [] };
  found.push({
    view: new TextView(again.text, columns, name),
    originOf: (part) => (touches(decoded.addresses, again.spanOf(part)) ? folded.spanOf(placeOf(part)) : undefined),
  });
  return found;
}

/** Tabs between values are blanks, except between the cells of a table. */
function withoutTabs(text: string, headers: TableHeaders): string {
  if (!text.includes('\t')) return text;
  return text.replaceAll('\t', (tab, at: number) => (headers.hasRow(at) ? tab : ' '));
}

/** Whether a part touches one of the spans, which are in order. */
function touches(spans: readonly Span[], { start, end }: Span): boolean {
  let [low, high] = [0, spans.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((spans[middle]?.end ?? Infinity) <= start) low = middle + 1;
    else high = middle;
  }
  return (spans[low]?.start ?? Infinity) < end;
}
