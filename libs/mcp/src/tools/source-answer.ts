import type { JsonValue, SourceAnswer } from '@tool-search/core';
import { depthOf } from '@tool-search/core/internal';
import { readBlocks } from './content-blocks.js';
import { UnusableResult } from './unusable-result.js';

const MAX_DEPTH = 64;
/** Members of other kinds of results, which must not count as an empty result of a tool. */
const FOREIGN = ['task', 'inputRequests', 'requestState'];
const YES: ReadonlySet<unknown> = new Set([true, 1, 'true']);
const NO: ReadonlySet<unknown> = new Set([undefined, null, false, 0, '', 'false']);

/**
 * Converts a server's result, as it was sent. Results with structured content only also get it as text, because many
 * models read only text. A member that is null counts as missing, also structured content that the tool's output schema
 * does not allow to be null.
 *
 * @param fits checks structured content against the tool's output schema
 * @throws UnusableResult if structured content does not match the schema, is nested too deeply or contains `__proto__`
 * keys, or if nothing of the content can be read
 */
export function sourceAnswer(
  result: Readonly<Record<string, unknown>>,
  fits: (structured: unknown) => boolean,
): SourceAnswer {
  const isError = saysError(result['isError']);
  const structured = checkedDepth(structuredOf(result['structuredContent'], fits));
  if (!isError && !fits(structured)) throw new UnusableResult('does not fit the output schema of the tool');
  const content = readBlocks(result['content']);
  if (content.length === 0 && structured === undefined) {
    const foreign = FOREIGN.find((name) => (result[name] ?? undefined) !== undefined);
    if (foreign !== undefined) throw new UnusableResult(`has no content, but the member ${foreign}`);
  }
  return {
    content:
      content.length > 0 || structured === undefined ? content : [{ type: 'text', text: JSON.stringify(structured) }],
    ...(structured === undefined ? {} : { structured }),
    ...(isError ? { isError } : {}),
  };
}

function structuredOf(raw: unknown, fits: (structured: unknown) => boolean): unknown {
  if (raw !== null) return raw;
  // Without an output schema everything fits, also what is missing.
  return !fits(undefined) && fits(null) ? null : undefined;
}

function saysError(raw: unknown): boolean {
  if (YES.has(raw)) return true;
  if (NO.has(raw)) return false;
  throw new UnusableResult('does not say whether it is an error');
}

function checkedDepth(structured: unknown): JsonValue | undefined {
  if (depthOf(structured, MAX_DEPTH) > MAX_DEPTH) throw new UnusableResult(`has more than ${MAX_DEPTH} levels`);
  // In JSON this text can only be a key: within a string its quotes would be escaped.
  if (structured !== undefined && JSON.stringify(structured).includes('"__proto__":'))
    throw new UnusableResult('has a key that could reach a prototype');
  return structured as JsonValue | undefined;
}
