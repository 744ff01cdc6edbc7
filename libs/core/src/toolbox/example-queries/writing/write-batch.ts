import { isObject } from '../../../json/json.js';
import { truncated } from '../../../json/safe-text.js';
import type { DescribedForWriter, ExampleQueryWriter } from './example-query-writer.js';
import type { WritingCosts } from '../example-query-store.js';
import { toolText } from '../../../search/text/tool-text.js';
import { estimateTokens } from '../../../tool/token-count.js';
import type { ToolDefinition } from '../../../tool/tool-definition.js';
import { cleanedQueries } from '../cleaned-queries.js';
import type { TokenPrices } from '../example-query-options.js';

const MAX_DESCRIPTION_CHARS = 2_000;
const MAX_PARAMETERS = 40;
const MAX_TITLE_CHARS = 200;
// A writer's own instructions, shared by the tools of a batch, and the form of its answer.
const INSTRUCTION_TOKENS = 400;
const QUERY_TOKENS = 30;
const MAX_REPORTED_TOKENS = 100_000_000;

export function describedForWriter(tool: ToolDefinition, count: number): DescribedForWriter {
  const { name, title, description } = tool;
  const parameters = toolText(tool).parameterNames.split('\n');
  return {
    name,
    ...(title !== undefined && { title: truncated(title, MAX_TITLE_CHARS) }),
    description: truncated(description, MAX_DESCRIPTION_CHARS),
    parameters: parameters.filter((parameter) => parameter !== '').slice(0, MAX_PARAMETERS),
    count,
  };
}

/** Estimates the costs of a call for these tools by length; more than most calls, because it is reserved before. */
export function estimatedCosts(tools: readonly DescribedForWriter[], prices?: TokenPrices): WritingCosts {
  const inputTokens = INSTRUCTION_TOKENS + tools.reduce((sum, tool) => sum + estimateTokens(JSON.stringify(tool)), 0);
  const outputTokens = tools.reduce((sum, { name, count }) => sum + estimateTokens(name) + QUERY_TOKENS * count, 0);
  return { inputTokens, outputTokens, micros: microsOf(inputTokens, outputTokens, prices) };
}

/** The answer of a writer, checked: queries by name, and what it cost. */
export interface CheckedAnswer {
  readonly queries: ReadonlyMap<string, readonly string[]>;
  readonly costs: WritingCosts;
}

/** Calls the writer and checks its answer, which may be anything. @throws Error if it is no answer at all */
export async function writeBatch(
  writer: ExampleQueryWriter,
  tools: readonly DescribedForWriter[],
  prices: TokenPrices | undefined,
  signal: AbortSignal,
): Promise<CheckedAnswer> {
  const answer: unknown = await writer.write(tools, signal);
  const listed = isObject(answer) ? answer['tools'] : undefined;
  if (!Array.isArray(listed)) throw new Error('the writer gave no list of tools');
  const counts = new Map(tools.map(({ name, count }) => [name, count]));
  const queries = new Map<string, readonly string[]>();
  for (const each of listed.slice(0, 2 * tools.length) as unknown[]) {
    if (!isObject(each) || typeof each['name'] !== 'string') continue;
    const count = counts.get(each['name']);
    if (count === undefined || queries.has(each['name'])) continue;
    const usable = cleanedQueries(each['queries'], count);
    if (usable.length > 0) queries.set(each['name'], usable);
  }
  return { queries, costs: reportedCosts(answer, prices) ?? estimatedCosts(tools, prices) };
}

function reportedCosts(answer: unknown, prices: TokenPrices | undefined): WritingCosts | undefined {
  const usage = isObject(answer) ? answer['usage'] : undefined;
  if (!isObject(usage)) return undefined;
  const { inputTokens, outputTokens } = usage;
  if (!isTokens(inputTokens) || !isTokens(outputTokens)) return undefined;
  return { inputTokens, outputTokens, micros: microsOf(inputTokens, outputTokens, prices) };
}

function isTokens(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0 && (value as number) <= MAX_REPORTED_TOKENS;
}

// A price per million tokens is the price of one token in millionths.
function microsOf(inputTokens: number, outputTokens: number, prices: TokenPrices | undefined): number {
  if (!prices) return 0;
  return Math.ceil(inputTokens * prices.inputPerMillion + outputTokens * prices.outputPerMillion);
}
