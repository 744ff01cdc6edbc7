import { type SettingsOf, withDefaults } from '../../options/options.js';
import { sourceLimits as schema } from '../../tool/source/source-options.js';
import { isObject } from '../../json/json.js';
import { toolOfCanary } from '../ingest/split-canaries.js';
import { ToolSearchError } from '../../tool/tool-search.error.js';
import type { ToolSource } from '../../tool/tool-source.js';

type Limits = SettingsOf<typeof schema>;

export const DEFAULT_SOURCE_LIMITS: Limits = withDefaults(schema);

/** The limits of a source, completed with the defaults. */
export function sourceLimits({ limits }: ToolSource): Limits {
  return withDefaults(schema, limits);
}

/** Refuses a value that is not a list, or is too long. @throws ToolSearchError `SOURCE_LIMIT` or `UPSTREAM_INVALID` */
export function checkCount(source: ToolSource, declarations: readonly unknown[], limits: Limits): void {
  if (!Array.isArray(declarations)) {
    throw new ToolSearchError('UPSTREAM_INVALID', `Source ${source.name} did not answer with a list of tools.`);
  }
  if (declarations.length <= limits.tools) return;
  const isCanary = (each: unknown) => isObject(each) && toolOfCanary(source, each) !== undefined;
  const count = declarations.filter((each) => !isCanary(each)).length;
  if (count <= limits.tools) return;
  throw new ToolSearchError(
    'SOURCE_LIMIT',
    `Source ${source.name} brought ${count} tools; its limit is ${limits.tools}.`,
    { hint: 'Narrow the source with include or exclude, or raise limits.tools for it.' },
  );
}
