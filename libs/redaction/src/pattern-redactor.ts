import type { RedactionCall, ResultRedactor, ResultText } from '@tool-search/core/source';
import { list, object, oneOf, type OptionsOf, parseOptions, TimeSlicer } from '@tool-search/core/internal';
import { COUNTRIES, type Finding, KINDS, type RedactionCountry } from './finding.js';
import { findValues, type Search } from './find-values.js';

/** The options of a {@link PatternRedactor}, with their defaults. */
export const patternRedactorOptions = object({
  /** Kinds of values that are removed. @default all kinds */
  kinds: list(oneOf(...KINDS)).default([...KINDS]),
  /** Countries whose national ids and national forms of phone numbers are known. @default all countries */
  countries: list(oneOf(...COUNTRIES)).default([...COUNTRIES]),
});

/** Settings of a {@link PatternRedactor}. */
export interface PatternRedactorOptions extends OptionsOf<typeof patternRedactorOptions> {}

const SLICE_MS = 5;
/** No value is shorter, and many texts of structured results are. */
const SHORTEST = 4;

/**
 * Finds credentials and personal data by their public forms, check digits and the words beside them, and puts the kind
 * in their place: `[secret]`, `[email]`, `[phone]`, `[iban]`, `[card]`, `[national-id]`. Nothing leaves the process.
 *
 * @throws ToolSearchError `INVALID_CONFIGURATION` for wrong options
 */
export class PatternRedactor implements ResultRedactor {
  readonly #search: Search;

  constructor(options: PatternRedactorOptions = {}) {
    const { kinds, countries } = parseOptions(patternRedactorOptions, options, 'PatternRedactor');
    this.#search = { kinds: new Set(kinds), countries: countries as readonly RedactionCountry[] };
  }

  /** @returns the texts without what was found */
  async redact(texts: readonly ResultText[], { signal }: Pick<RedactionCall, 'signal'>): Promise<readonly string[]> {
    const slicer = new TimeSlicer(SLICE_MS, signal);
    const redacted: string[] = [];
    let named = '';
    for (const { text, key } of texts) {
      // `{ "name": "DB_PASSWORD", "value": … }`
      redacted.push(await this.#redact(text, /^val(?:ue)?$/i.test(key) ? named || key : key, slicer));
      if (/^(?:name|key|field|variable|label|env)$/i.test(key)) named = text;
    }
    return redacted;
  }

  /**
   * Returns the values in a text, in order and without overlaps.
   *
   * @param key the name of the member of JSON that holds the text, if it is the value of one
   */
  async find(text: string, key = '', signal?: AbortSignal): Promise<readonly Finding[]> {
    return new TimeSlicer(SLICE_MS, signal).run(findValues(text, key, this.#search));
  }

  async #redact(text: string, key: string, slicer: TimeSlicer): Promise<string> {
    if (text.length < SHORTEST) return text;
    const found = await slicer.run(findValues(text, key, this.#search));
    const parts: string[] = [];
    let from = 0;
    for (const { start, end, kind } of found) {
      parts.push(text.slice(from, start), `[${kind}]`);
      from = end;
    }
    return parts.join('') + text.slice(from);
  }
}
