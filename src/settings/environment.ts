import { ON_DRIFT } from '@tool-search/core';
import { plainToInstance, Transform } from 'class-transformer';
import {
  IsBoolean,
  IsIn,
  IsInt,
  IsNotEmpty,
  IsNumber,
  IsObject,
  IsOptional,
  IsString,
  Matches,
  Max,
  Min,
  validateSync,
} from 'class-validator';

const LOADINGS = ['always', 'deferred'] as const;
const SCOPES = ['run', 'session'] as const;
const WHEN_FULL = ['refuse', 'demote'];
const ACTIVATE_ON = ['call', 'load', 'search'] as const;
const MODES = ['auto', 'all', 'deferred', 'bridge', 'native', 'on', 'off', 'true', 'false'] as const;
const DEFERRALS = ['deferred', 'bridge', 'native'] as const;
const PRESETS = ['penguiflow', 'praisonai', 'mastra'] as const;
const TOKENIZERS = ['o200k_base', 'estimate'] as const;
const DETAILS = ['full', 'names', 'groups'] as const;
const TYPES = ['bm25', 'fts', 'exact', 'regex'] as const;

const text = (value: unknown) => (typeof value === 'string' ? value.trim() : value);
const Whole = (min: number, max: number) => (target: object, key: string) => {
  Transform(({ value }) => (typeof value === 'string' && value.trim() !== '' ? Number(value) : value))(target, key);
  for (const rule of [IsOptional(), IsInt(), Min(min), Max(max)]) rule(target, key);
};
/** A number from 0 to 1. */
const Share = () => (target: object, key: string) => {
  Transform(({ value }) => (typeof value === 'string' && value.trim() !== '' ? Number(value) : value))(target, key);
  for (const rule of [IsOptional(), IsNumber(), Min(0), Max(1)]) rule(target, key);
};
const Flag = () => (target: object, key: string) => {
  Transform(({ value }) => ({ true: true, false: false })[String(value)] ?? value)(target, key);
  for (const rule of [IsOptional(), IsBoolean()]) rule(target, key);
};
const OneOf = (choices: readonly string[]) => (target: object, key: string) => {
  for (const rule of [IsOptional(), IsIn(choices)]) rule(target, key);
};
/** A comma-separated list. */
const List = (item: RegExp) => (target: object, key: string) => {
  Transform(({ value }) => (typeof value === 'string' ? value.split(',').map(text).filter(Boolean) : value))(
    target,
    key,
  );
  for (const rule of [IsOptional(), Matches(item, { each: true })]) rule(target, key);
};
const MetaName = () => (target: object, key: string) => {
  for (const rule of [IsOptional(), Matches(META_NAME)]) rule(target, key);
};
const Text = () => (target: object, key: string) => {
  for (const rule of [IsOptional(), IsString(), IsNotEmpty()]) rule(target, key);
};

const GLOB = /^[A-Za-z0-9_.*?-]{1,256}$/;
const NAME = /^[A-Za-z0-9_.-]{1,128}$/;
const TAG = /^.{1,64}$/;
const META_NAME = /^[A-Za-z][A-Za-z0-9_-]{0,63}$/;

/** The environment variables of the reference server, validated at boot. */
export class Environment {
  /** Local by default, because outside production the published demo tokens are accepted. */
  @Text() readonly HOST: string = '127.0.0.1';
  @Whole(0, 65_535) readonly PORT: number = 3000;
  @OneOf(['development', 'test', 'production']) readonly NODE_ENV: string = 'development';
  @Text() readonly DATA_DIR: string = '.tool-search';
  @Text() readonly SQLITE_PATH?: string;
  @IsOptional()
  @Matches(/^postgres(ql)?:\/\//, { message: 'DATABASE_URL must start with postgres://' })
  readonly DATABASE_URL?: string;
  @Text() readonly DEMO_TOKENS?: string;
  @Text() readonly MODEL?: string;
  @Text() readonly OPENAI_API_KEY?: string;
  @Text() readonly OPENAI_BASE_URL?: string;
  @Text() readonly ANTHROPIC_API_KEY?: string;
  @Text() readonly GITHUB_TOKEN?: string;

  @Whole(1, 1000) readonly TOOL_SEARCH_INSTANCES: number = 1;
  @OneOf(PRESETS) readonly TOOL_SEARCH_PRESET?: string;
  @OneOf(MODES) readonly TOOL_SEARCH_EXPOSURE?: string;
  @OneOf(DEFERRALS) readonly TOOL_SEARCH_DEFERRAL?: string;
  @Whole(1, 100) readonly TOOL_SEARCH_THRESHOLD_PCT?: number;
  @Whole(1000, 100_000_000) readonly TOOL_SEARCH_CONTEXT_WINDOW?: number;
  @MetaName() readonly TOOL_SEARCH_META_TOOLS_SEARCH?: string;
  @MetaName() readonly TOOL_SEARCH_META_TOOLS_GET?: string;
  @MetaName() readonly TOOL_SEARCH_META_TOOLS_LOAD?: string;
  @MetaName() readonly TOOL_SEARCH_META_TOOLS_CALL?: string;
  /** `true`, `false`, or the text of the guidance. */
  @Text() readonly TOOL_SEARCH_GUIDANCE?: string;
  @OneOf(LOADINGS) readonly TOOL_SEARCH_DEFAULT_LOADING?: string;
  @List(GLOB) readonly TOOL_SEARCH_ALWAYS_LOADED?: readonly string[];
  @List(GLOB) readonly TOOL_SEARCH_ALLOW?: readonly string[];
  @List(GLOB) readonly TOOL_SEARCH_DENY?: readonly string[];
  @List(TAG) readonly TOOL_SEARCH_REQUIRE_TAGS?: readonly string[];
  /** Tools whose calls need approval by a second person. */
  @List(GLOB) readonly TOOL_SEARCH_APPROVAL?: readonly string[];

  @Whole(1, 20) readonly TOOL_SEARCH_LIMIT?: number;
  @Whole(1, 100) readonly TOOL_SEARCH_MAX_LIMIT?: number;
  @List(new RegExp(`^(${TYPES.join('|')})$`)) readonly TOOL_SEARCH_TYPES?: readonly string[];
  @OneOf(['bm25', 'regex', 'exact']) readonly TOOL_SEARCH_FTS_FALLBACK?: string;
  @List(NAME) readonly TOOL_SEARCH_PREFERRED_NAMESPACES?: readonly string[];
  @Whole(50, 100_000) readonly TOOL_SEARCH_REPLY_TOKENS?: number;
  @Whole(0, 1_000_000) readonly TOOL_SEARCH_OFFER_TOKENS?: number;
  @Share() readonly TOOL_SEARCH_MIN_SCORE?: number;
  @Flag() readonly TOOL_SEARCH_GAPS_KEEP_QUERIES?: boolean;
  @Whole(1, 100_000) readonly TOOL_SEARCH_GAPS_MAX_QUERIES?: number;
  @Whole(1000, 86_400_000) readonly TOOL_SEARCH_GAPS_IDLE_MS?: number;
  @Whole(10, 3_600_000) readonly TOOL_SEARCH_GAPS_FLUSH_EVERY_MS?: number;
  @Whole(0, 31_536_000_000) readonly TOOL_SEARCH_GAPS_TTL_MS?: number;

  /** `false` switches token counting off. */
  @Flag() readonly TOOL_SEARCH_LEDGER?: boolean;
  @Flag() readonly TOOL_SEARCH_LEDGER_COUNT_ALL?: boolean;
  @Whole(10, 3_600_000) readonly TOOL_SEARCH_LEDGER_FLUSH_EVERY_MS?: number;
  @Whole(0, 31_536_000_000) readonly TOOL_SEARCH_LEDGER_TTL_MS?: number;
  @OneOf(TOKENIZERS) readonly TOOL_SEARCH_TOKENIZER?: string;

  @OneOf(SCOPES) readonly TOOL_SEARCH_ACTIVATION_SCOPE?: string;
  @OneOf(ACTIVATE_ON) readonly TOOL_SEARCH_ACTIVATE_ON?: string;
  @Whole(0, 100_000) readonly TOOL_SEARCH_ACTIVATION_MAX_TOOLS?: number;
  @Whole(0, 100_000_000) readonly TOOL_SEARCH_ACTIVATION_MAX_TOKENS?: number;
  @OneOf(WHEN_FULL) readonly TOOL_SEARCH_ACTIVATION_WHEN_FULL?: string;
  @List(GLOB) readonly TOOL_SEARCH_ACTIVATION_PINNED?: readonly string[];
  @Whole(1000, 86_400_000) readonly TOOL_SEARCH_ACTIVATION_CACHE_TTL_MS?: number;
  @Whole(0, 31_536_000_000) readonly TOOL_SEARCH_ACTIVATION_IDLE_TTL_MS?: number;
  @Whole(0, 86_400_000) readonly TOOL_SEARCH_ACTIVATION_SWEEP_EVERY_MS?: number;

  @OneOf(ON_DRIFT) readonly TOOL_SEARCH_RUNS_ON_DRIFT?: string;
  @Whole(0, 31_536_000_000) readonly TOOL_SEARCH_RUNS_TTL_MS?: number;

  @Flag() readonly TOOL_SEARCH_HINTS_ENABLED?: boolean;
  @Whole(1, 20) readonly TOOL_SEARCH_HINTS_TOP_K?: number;
  @Flag() readonly TOOL_SEARCH_HINTS_INCLUDE_ALWAYS_LOADED?: boolean;
  @OneOf(TYPES) readonly TOOL_SEARCH_HINTS_TYPE?: string;
  @Flag() readonly TOOL_SEARCH_DIRECTORY_ENABLED?: boolean;
  @OneOf(DETAILS) readonly TOOL_SEARCH_DIRECTORY_DETAIL?: string;
  @Whole(0, 1_000_000) readonly TOOL_SEARCH_DIRECTORY_MAX_TOKENS?: number;
  @Whole(1, 100) readonly TOOL_SEARCH_DIRECTORY_MAX_GROUPS?: number;
  @Whole(0, 50) readonly TOOL_SEARCH_DIRECTORY_MAX_TOOLS_PER_GROUP?: number;
  @Flag() readonly TOOL_SEARCH_DIRECTORY_INCLUDE_TOOL_COUNTS?: boolean;
  @Flag() readonly TOOL_SEARCH_DIRECTORY_INCLUDE_DEFAULT_GROUPS?: boolean;
  /** JSON: `[{ "title": …, "namespaces": […] }]`. */
  @Transform(({ value }) => parsed(value))
  @IsOptional()
  @IsObject({ each: true, message: 'TOOL_SEARCH_DIRECTORY_GROUPS must be a JSON list of groups' })
  readonly TOOL_SEARCH_DIRECTORY_GROUPS?: readonly { readonly title: string }[];
  @Flag() readonly TOOL_SEARCH_EXAMPLES_ENABLED?: boolean;
  @Whole(1, 10) readonly TOOL_SEARCH_EXAMPLES_MAX_PER_TOOL?: number;
  @Flag() readonly TOOL_SEARCH_EXAMPLES_INCLUDE_DESCRIPTIONS?: boolean;
  @Flag() readonly TOOL_SEARCH_EXAMPLES_IN_DEFINITIONS?: boolean;
  @List(TAG) readonly TOOL_SEARCH_EXAMPLES_FILTER_TAGS?: readonly string[];

  @Whole(10, 60_000) readonly TOOL_SEARCH_CONTROL_POLL_MS?: number;
  @Whole(10, 60_000) readonly TOOL_SEARCH_CONTROL_READ_DEADLINE_MS?: number;
  @Whole(10, 3_600_000) readonly TOOL_SEARCH_CONTROL_STALE_AFTER_MS?: number;
  @Whole(100, 3_600_000) readonly TOOL_SEARCH_CONTROL_CLOSED_AFTER_MS?: number;
  @Flag() readonly TOOL_SEARCH_CONTROL_LISTEN?: boolean;
  @Whole(1, 604_800_000) readonly TOOL_SEARCH_APPROVALS_APPROVED_FOR_MS?: number;
  @Whole(1, 604_800_000) readonly TOOL_SEARCH_APPROVALS_ASKED_FOR_MS?: number;
  @Whole(1, 100_000) readonly TOOL_SEARCH_APPROVALS_MAX_OPEN?: number;
  @Whole(1, 100_000) readonly TOOL_SEARCH_APPROVALS_MAX_OPEN_PER_USER?: number;

  @Whole(1, 100_000_000) readonly TOOL_SEARCH_ADMIN_WRITES_PER_MINUTE?: number;
  @Whole(1, 100_000_000) readonly TOOL_SEARCH_ADMIN_READS_PER_MINUTE?: number;

  @Whole(1, 60_000) readonly TOOL_SEARCH_VISIBILITY_DEADLINE_MS?: number;
  @Whole(1024, 1_073_741_824) readonly TOOL_SEARCH_MAX_RESULT_BYTES?: number;
  @Whole(1, 86_400_000) readonly TOOL_SEARCH_BOOT_WAIT_MS?: number;
  @Whole(1, 86_400_000) readonly TOOL_SEARCH_RETRY_MIN_MS?: number;
  @Whole(1, 86_400_000) readonly TOOL_SEARCH_RETRY_MAX_MS?: number;
  @Whole(1, 86_400_000) readonly TOOL_SEARCH_REFRESH_EVERY_MS?: number;
}

function parsed(value: unknown): unknown {
  if (typeof value !== 'string') return value;
  try {
    return JSON.parse(value);
  } catch {
    return value;
  }
}

const OWN_PREFIX = 'TOOL_SEARCH_';
const TEST_PREFIX = 'TOOL_SEARCH_TEST_';
const OTHERS = [
  'HOST',
  'PORT',
  'NODE_ENV',
  'DATA_DIR',
  'SQLITE_PATH',
  'DATABASE_URL',
  'DEMO_TOKENS',
  'MODEL',
  'OPENAI_API_KEY',
  'OPENAI_BASE_URL',
  'ANTHROPIC_API_KEY',
  'GITHUB_TOKEN',
];

/**
 * Validates the environment. An empty value counts as unset.
 *
 * @throws Error for an unknown `TOOL_SEARCH_*` variable or an illegal value; the message names the variable and does
 * not repeat the value
 */
export function checkedEnvironment(raw: Record<string, unknown>): Environment {
  const ours = Object.entries(raw).filter(
    ([key, value]) =>
      value !== '' && (OTHERS.includes(key) || (key.startsWith(OWN_PREFIX) && !key.startsWith(TEST_PREFIX))),
  );
  const environment = plainToInstance(Environment, Object.fromEntries(ours));
  const faults = validateSync(environment, { whitelist: true, forbidNonWhitelisted: true }).flatMap((error) =>
    Object.values(error.constraints ?? { unknown: `${error.property} is not valid` }),
  );
  if (environment.NODE_ENV === 'production' && environment.DEMO_TOKENS !== undefined) {
    faults.push('DEMO_TOKENS must not be set when NODE_ENV=production: they are published');
  }
  if (environment.TOOL_SEARCH_INSTANCES > 1 && environment.DATABASE_URL === undefined) {
    faults.push('TOOL_SEARCH_INSTANCES above 1 needs DATABASE_URL: a SQLite file serves one process');
  }
  if (faults.length > 0) throw new Error(`The environment is not usable:\n- ${faults.join('\n- ')}`);
  return environment;
}
