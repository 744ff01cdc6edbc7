import { existsSync, mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { registerAs } from '@nestjs/config';
import type { ToolAdminOptions } from '@tool-search/admin';
import type { MetaNames, ToolSearchModuleOptions } from '@tool-search/core';
import { checkedEnvironment, type Environment } from './environment.js';

/** Configuration for `@nestjs/config`: `@Inject(environment.KEY)` injects the validated {@link Environment}. */
export const environment = registerAs('environment', () => checkedEnvironment(process.env));

/** The module options that environment variables can set. */
export type EnvironmentOptions = Omit<ToolSearchModuleOptions, 'context' | 'sources' | 'countTokens' | 'index'>;

/** Maps the environment to options of `ToolSearchModule`. Unset variables keep the library's defaults. */
export function moduleOptions(env: Environment): EnvironmentOptions {
  return defined({
    preset: env.TOOL_SEARCH_PRESET,
    defaultLoading: env.TOOL_SEARCH_DEFAULT_LOADING,
    alwaysLoaded: env.TOOL_SEARCH_ALWAYS_LOADED,
    policy: defined({
      allow: env.TOOL_SEARCH_ALLOW,
      deny: env.TOOL_SEARCH_DENY,
      requireTags: env.TOOL_SEARCH_REQUIRE_TAGS,
      approval: env.TOOL_SEARCH_APPROVAL,
    }),
    exposure: defined({
      mode: flagOr(env.TOOL_SEARCH_EXPOSURE),
      deferral: env.TOOL_SEARCH_DEFERRAL,
      metaTools: metaToolNames(env),
      thresholdPct: env.TOOL_SEARCH_THRESHOLD_PCT,
      contextWindow: env.TOOL_SEARCH_CONTEXT_WINDOW,
      guidance: flagOr(env.TOOL_SEARCH_GUIDANCE),
      hints: defined({
        enabled: env.TOOL_SEARCH_HINTS_ENABLED,
        topK: env.TOOL_SEARCH_HINTS_TOP_K,
        includeAlwaysLoaded: env.TOOL_SEARCH_HINTS_INCLUDE_ALWAYS_LOADED,
        type: env.TOOL_SEARCH_HINTS_TYPE,
      }),
      directory: defined({
        enabled: env.TOOL_SEARCH_DIRECTORY_ENABLED,
        detail: env.TOOL_SEARCH_DIRECTORY_DETAIL,
        maxTokens: env.TOOL_SEARCH_DIRECTORY_MAX_TOKENS,
        maxGroups: env.TOOL_SEARCH_DIRECTORY_MAX_GROUPS,
        maxToolsPerGroup: env.TOOL_SEARCH_DIRECTORY_MAX_TOOLS_PER_GROUP,
        includeToolCounts: env.TOOL_SEARCH_DIRECTORY_INCLUDE_TOOL_COUNTS,
        includeDefaultGroups: env.TOOL_SEARCH_DIRECTORY_INCLUDE_DEFAULT_GROUPS,
        groups: env.TOOL_SEARCH_DIRECTORY_GROUPS,
      }),
    }),
    search: defined({
      limit: env.TOOL_SEARCH_LIMIT,
      maxLimit: env.TOOL_SEARCH_MAX_LIMIT,
      types: env.TOOL_SEARCH_TYPES,
      ftsFallback: env.TOOL_SEARCH_FTS_FALLBACK,
      preferredNamespaces: env.TOOL_SEARCH_PREFERRED_NAMESPACES,
      replyTokens: env.TOOL_SEARCH_REPLY_TOKENS,
      offerTokens: env.TOOL_SEARCH_OFFER_TOKENS,
      minScore: env.TOOL_SEARCH_MIN_SCORE,
      gaps: defined({
        keepQueries: env.TOOL_SEARCH_GAPS_KEEP_QUERIES,
        maxQueries: env.TOOL_SEARCH_GAPS_MAX_QUERIES,
        idleMs: env.TOOL_SEARCH_GAPS_IDLE_MS,
        flushEveryMs: env.TOOL_SEARCH_GAPS_FLUSH_EVERY_MS,
        ttlMs: env.TOOL_SEARCH_GAPS_TTL_MS,
      }),
    }),
    activation: defined({
      scope: env.TOOL_SEARCH_ACTIVATION_SCOPE,
      activateOn: env.TOOL_SEARCH_ACTIVATE_ON,
      maxTools: env.TOOL_SEARCH_ACTIVATION_MAX_TOOLS,
      maxTokens: env.TOOL_SEARCH_ACTIVATION_MAX_TOKENS,
      whenFull: env.TOOL_SEARCH_ACTIVATION_WHEN_FULL,
      pinned: env.TOOL_SEARCH_ACTIVATION_PINNED,
      cacheTtlMs: env.TOOL_SEARCH_ACTIVATION_CACHE_TTL_MS,
      idleTtlMs: env.TOOL_SEARCH_ACTIVATION_IDLE_TTL_MS,
      sweepEveryMs: env.TOOL_SEARCH_ACTIVATION_SWEEP_EVERY_MS,
    }),
    runs: defined({ onDrift: env.TOOL_SEARCH_RUNS_ON_DRIFT, ttlMs: env.TOOL_SEARCH_RUNS_TTL_MS }),
    examples: defined({
      enabled: env.TOOL_SEARCH_EXAMPLES_ENABLED,
      maxPerTool: env.TOOL_SEARCH_EXAMPLES_MAX_PER_TOOL,
      includeDescriptions: env.TOOL_SEARCH_EXAMPLES_INCLUDE_DESCRIPTIONS,
      inDefinitions: env.TOOL_SEARCH_EXAMPLES_IN_DEFINITIONS,
      filterTags: env.TOOL_SEARCH_EXAMPLES_FILTER_TAGS,
    }),
    visibility: defined({ deadlineMs: env.TOOL_SEARCH_VISIBILITY_DEADLINE_MS }),
    control: defined({
      pollMs: env.TOOL_SEARCH_CONTROL_POLL_MS,
      readDeadlineMs: env.TOOL_SEARCH_CONTROL_READ_DEADLINE_MS,
      staleAfterMs: env.TOOL_SEARCH_CONTROL_STALE_AFTER_MS,
      closedAfterMs: env.TOOL_SEARCH_CONTROL_CLOSED_AFTER_MS,
      listen: env.TOOL_SEARCH_CONTROL_LISTEN,
    }),
    approvals: defined({
      approvedForMs: env.TOOL_SEARCH_APPROVALS_APPROVED_FOR_MS,
      askedForMs: env.TOOL_SEARCH_APPROVALS_ASKED_FOR_MS,
      maxOpen: env.TOOL_SEARCH_APPROVALS_MAX_OPEN,
      maxOpenPerUser: env.TOOL_SEARCH_APPROVALS_MAX_OPEN_PER_USER,
    }),
    calls: defined({ maxResultBytes: env.TOOL_SEARCH_MAX_RESULT_BYTES }),
    catalog: defined({
      bootWaitMs: env.TOOL_SEARCH_BOOT_WAIT_MS,
      retryMinMs: env.TOOL_SEARCH_RETRY_MIN_MS,
      retryMaxMs: env.TOOL_SEARCH_RETRY_MAX_MS,
      refreshEveryMs: env.TOOL_SEARCH_REFRESH_EVERY_MS,
    }),
    ledger:
      env.TOOL_SEARCH_LEDGER === false
        ? (false as const)
        : defined({
            countAll: env.TOOL_SEARCH_LEDGER_COUNT_ALL,
            flushEveryMs: env.TOOL_SEARCH_LEDGER_FLUSH_EVERY_MS,
            ttlMs: env.TOOL_SEARCH_LEDGER_TTL_MS,
          }),
    tokenizer: env.TOOL_SEARCH_TOKENIZER,
    // The strings were validated against the same choices, but have no literal types.
  }) as EnvironmentOptions;
}

/** The names of the meta tools from the environment. */
export function metaToolNames(env: Environment): Partial<MetaNames> {
  return defined({
    search: env.TOOL_SEARCH_META_TOOLS_SEARCH,
    get: env.TOOL_SEARCH_META_TOOLS_GET,
    load: env.TOOL_SEARCH_META_TOOLS_LOAD,
    call: env.TOOL_SEARCH_META_TOOLS_CALL,
  });
}

/** Maps the environment to options of `ToolAdminModule`. */
export function adminOptions(env: Environment): ToolAdminOptions {
  return defined({
    writesPerMinute: env.TOOL_SEARCH_ADMIN_WRITES_PER_MINUTE,
    readsPerMinute: env.TOOL_SEARCH_ADMIN_READS_PER_MINUTE,
  });
}

/** The path of a file in the data directory; creates missing folders. @throws Error if a folder cannot be created */
export function dataFile(env: Pick<Environment, 'DATA_DIR'>, ...path: readonly string[]): string {
  const file = join(env.DATA_DIR, ...path);
  try {
    makeFolder(dirname(file));
  } catch (error) {
    const { code = 'unknown reason' } = error as NodeJS.ErrnoException;
    throw new Error(`DATA_DIR: ${dirname(file)} cannot be made (${code}). Name a folder that this process may write.`, {
      cause: error,
    });
  }
  return file;
}

// Creates one level at a time, because Node's recursive mkdir never returns under /proc.
function makeFolder(folder: string): void {
  if (existsSync(folder)) return;
  makeFolder(dirname(folder));
  mkdirSync(folder);
}

function flagOr(value: string | undefined): string | boolean | undefined {
  return value === 'true' ? true : value === 'false' ? false : value;
}

function defined<T extends object>(options: T): Partial<T> {
  return Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined)) as Partial<T>;
}
