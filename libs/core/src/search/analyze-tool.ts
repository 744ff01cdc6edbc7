import type { ToolDefinition } from '../tool/tool-definition.js';
import { FIELD_WEIGHTS, SATURATION } from './field-weights.js';
import type { Lexicon } from './lexicon.js';
import { tokenize } from './tokenize.js';
import { type ToolText, toolText } from './tool-text.js';

/** Impacts are stored in 16 bits; this one stands for a term that saturates a tool completely. */
export const MAX_IMPACT = 65_535;

/** Separates texts in a sequence, so that no pair of words reaches over the gap. */
export const GAP = 0;

const MAX_FIELD_WORDS = 2_000;
const MAX_SEQUENCE = 160;
const MAX_NAME_WORDS = 32;

/** What the ranking needs to know of one tool; terms are numbers of the lexicon. */
export interface ToolTerms {
  /** Term to its weighted frequency over all fields (BM25F). Depends on this tool alone. */
  readonly frequencies: ReadonlyMap<number, number>;
  /** Terms of the name, then of the namespace, then name, title and description as they are read. */
  readonly sequence: readonly number[];
  readonly nameLength: number;
  readonly namespaceLength: number;
}

/** Analyzes one tool, adding its terms to the lexicon. */
export function analyzeTool(tool: ToolDefinition, lexicon: Lexicon): ToolTerms {
  const text = toolText(tool);
  const frequencies = new Map<number, number>();
  const words: Partial<Record<keyof ToolText, number[]>> = {};
  for (const field of Object.keys(FIELD_WEIGHTS) as (keyof ToolText)[]) {
    if (text[field] !== '') words[field] = addField(field, text[field], lexicon, frequencies);
  }
  const name = [...new Set(words.name)].slice(0, MAX_NAME_WORDS);
  const namespace = [...new Set(words.namespace)].slice(0, MAX_NAME_WORDS);
  const read = [words.name, words.title, words.description].flatMap((terms) => (terms ? [...terms, GAP] : []));
  return {
    frequencies,
    sequence: [...name, ...namespace, ...read.slice(0, MAX_SEQUENCE)],
    nameLength: name.length,
    namespaceLength: namespace.length,
  };
}

/** A weighted frequency after saturation, as it is stored: 1 to {@link MAX_IMPACT}. */
export function impactOf(frequency: number): number {
  return Math.max(1, Math.round((MAX_IMPACT * frequency) / (SATURATION + frequency)));
}

function addField(field: keyof ToolText, text: string, lexicon: Lexicon, frequencies: Map<number, number>): number[] {
  const terms: number[] = [];
  const wholes: number[] = [];
  const runs = tokenize(text);
  // Of a text of nothing but function words ("who", "is it up") those are all there is to find it by.
  const isEmpty = runs.every((run) => run.content.length === 0);
  for (const run of runs) {
    if (terms.length >= MAX_FIELD_WORDS) break;
    for (const part of isEmpty ? run.parts : run.content) terms.push(lexicon.add(part.term));
    if (run.whole !== undefined && (isEmpty || run.content.length > 0)) wholes.push(lexicon.add(run.whole));
  }
  const { weight, lengthNormalization: b, usualLength } = FIELD_WEIGHTS[field];
  const share = weight / (1 - b + (b * terms.length) / usualLength);
  for (const term of terms) frequencies.set(term, (frequencies.get(term) ?? 0) + share);
  for (const whole of wholes) frequencies.set(whole, (frequencies.get(whole) ?? 0) + share);
  return terms;
}
