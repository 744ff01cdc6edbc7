import { ToolSearchError } from '../../tool/tool-search.error.js';
import type { SourceLimits, ToolSource } from '../../tool/tool-source.js';

export const DEFAULT_SOURCE_LIMITS: Required<SourceLimits> = {
  tools: 1000,
  schemaBytes: 65_536,
  schemaDepth: 32,
  descriptionChars: 8192,
  changedCharsPerMinute: 4_194_304,
};

/** A source's limits, completed with the defaults. */
export function sourceLimits({ limits = {} }: ToolSource): Required<SourceLimits> {
  const named = Object.entries(limits).filter(([, limit]) => limit !== undefined);
  return { ...DEFAULT_SOURCE_LIMITS, ...Object.fromEntries(named) };
}

/** Refuses a value that is not a list, or is too long. @throws ToolSearchError `SOURCE_LIMIT` or `UPSTREAM_INVALID` */
export function checkCount(source: ToolSource, declarations: readonly unknown[], limits: Required<SourceLimits>): void {
  if (!Array.isArray(declarations)) {
    throw new ToolSearchError('UPSTREAM_INVALID', `Source ${source.name} did not answer with a list of tools.`);
  }
  if (declarations.length <= limits.tools) return;
  throw new ToolSearchError(
    'SOURCE_LIMIT',
    `Source ${source.name} brought ${declarations.length} tools; its limit is ${limits.tools}.`,
    { hint: 'Narrow the source with include or exclude, or raise limits.tools for it.' },
  );
}
