import { toolPolicy } from '../../access/policies/tool-policy.js';
import { DEFERRALS, EXPOSURE_OPTIONS } from '../../exposure/exposure-mode.js';
import { PRESETS } from '../../exposure/presets/presets.js';
import { reservedNames, withPreset } from '../../exposure/with-preset.js';
import { isObject } from '../../json/json.js';
import { checkGlob } from '../../tool/tool-name.js';
import { ToolSearchError } from '../../tool/tool-search.error.js';
import { isMetaName } from '../../toolbox/meta-tools/meta-names.js';
import { ON_DRIFT } from '../../toolbox/runs/run-pauses.js';
import type { ToolSearchModuleOptions } from './tool-search.options.js';

/** Validates one value; `where` names the option in the error. */
type Check = (value: unknown, where: string) => void;

const TYPES = ['bm25', 'fts', 'regex', 'exact'];

/**
 * Validates the module's options: unknown keys, numbers out of range, invalid globs.
 *
 * @throws ToolSearchError `INVALID_CONFIGURATION` with the option's name and the accepted values
 */
export function checkOptions(options: ToolSearchModuleOptions): void {
  SHAPE(options, 'ToolSearchModule');
  reservedNames(options);
  const search = withPreset(options).search ?? {};
  if ((search.limit ?? 5) > (search.maxLimit ?? 20)) fail('search.limit', 'at most search.maxLimit');
  const { pollMs = 1000, readDeadlineMs = 500, staleAfterMs = 5000, closedAfterMs = 30_000 } = options.control ?? {};
  // Three reads must fit into `closedAfterMs`, however slow, so that one failed read does not close the gate.
  if (pollMs + readDeadlineMs > closedAfterMs / 3) {
    fail('control.pollMs and control.readDeadlineMs together', 'at most a third of control.closedAfterMs');
  }
  if (staleAfterMs > closedAfterMs) fail('control.staleAfterMs', 'at most control.closedAfterMs');
  const { storage, whenFull, receiptSecret } = options.activation ?? {};
  if (storage === 'messages' && whenFull === 'demote') {
    fail('activation.whenFull', "'refuse' where activations are kept in messages: trimming them makes room");
  }
  if (receiptSecret !== undefined && storage !== 'messages') {
    fail('activation.receiptSecret', "left out unless activation.storage is 'messages'");
  }
  if (options.tokenizer !== undefined && options.countTokens) fail('tokenizer', 'left out where countTokens counts');
  const { retryMinMs = 1000, retryMaxMs = 60_000 } = options.catalog ?? {};
  if (retryMinMs > retryMaxMs) fail('catalog.retryMinMs', 'at most catalog.retryMaxMs');
}

function fail(where: string, expected: string): never {
  throw new ToolSearchError('INVALID_CONFIGURATION', `${where} must be ${expected}.`, {
    hint: 'Correct the option; docs/options.md lists all of them with their defaults.',
  });
}

const bool: Check = (value, where) => void (typeof value === 'boolean' || fail(where, 'true or false'));
const func: Check = (value, where) => void (typeof value === 'function' || fail(where, 'a function'));
const text: Check = (value, where) => void ((typeof value === 'string' && value !== '') || fail(where, 'a text'));
const prompt: Check = (value, where) => {
  const length = typeof value === 'string' ? value.trim().length : 0;
  if (length === 0 || length > 20_000) fail(where, 'true, false or a text of up to 20,000 characters');
};
const whole =
  (min: number, max: number): Check =>
  (value, where) =>
    void (
      (Number.isInteger(value) && (value as number) >= min && (value as number) <= max) ||
      fail(where, `a whole number from ${min} to ${max}`)
    );
const oneOf =
  (...choices: readonly unknown[]): Check =>
  (value, where) =>
    void (choices.includes(value) || fail(where, `one of ${choices.map(String).join(', ')}`));
const listOf =
  (item: Check): Check =>
  (value, where) => {
    if (!Array.isArray(value)) return fail(where, 'a list');
    value.forEach((each, index) => item(each, `${where}[${index}]`));
  };
const share: Check = (value, where) =>
  void ((typeof value === 'number' && value >= 0 && value <= 1) || fail(where, 'a number from 0 to 1'));
const percent: Check = (value, where) =>
  void ((typeof value === 'number' && value > 0 && value <= 100) || fail(where, 'a number over 0, at most 100'));
const nonEmpty =
  (list: Check): Check =>
  (value, where) => {
    list(value, where);
    if ((value as unknown[]).length === 0) fail(where, 'a list with at least one entry');
  };
const metaName: Check = (value, where) =>
  void (isMetaName(value) || fail(where, 'a letter, then up to 63 of letters, digits, "_" and "-"'));
const secret: Check = (value, where) =>
  void ((typeof value === 'string' && value.length >= 16) || fail(where, 'a text of at least 16 characters'));
const glob: Check = (value, where) => void checkGlob(value, where);

function object(fields: Readonly<Record<string, Check>>, required: readonly string[] = []): Check {
  return (value, where) => {
    if (!isObject(value)) return fail(where, 'an object');
    for (const [key, field] of Object.entries(value)) {
      const check = Object.hasOwn(fields, key) ? fields[key] : undefined;
      if (!check) {
        throw new ToolSearchError('INVALID_CONFIGURATION', `${where} has no option ${JSON.stringify(key)}.`, {
          hint: `Known options: ${Object.keys(fields).join(', ')}.`,
        });
      }
      if (field !== undefined) check(field, where === 'ToolSearchModule' ? key : `${where}.${key}`);
    }
    for (const key of required) if (value[key] === undefined) fail(`${where}: ${key}`, 'given');
  };
}

const checkEmbedder: Check = (value, where) => {
  if (!isObject(value)) return fail(where, 'an embedder with id, dimensions and embed');
  const { id, dimensions, embed } = value;
  text(id, `${where}.id`);
  if (String(id).length > 200) fail(`${where}.id`, 'at most 200 characters long');
  whole(1, 4096)(dimensions, `${where}.dimensions`);
  func(embed, `${where}.embed`);
};

const milliseconds = whole(1, 86_400_000);

const LEDGER = object({ countAll: bool, flushEveryMs: whole(10, 3_600_000), ttlMs: whole(0, 31_536_000_000) });

const EXPOSURE = object({
  mode: oneOf(...EXPOSURE_OPTIONS),
  deferral: oneOf(...DEFERRALS),
  forContext: func,
  thresholdPct: percent,
  contextWindow: whole(1000, 100_000_000),
  guidance: (value, where) => (typeof value === 'boolean' ? undefined : prompt(value, where)),
  metaTools: object({ search: metaName, get: metaName, load: metaName, call: metaName }),
  hints: object({ enabled: bool, topK: whole(1, 20), includeAlwaysLoaded: bool, type: oneOf(...TYPES) }),
  directory: object({
    enabled: bool,
    detail: oneOf('full', 'names', 'groups'),
    maxTokens: whole(0, 1_000_000),
    maxGroups: whole(1, 100),
    maxToolsPerGroup: whole(0, 50),
    includeToolCounts: bool,
    includeDefaultGroups: bool,
    groups: listOf(
      object({ title: text, trigger: text, namespaces: listOf(text), tags: listOf(text), names: listOf(glob) }, [
        'title',
      ]),
    ),
  }),
});

const SHAPE = object(
  {
    context: func,
    sources: listOf((value, where) => {
      const source = value as { load?: unknown; call?: unknown };
      if (typeof value !== 'function' && !(isObject(value) && 'load' in source && 'call' in source)) {
        fail(where, 'a tool source or a provider class that implements one');
      }
    }),
    policy: (value) => void toolPolicy(value, 'policy'),
    preset: oneOf(...Object.keys(PRESETS)),
    defaultLoading: oneOf('always', 'deferred'),
    alwaysLoaded: listOf(glob),
    exposure: (value, where) => (isObject(value) ? EXPOSURE(value, where) : oneOf(...EXPOSURE_OPTIONS)(value, where)),
    search: object({
      limit: whole(1, 20),
      maxLimit: whole(1, 100),
      types: nonEmpty(listOf(oneOf(...TYPES))),
      ftsFallback: oneOf('bm25', 'regex', 'exact'),
      preferredNamespaces: listOf(text),
      replyTokens: whole(50, 100_000),
      offerTokens: whole(0, 1_000_000),
      minScore: share,
      cache: bool,
      embedder: checkEmbedder,
      dense: object({
        weight: share,
        minSimilarity: share,
        queryDeadlineMs: whole(1, 60_000),
        buildWaitMs: whole(0, 600_000),
      }),
      gaps: object({
        keepQueries: bool,
        maxQueries: whole(1, 100_000),
        idleMs: whole(1000, 86_400_000),
        flushEveryMs: whole(10, 3_600_000),
        ttlMs: whole(0, 31_536_000_000),
      }),
      learning: object({ from: oneOf('tenant', 'everyone'), perTool: whole(1, 1000), perTenant: whole(1, 100_000) }, [
        'from',
      ]),
    }),
    activation: object({
      scope: oneOf('run', 'session'),
      storage: oneOf('store', 'messages'),
      receiptSecret: secret,
      activateOn: oneOf('call', 'load', 'search'),
      maxTools: whole(0, 100_000),
      maxTokens: whole(0, 100_000_000),
      whenFull: oneOf('refuse', 'demote'),
      pinned: listOf(glob),
      cacheTtlMs: whole(1000, 86_400_000),
      idleTtlMs: whole(0, 31_536_000_000),
      sweepEveryMs: whole(0, 86_400_000),
    }),
    runs: object({ onDrift: oneOf(...ON_DRIFT), ttlMs: whole(0, 31_536_000_000) }),
    examples: object({
      enabled: bool,
      maxPerTool: whole(1, 10),
      includeDescriptions: bool,
      inDefinitions: bool,
      filterTags: listOf(text),
    }),
    visibility: object({ deadlineMs: whole(1, 60_000), required: listOf(func) }),
    control: object({
      pollMs: whole(10, 60_000),
      readDeadlineMs: whole(10, 60_000),
      staleAfterMs: whole(10, 3_600_000),
      closedAfterMs: whole(100, 3_600_000),
      listen: bool,
    }),
    approvals: object({
      approvedForMs: whole(1, 604_800_000),
      askedForMs: whole(1, 604_800_000),
      maxOpen: whole(1, 100_000),
      maxOpenPerUser: whole(1, 100_000),
    }),
    tenantSources: object(
      { load: func, idleMs: whole(1000, 31_536_000_000), maxTenants: whole(1, 100_000), waitMs: whole(0, 600_000) },
      ['load'],
    ),
    calls: object({ maxResultBytes: whole(1024, 1_073_741_824) }),
    catalog: object({
      bootWaitMs: milliseconds,
      retryMinMs: milliseconds,
      retryMaxMs: milliseconds,
      refreshEveryMs: milliseconds,
    }),
    countTokens: func,
    tokenizer: oneOf('o200k_base', 'estimate'),
    ledger: (value, where) => void (value === false || LEDGER(value, where)),
    index: (value, where) => {
      const { engine, apply, search } = (value ?? {}) as Record<string, unknown>;
      if (typeof engine !== 'string' || typeof apply !== 'function' || typeof search !== 'function') {
        fail(where, 'a search engine: an object with engine, apply() and search()');
      }
    },
  },
  ['context'],
);
