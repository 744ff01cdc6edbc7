import type { ScorePart } from '../../search/tool-index.js';
import type { TokenCounter } from '../../tool/token-count.js';
import type { Deprecation } from '../../tool/deprecation.js';
import type { ToolDefinition } from '../../tool/tool-definition.js';
import { fitTokenBudget, oneLine } from './short-lines.js';
import type { FoundTool, SearchReply } from '../meta-tools/replies.js';
import type { Found, FoundHit } from './tool-finder.js';

const MAX_WHY = 8;
const MAX_WORD_CHARS = 64;
const MAX_SIMILAR = 3;
const MAX_PARTS = 50;

/** Shortens a description for a reply. */
export type DescriptionLine = (description: string) => string;

export interface ReplyBudget {
  /** Tokens of all descriptions together. */
  readonly replyTokens: number;
  readonly count: TokenCounter;
  /** @default one line of at most 160 characters */
  readonly line?: DescriptionLine | undefined;
}

export interface HitState {
  readonly active: boolean;
  /** Whether the tool is not listed from the next step on. */
  readonly isHeldBack: boolean;
  /** As the caller may read it. */
  readonly deprecated?: Deprecation | undefined;
}

/** Converts search results to a reply, without the notices that depend on earlier searches of the run. */
export function searchReply(
  found: Found,
  totalDeferred: number,
  stateOf: (tool: ToolDefinition) => HitState,
  { replyTokens, count, line = oneLine }: ReplyBudget,
): SearchReply {
  const { hits, searchType, unmatched, verdict, answers } = found;
  const lines = fitTokenBudget(
    hits.map(({ tool }) => line(tool.description)),
    replyTokens,
    count,
  );
  const [{ matching } = {}] = answers;
  return {
    tools: hits.map((hit, index) => ({
      ...foundTool(hit, lines[index] ?? '', stateOf(hit.tool)),
      ...(answers.length > 1 && { queries: hit.queries }),
    })),
    searchType,
    unmatched,
    verdict,
    totalDeferred,
    ...(answers.length === 1 && matching !== undefined && { matching }),
    ...(answers.length > 1 && {
      queries: answers.map((answer, index) => ({
        index,
        verdict: answer.verdict,
        unmatched: answer.unmatched,
        ...(answer.matching !== undefined && { matching: answer.matching }),
      })),
    }),
  };
}

function foundTool(hit: FoundHit, description: string, { active, isHeldBack, deprecated }: HitState): FoundTool {
  const { tool, score, match, matched = [], similar, parts } = hit;
  const why = matched.filter((word) => word.length <= MAX_WORD_CHARS).slice(0, MAX_WHY);
  return {
    name: tool.name,
    description,
    score: rounded(score),
    match,
    loading: tool.loading,
    active,
    ...(isHeldBack && { offered: false }),
    ...(deprecated && { deprecated }),
    ...(why.length > 0 && { why }),
    ...(similar.length > 0 && {
      similar: { count: similar.length, names: similar.slice(0, MAX_SIMILAR).map(({ name }) => name) },
    }),
    ...(parts && { parts: parts.slice(0, MAX_PARTS).map(roundedPart) }),
  };
}

function roundedPart({ field, word, as, score }: ScorePart): ScorePart {
  return { field, ...(word !== undefined && { word }), ...(as !== undefined && { as }), score: rounded(score) };
}

function rounded(score: number): number {
  return Math.round(score * 1000) / 1000;
}
