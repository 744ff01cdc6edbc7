import { createHash } from 'node:crypto';
import type { ToolDefinition } from '../../../tool/tool-definition.js';
import { analysisStamp } from '../../text/analysis-stamp.js';
import { MAX_FIELD_WORDS } from '../../text/field-terms.js';
import { FIELD_WEIGHTS, SATURATION } from '../../text/field-weights.js';
import { type ToolText, toolText } from '../../text/tool-text.js';
import { ASK_WORDS, JOINING_WORDS, OPENING_VERBS, STOP_WORDS } from '../../text/stop-words.js';
import { stem } from '../../text/stem.js';
import type { Lexicon } from './lexicon.js';
import { TokenReader } from '../postings/token-reader.js';
import { GAP, MAX_IMPACT } from './segment.js';

/** 32 bits that change with tokens, stems, stop words, fields and weights: a stored index must have the same. */
export function analysisVersion(): number {
  version ??= createHash('sha256')
    .update(
      JSON.stringify([
        analysisStamp(),
        FIELD_WEIGHTS,
        SATURATION,
        MAX_SEQUENCE,
        MAX_NAME_WORDS,
        MAX_FIELD_WORDS,
        ASIDE_FREQUENCY,
        [STOP_WORDS, ASK_WORDS, JOINING_WORDS, OPENING_VERBS].map((words) => [...words]),
      ]),
    )
    .digest()
    .readUInt32LE();
  return version;
}

let version: number | undefined;

/** The weighted frequency of a function word of a name. */
export const ASIDE_FREQUENCY = 1;
const MAX_OPENING = 64;
const INTRODUCED: ReadonlySet<string> = new Set(['for', 'if', 'it', 'this', 'to', 'when']);
const MAX_SEQUENCE = 160;
const MAX_NAME_WORDS = 32;
const FIELDS = Object.keys(FIELD_WEIGHTS) as (keyof ToolText)[];

/** The analysis of one tool for ranking; terms are numbers of the lexicon. */
export interface ToolTerms {
  readonly terms: readonly number[];
  /** Per distinct term: its weighted frequency over all fields (BM25F), saturated. Depends on this tool alone. */
  readonly impacts: readonly number[];
  /** Terms of the name and of its action, then of the namespace, then name, title and description in their original word order. */
  readonly sequence: readonly number[];
  readonly nameLength: number;
  readonly namespaceLength: number;
}

/** Analyzes tools and adds their terms to a lexicon. Known runs and buffers are reused from one tool to the next. */
export class ToolAnalyzer {
  readonly #reader: TokenReader;
  // Sum per term for the current tool, 0 otherwise; grows with the lexicon.
  #frequencies = new Float64Array(128);
  #terms: number[] = [];
  // Function words of the current tool's name: they tell "turn_on" from "turn_off".
  #asides: readonly number[] = [];

  constructor(private readonly lexicon: Lexicon) {
    this.#reader = new TokenReader(lexicon);
  }

  analyze(tool: ToolDefinition): ToolTerms {
    const text = toolText(tool);
    this.#terms = [];
    this.#asides = [];
    const words: Partial<Record<keyof ToolText, readonly number[]>> = {};
    for (const field of FIELDS) if (text[field] !== '') words[field] = this.#addField(field, text[field]);
    for (const term of this.#asides) this.#count(term, ASIDE_FREQUENCY);
    const name = distinct([...(words.name ?? []), ...this.#asides, ...this.#openings(text)]);
    const namespace = distinct(words.namespace);
    const sequence = [...name, ...namespace];
    const end = sequence.length + MAX_SEQUENCE;
    for (const terms of [words.name, words.title, words.description]) {
      for (let i = 0; terms && i < terms.length && sequence.length < end; i++) sequence.push(terms[i] ?? GAP);
      if (terms && sequence.length < end) sequence.push(GAP);
    }
    const terms = this.#terms;
    const impacts = terms.map((term) => this.#takeImpact(term));
    return { terms, impacts, sequence, nameLength: name.length, namespaceLength: namespace.length };
  }

  /** The verbs with which title and description begin, if requests use them too; they count as words of the name. */
  #openings({ title, description }: ToolText): readonly number[] {
    return [title, description].flatMap((text) => {
      const [, opening = '', next = ''] =
        /(\p{L}+)\P{L}*(\p{L}*)/u.exec(text.slice(0, MAX_OPENING).toLowerCase()) ?? [];
      // "Use this to …" says nothing of what the tool does.
      const verb = INTRODUCED.has(next) ? '' : stem(opening);
      return OPENING_VERBS.has(verb) ? [this.lexicon.add(verb)] : [];
    });
  }

  #addField(field: keyof ToolText, text: string): readonly number[] {
    const runs = this.#reader.read(text);
    const isEmpty = !runs.some((run) => run.isContent);
    if (field === 'name' && !isEmpty) this.#asides = runs.flatMap((run) => run.asides);
    const terms: number[] = [];
    const wholes: number[] = [];
    for (const run of runs) {
      if (terms.length >= MAX_FIELD_WORDS) break;
      // A text with only function words ("who", "is it up") can only be found by these.
      if (!isEmpty && !run.isContent) continue;
      for (const term of run.parts) terms.push(term);
      if (run.whole !== undefined) wholes.push(run.whole);
    }
    const { weight, lengthNormalization: b, usualLength } = FIELD_WEIGHTS[field];
    const share = weight / (1 - b + (b * terms.length) / usualLength);
    for (const term of terms) this.#count(term, share);
    for (const whole of wholes) this.#count(whole, share);
    return terms;
  }

  #count(term: number, share: number): void {
    if (term >= this.#frequencies.length) {
      const larger = new Float64Array(2 * Math.max(term, this.lexicon.size));
      larger.set(this.#frequencies);
      this.#frequencies = larger;
    }
    const sum = this.#frequencies[term] ?? 0;
    if (sum === 0) this.#terms.push(term);
    this.#frequencies[term] = sum + share;
  }

  #takeImpact(term: number): number {
    const frequency = this.#frequencies[term] ?? 0;
    this.#frequencies[term] = 0;
    return impactOf(frequency);
  }
}

/** A weighted frequency after saturation, in the stored form: 1 to {@link MAX_IMPACT}. */
function impactOf(frequency: number): number {
  return Math.max(1, Math.round((MAX_IMPACT * frequency) / (SATURATION + frequency)));
}

function distinct(terms: readonly number[] = []): number[] {
  const found: number[] = [];
  for (const term of terms) {
    if (found.length === MAX_NAME_WORDS) break;
    if (!found.includes(term)) found.push(term);
  }
  return found;
}
