import { z } from 'zod';
import { type ApprovalOptions, approvalOptions } from '../access/approvals/tool-approvals.js';
import { type LimitsOptions, limitsOptions } from '../access/limits/limits-options.js';
import { type ControlOptions, controlOptions } from '../access/control/control-plane.js';
import {
  type UserCredentialOptions,
  userCredentialOptions,
} from '../access/user-credentials/user-credential-options.js';
import { type ActivationOptions, activationOptions } from '../activation/activation-options.js';
import { type CatalogOptions, catalogOptions, type LoadingOptions, loadingOptions } from '../catalog/tool-catalog.js';
import type { ToolInspector } from '../catalog/inspection/tool-inspector.js';
import { inspection } from '../tool/source/source-options.js';
import { type TokenizerOptions, tokenizerOptions } from '../exposure/ledger/lazy-tokenizer.js';
import { type LedgerOptions, ledgerOptions } from '../exposure/ledger/token-ledger.js';
import { PRESET_NAMES, PRESETS } from '../exposure/presets/presets.js';
import { type ExposureOptions, exposureSchema } from '../exposure/prompt/prompt-exposure.js';
import { isObject } from '../json/json.js';
import { object, oneOf, type OptionsOf, part, rule, value, whole } from '../options/options.js';
import { type EngineOptions, engineOptions } from '../search/assemble-tool-index.js';
import type { ToolIndex } from '../search/tool-index.js';
import { type SearchGapOptions, searchGapOptions } from '../toolbox/search-gaps/search-gaps.js';
import { type ExampleQueryOptions, exampleQueryOptions } from '../toolbox/example-queries/example-query-options.js';
import { type CallsOptions, callsOptions } from '../toolbox/call/call-options.js';
import { untrustedTools } from '../toolbox/results/marking/result-marking.js';
import { type RedactionOptions, redactionOptions } from '../toolbox/results/redaction/result-redaction.js';
import { type ResultCacheOptions, resultCacheOptions } from '../toolbox/results/cache/cache-rules.js';
import { type RecordOptions, recordOptions } from '../toolbox/record/record-options.js';
import { type RunOptions, runOptions } from '../toolbox/runs/run-pauses.js';
import { type ResultOptions, resultOptions } from '../toolbox/results/result-options.js';
import { exampleOptions, type GivenExampleOptions } from '../toolbox/search/described-tool.js';
import { type FinderOptions, finderOptions } from '../toolbox/search/tool-finder.js';
import { EXPOSURE_OPTIONS } from '../toolbox/surface/surface.js';
import { type TenantSourceOptions, tenantSourceOptions } from '../toolbox/tenants/tenant-source-options.js';
import { type TuningOptions, tuningOptions } from './tuning.js';

export const searchOptions = object({
  ...finderOptions.shape,
  ...engineOptions.shape,
  gaps: searchGapOptions.optional(),
  /** Example queries beside those of the tools' authors: written by a model, or read from files. @default none */
  exampleQueries: part<ExampleQueryOptions>(exampleQueryOptions),
}).check(rule('limit', 'at most search.maxLimit', ({ limit, maxLimit }) => limit <= maxLimit));

/** How tools are found, and what is kept about searches. */
export interface SearchOptions extends FinderOptions, EngineOptions {
  readonly gaps?: SearchGapOptions;
  readonly exampleQueries?: ExampleQueryOptions;
}

const ownOptions = object({
  /**
   * The defaults and meta tools of another system, word for word. Other options override the preset, one by one.
   *
   * @default none
   */
  preset: oneOf(...PRESET_NAMES).optional(),
  /** How models see the tools. @default 'auto' */
  exposure: z.union([oneOf(...EXPOSURE_OPTIONS), part<ExposureOptions>(exposureSchema).unwrap()]).optional(),
  search: part<SearchOptions>(searchOptions),
  activation: part<ActivationOptions>(activationOptions),
  runs: part<RunOptions>(runOptions),
  /** How examples are shown. */
  examples: part<GivenExampleOptions>(exampleOptions),
  visibility: object({
    /** Milliseconds that a visibility policy may take; after that everything is hidden. @default 500 */
    deadlineMs: whole(1, 60_000).default(500),
  }).optional(),
  callPolicies: object({
    /** Milliseconds that a call policy may take; after that the call is refused. @default 500 */
    deadlineMs: whole(1, 60_000).default(500),
  }).optional(),
  /** How fresh the operators' decisions must be. */
  control: part<ControlOptions>(controlOptions),
  /** How long approval requests and approvals last. */
  approvals: part<ApprovalOptions>(approvalOptions),
  calls: part<CallsOptions>(callsOptions),
  /** How much may be called: rates, calls at the same time, budgets. @default no limits */
  limits: part<LimitsOptions>(limitsOptions),
  /** Removes credentials and personal data from the results of tools, before anything else sees them. @default off */
  redaction: part<RedactionOptions>(redactionOptions),
  /** How large results are shortened for models; `false`: never. */
  results: z.union([z.literal(false), part<ResultOptions>(resultOptions).unwrap()]).optional(),
  /** Names or globs of tools whose results are marked as data for a model. @default only tools that declare it */
  untrusted: untrustedTools.optional(),
  /** Stored results of read tools. @default only of tools that declare `cache` */
  resultCache: part<ResultCacheOptions>(resultCacheOptions),
  /** Sources of single tenants, for example their own MCP servers. @default none */
  tenantSources: part<TenantSourceOptions>(tenantSourceOptions),
  /** Accounts of users at the servers of sources with `auth: 'user'`. @default such sources are refused */
  userCredentials: part<UserCredentialOptions>(userCredentialOptions),
  catalog: part<CatalogOptions>(catalogOptions),
  /** The treatment of tools whose texts the inspector suspects, for sources that do not set it. @default 'report' */
  inspection: inspection().default('report'),
  /** Replaces the inspector of tools. @default `phraseInspector` of `@tool-search/core/source` */
  inspector: value<ToolInspector>(isInspector, 'an inspector: an object with inspect()').optional(),
  /** Counts the tokens of what models see; `false` turns it off. @default on, except where everything is listed */
  ledger: z.union([z.literal(false), part<LedgerOptions>(ledgerOptions).unwrap()]).optional(),
  /** The record of calls, refusals and tools that models were shown; `false` turns it off. @default on */
  record: z.union([z.literal(false), part<RecordOptions>(recordOptions).unwrap()]).optional(),
  /** Intervals, shares and internal bounds that fit nearly every application: docs/tuning.md. */
  tuning: part<TuningOptions>(tuningOptions),
  /** Replaces the search engine. @default the engine in memory */
  index: value<ToolIndex>(isIndex, 'a search engine: an object with engine, apply() and search()').optional(),
});

export const toolboxOptions = object({ ...loadingOptions.shape, ...tokenizerOptions.shape, ...ownOptions.shape });

/** Behaviour of toolboxes: all options of an application that do not concern Nest. */
export interface ToolboxOptions extends LoadingOptions, TokenizerOptions, OptionsOf<typeof ownOptions> {}

/** Expands the `exposure` option to its long form. */
export function exposureOptions(option: ToolboxOptions['exposure']): ExposureOptions {
  return typeof option === 'object' ? option : option === undefined ? {} : { mode: option };
}

/**
 * Completes options with the defaults of their preset, option by option, also within nested options. A list replaces
 * the preset's list as a whole. Without a preset the options are unchanged.
 */
export function withPreset<T extends ToolboxOptions>(options: T): T {
  // Called with unchecked options, so that their rules also hold for what a preset sets.
  if (!isObject(options) || options.preset === undefined || !Object.hasOwn(PRESETS, options.preset)) return options;
  const own = { ...options, ...(options.exposure !== undefined && { exposure: exposureOptions(options.exposure) }) };
  return merged(PRESETS[options.preset].options, own) as T;
}

function merged(defaults: object, own: object): Record<string, unknown> {
  const result: Record<string, unknown> = { ...defaults };
  for (const [key, value] of Object.entries(own) as [string, unknown][]) {
    const before = result[key];
    // Without a default, a value that is undefined stays: the check refuses that of a secret.
    if (value !== undefined || !(key in result))
      result[key] = isObject(before) && isObject(value) ? merged(before, value) : value;
  }
  return result;
}

function isInspector(given: unknown): boolean {
  return typeof (given as Partial<ToolInspector> | null)?.inspect === 'function';
}

function isIndex(given: unknown): boolean {
  const { engine, apply, search } = (given ?? {}) as Record<string, unknown>;
  return typeof engine === 'string' && typeof apply === 'function' && typeof search === 'function';
}
