import { fieldTerms } from '../../text/field-terms.js';
import { FIELD_WEIGHTS } from '../../text/field-weights.js';
import { type ToolText, toolText } from '../../text/tool-text.js';
import type { ScorePart } from '../../tool-index.js';
import { isAside } from '../../text/stop-words.js';
import { tokenize } from '../../text/tokenize.js';
import { ASIDE_FREQUENCY } from '../index/analyze-tool.js';
import type { SearchState } from '../index/index-state.js';
import { impactIn, MAX_IMPACT } from '../index/segment.js';
import type { TermGroup, TermVariant, QueryPlan } from './query-plan.js';

export interface ScoreBuild {
  /** The factor applied to the word score. */
  readonly coverage: number;
  /** The factor for the kind of action, at most 1. */
  readonly agreement: number;
  /** The amount added for adjacent words. */
  readonly proximity: number;
  /** The divisor of the total. */
  readonly ceiling: number;
}

/** The parts of a tool's score, largest first; apart from rounding they add up to it. */
export function explainScore(state: SearchState, query: QueryPlan, slot: number, build: ScoreBuild): ScorePart[] {
  const { coverage, agreement, proximity, ceiling } = build;
  const parts: ScorePart[] = [];
  const text = fieldFrequencies(toolText(state.snapshot.at(state.idOf(slot))));
  for (const meaning of query.meanings) {
    const best = bestSense(state, meaning, slot);
    if (!best) continue;
    const { sense, gain } = best;
    const word = query.words.find(({ meanings }) => meanings.includes(meaning))?.word ?? meaning.term;
    const frequencies = text.map(({ field, frequencies: own }) => [field, own.get(sense.term) ?? 0] as const);
    const all = frequencies.reduce((sum, [, frequency]) => sum + frequency, 0);
    for (const [field, frequency] of frequencies) {
      if (frequency === 0) continue;
      parts.push({
        field,
        ...(word !== undefined && { word }),
        ...(sense.term !== meaning.term && { as: sense.term }),
        score: (gain * frequency) / all,
      });
    }
  }
  const lessons = query.learned.filter(({ tool }) => tool === state.idOf(slot));
  if (!query.showsLearned) parts.push({ field: 'learned', score: lessons.reduce((sum, { gain }) => sum + gain, 0) });
  for (const { term, gain } of query.showsLearned ? lessons : []) {
    const word = query.words.find(({ meanings }) => meanings.some((meaning) => meaning.term === term))?.word ?? term;
    parts.push({ field: 'learned', word, score: gain });
  }
  const words = parts.reduce((sum, { score }) => sum + score, 0);
  parts.push(
    { field: 'coverage', score: words * (coverage - 1) },
    { field: 'agreement', score: words * coverage * (agreement - 1) },
    { field: 'proximity', score: proximity },
  );
  return parts
    .filter(({ score }) => score !== 0)
    .map((part) => ({ ...part, score: part.score / ceiling }))
    .sort((left, right) => right.score - left.score);
}

function bestSense(state: SearchState, { senses }: TermGroup, slot: number) {
  let best: { sense: TermVariant; gain: number } | undefined;
  for (const sense of senses) {
    const gain = (sense.weight / MAX_IMPACT) * impactIn(state.segmentOf(slot), sense.id, state.numberOf(slot));
    if (gain > (best?.gain ?? 0)) best = { sense, gain };
  }
  return best;
}

/** Per field: its terms with their weighted frequencies, computed as by the analysis of tools. */
function fieldFrequencies(text: ToolText) {
  return (Object.keys(FIELD_WEIGHTS) as (keyof ToolText)[]).map((field) => {
    const { words, wholes } = fieldTerms(text[field]);
    const { weight, lengthNormalization: b, usualLength } = FIELD_WEIGHTS[field];
    const share = weight / (1 - b + (b * words.length) / usualLength);
    const frequencies = new Map<string, number>();
    for (const term of [...words, ...wholes]) frequencies.set(term, (frequencies.get(term) ?? 0) + share);
    for (const term of field === 'name' ? asidesOf(text.name) : []) frequencies.set(term, ASIDE_FREQUENCY);
    return { field, frequencies };
  });
}

/** The function words of a name that are indexed beside its content. */
function asidesOf(name: string): readonly string[] {
  const runs = tokenize(name);
  if (runs.every(({ content }) => content.length === 0)) return [];
  return runs.flatMap(({ parts }) => parts.filter(isAside).map(({ term }) => term));
}
