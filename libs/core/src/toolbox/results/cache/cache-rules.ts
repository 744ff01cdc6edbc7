import { list, object, type OptionsOf, type SettingsOf, someOf, whole } from '../../../options/options.js';
import { cacheRule, type CacheRule } from '../../../tool/source/cache-rule.js';
import { glob } from '../../../tool/source/source-options.js';
import { changesNothing, type ToolDefinition } from '../../../tool/tool-definition.js';
import { globSet } from '../../../tool/tool-name.js';
import { ToolSearchError } from '../../../tool/tool-search.error.js';
import type { ToolExecutor } from '../../../tool/tool-source.js';

const cachedTools = object({
  /** Names or globs of the tools. A glob means the read tools among those that it matches. */
  match: someOf(glob()),
  ...cacheRule.shape,
});

const writingTools = object({
  /** Names or globs of the tools that change data. */
  match: someOf(glob()),
  /** Names or globs of the tools whose results are then discarded, of the caller's tenant and shared by all. */
  invalidates: someOf(glob()),
});

export const resultCacheOptions = object({
  /** Tools of any source whose results are stored; a tool's own `cache` counts before. @default [] */
  tools: list(cachedTools).default([]),
  /** Tools of any source whose calls discard stored results, in addition to a tool's own `invalidates`. @default [] */
  writes: list(writingTools).default([]),
  /** Bytes of the stored results of all tenants. @default 67108864 */
  maxBytes: whole(1024, 68_719_476_736).default(67_108_864),
});

export interface ResultCacheOptions extends OptionsOf<typeof resultCacheOptions> {}

export const resultCacheTuning = object({
  /** Stored results of all tenants. @default 10000 */
  maxEntries: whole(1, 10_000_000).default(10_000),
  /** Stored results of one tenant, and of those that all tenants share. @default 1000 */
  maxEntriesPerTenant: whole(1, 10_000_000).default(1000),
  /** Bytes of the stored results of one tenant, and of those that all tenants share. @default 8388608 */
  maxBytesPerTenant: whole(1024, 68_719_476_736).default(8_388_608),
});

export interface ResultCacheTuning extends OptionsOf<typeof resultCacheTuning> {}

export const resultCacheSchema = object({ ...resultCacheOptions.shape, ...resultCacheTuning.shape });

export type ResultCacheSettings = SettingsOf<typeof resultCacheSchema>;

const NOTHING: readonly string[] = [];

/** Which results are stored, and which calls discard them: settings of tools in code, and of the module for the others. */
export class CacheRules {
  readonly #tools: readonly (readonly [(name: string) => boolean, CacheRule])[];
  readonly #writes: readonly (readonly [(name: string) => boolean, readonly string[]])[];
  readonly #rules = new WeakMap<ToolExecutor, { readonly rule: CacheRule | undefined }>();
  readonly #invalidated = new WeakMap<ToolExecutor, readonly string[]>();

  constructor(private readonly settings: ResultCacheSettings) {
    this.#tools = settings.tools.map(({ match, ...rule }) => [globSet(match), rule]);
    this.#writes = settings.writes.map(({ match, invalidates }) => [globSet(match), invalidates]);
  }

  of(tool: ToolDefinition, executor: ToolExecutor): CacheRule | undefined {
    let known = this.#rules.get(executor);
    if (!known) this.#rules.set(executor, (known = { rule: this.#found(tool, executor) }));
    return known.rule;
  }

  /** Globs of the tools whose results a call of this tool discards. */
  invalidatedBy(tool: ToolDefinition, executor: ToolExecutor): readonly string[] {
    let known = this.#invalidated.get(executor);
    if (!known) {
      const ofModule = this.#writes.flatMap(([matches, globs]) => (matches(tool.name) ? globs : []));
      known = [...(executor.invalidates ?? NOTHING), ...ofModule];
      this.#invalidated.set(executor, known.length > 0 ? known : NOTHING);
    }
    return known;
  }

  /**
   * Refuses a rule that names a tool which changes data.
   *
   * @throws ToolSearchError `INVALID_CONFIGURATION`
   */
  check(tools: readonly ToolDefinition[]): void {
    const named = new Set(this.settings.tools.flatMap(({ match }) => match));
    const wrong = tools.find((tool) => named.has(tool.name) && !changesNothing(tool));
    if (!wrong) return;
    throw new ToolSearchError(
      'INVALID_CONFIGURATION',
      `resultCache.tools names ${wrong.name}, whose side effects are "${wrong.sideEffects}".`,
      { hint: 'Only results of tools with the side effects "read" or "pure" can be stored.' },
    );
  }

  #found(tool: ToolDefinition, executor: ToolExecutor): CacheRule | undefined {
    if (!changesNothing(tool)) return undefined;
    return executor.cache ?? this.#tools.find(([matches]) => matches(tool.name))?.[1];
  }
}
