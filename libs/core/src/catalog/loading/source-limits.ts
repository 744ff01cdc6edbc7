import { object, type SettingsOf, withDefaults } from '../../options/options.js';
import { sourceLimits as ownLimits, type SourceTuning, sourceTuning } from '../../tool/source/source-options.js';
import { ToolSearchError } from '../../tool/tool-search.error.js';
import type { ToolSource } from '../../tool/tool-source.js';

const schema = object({ ...ownLimits.shape, ...sourceTuning.shape });

/** Limits of one source: its own, and those that all sources have. */
export type LoadLimits = SettingsOf<typeof schema>;

export const DEFAULT_SOURCE_LIMITS: LoadLimits = withDefaults(schema);

/** The limits of a source, completed with those of all sources. */
export function sourceLimits({ limits }: ToolSource, ofAll: SourceTuning = {}): LoadLimits {
  return withDefaults(schema, { ...limits, ...ofAll });
}

/** Refuses a value that is not a list, or is too long. @throws ToolSearchError `SOURCE_LIMIT` or `UPSTREAM_INVALID` */
export function checkCount(source: ToolSource, declarations: readonly unknown[], limits: LoadLimits): void {
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
