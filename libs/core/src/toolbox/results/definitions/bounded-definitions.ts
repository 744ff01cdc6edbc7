import { countedInPieces } from '../../../tool/counted-in-pieces.js';
import type { TokenCounter } from '../../../tool/token-count.js';
import type { GetReply } from '../../meta-tools/replies.js';
import type { DescribedTool } from '../../search/described-tool.js';
import { cutLine, fairShare } from '../../search/short-lines.js';
import { type SchemaDetail, summarizedSchema } from './summarized-schema.js';

interface Detail extends SchemaDetail {
  /** Characters of the tool's own description. */
  readonly text: number;
  readonly examples: number;
  readonly withOutput: boolean;
}

/** From much to little; a definition gets the first one that fits its share. */
const DETAILS: readonly Detail[] = [
  { text: 600, description: 160, depth: 6, properties: 100, values: 30, examples: 1, withOutput: true },
  { text: 400, description: 100, depth: 5, properties: 60, values: 12, examples: 1, withOutput: false },
  { text: 300, description: 60, depth: 3, properties: 40, values: 8, examples: 0, withOutput: false },
  { text: 200, description: 40, depth: 2, properties: 25, values: 5, examples: 0, withOutput: false },
  { text: 160, description: 0, depth: 2, properties: 15, values: 3, examples: 0, withOutput: false },
  { text: 120, description: 0, depth: 1, properties: 12, values: 0, examples: 0, withOutput: false },
  { text: 80, description: 0, depth: 1, properties: 4, values: 0, examples: 0, withOutput: false },
  { text: 0, description: 0, depth: 0, properties: 0, values: 0, examples: 0, withOutput: false },
];

/** The least tokens of an answer: ten names and a word about each. */
const LEAST = 1000;

/** Tokens of the words around the names. */
const NOTE = 40;

/** A reply of `get` within a budget of tokens. */
export interface BoundedReply extends GetReply {
  /** Names of the tools whose definitions are not whole. */
  readonly summarized: readonly string[];
}

/**
 * Bounds the definitions of a reply to `budget` tokens, at least 1,000. Definitions that need less than their share stay
 * whole, and the others share the rest equally: their schemas are summarized. Yields between short pieces of work.
 */
export function* boundedDefinitions(
  reply: GetReply,
  budget: number,
  count: TokenCounter,
): Generator<undefined, BoundedReply> {
  const most = Math.max(LEAST, budget);
  const needs: number[] = [];
  for (const tool of reply.tools) needs.push(yield* countedInPieces(JSON.stringify(tool), count, most));
  const isWhole = needs.reduce((sum, need) => sum + need, 0) <= most;
  // Room for the words that name the tools whose definitions are not whole.
  const note = count(reply.tools.map(({ name }) => name).join(', ')) + NOTE;
  const share = isWhole ? Infinity : fairShare(needs, most - note);
  const tools: DescribedTool[] = [];
  const summarized: string[] = [];
  for (const [index, tool] of reply.tools.entries()) {
    if ((needs[index] ?? 0) <= share) {
      tools.push(tool);
      continue;
    }
    summarized.push(tool.name);
    tools.push(yield* summary(tool, share, count));
  }
  return { ...reply, tools, summarized };
}

function* summary(tool: DescribedTool, share: number, count: TokenCounter): Generator<undefined, DescribedTool> {
  let shortened = tool;
  for (const detail of DETAILS) {
    shortened = inDetail(tool, detail);
    if ((yield* countedInPieces(JSON.stringify(shortened), count, share)) <= share) break;
  }
  return shortened;
}

function inDetail({ inputSchema, outputSchema, examples = [], ...tool }: DescribedTool, detail: Detail): DescribedTool {
  const { name, sideEffects, loading } = tool;
  const description = cutLine(tool.description, detail.text);
  // The least detail has nothing whose length is the author's choice, except the name.
  const own = detail.text === 0 ? { name, sideEffects, loading, tags: [], authScopes: [] } : tool;
  return {
    ...own,
    description,
    ...(inputSchema && { inputSchema: summarizedSchema(inputSchema, detail) }),
    ...(outputSchema && detail.withOutput && { outputSchema: summarizedSchema(outputSchema, detail) }),
    ...(examples.length > 0 && detail.examples > 0 && { examples: examples.slice(0, detail.examples) }),
  };
}
