import { z } from 'zod';
import { EXPOSED_KINDS, LOADINGS, SIDE_EFFECTS } from '../tool-definition.js';
import { SEARCH_TYPES } from '../tool-event.js';
import { isObject } from '../../json/json.js';
import { described, flag, list, object, oneOf, type OptionsOf, part, retired, whole } from '../../options/options.js';

/** Largest delay that a Node timer supports, in milliseconds. A larger one fires at once. */
const MAX_TIMER_MS = 2 ** 31 - 1;

/** A canonical tool name with the wildcards `*` and `?`. */
export function glob() {
  return described(
    z.string().regex(/^[A-Za-z0-9_.*?-]{1,256}$/),
    'a tool name or glob of letters, digits, "_", "-", ".", "*" and "?"',
  );
}

/** A source's name, which is also the default namespace of its tools. */
export function sourceName() {
  return described(
    z.string().regex(/^[A-Za-z0-9_.-]{1,64}$/),
    'a text of 1 to 64 of letters, digits, "_", "-" and "."',
  );
}

/** A prefix of tool names; `''` for none. */
export function namespace() {
  return described(
    z.string().regex(/^[A-Za-z0-9_.-]{0,64}$/),
    'a text of up to 64 of letters, digits, "_", "-" and "."',
  );
}

/** Whether a tool is listed from the start. */
export function loading() {
  return oneOf(...LOADINGS);
}

/** The side effects of a tool. */
export function sideEffects() {
  return oneOf(...SIDE_EFFECTS);
}

/** The policy for changed definitions. */
export function changes() {
  return oneOf('strict', 'additive', 'trust');
}

/** The treatment of tools whose texts an inspector suspects. */
export function inspection() {
  return oneOf('hold', 'report', 'off');
}

export function searchType() {
  return oneOf(...SEARCH_TYPES);
}

/** Whole milliseconds that a Node timer supports. @param min lowest value */
export function milliseconds(min = 1) {
  return whole(min, MAX_TIMER_MS);
}

/** Refuses the limits that sources had before all of them shared one, with the place where they are now. */
export function withoutTuning<S extends z.ZodObject>(limits: S): S {
  const names = ['schemaDepth', 'descriptionChars', 'changedCharsPerMinute'];
  const moved = names.map((name) => [name, `now tuning.sources.${name} of ToolSearchModule, for all sources`] as const);
  return retired(limits, Object.fromEntries(moved));
}

/** The schema of {@link SourceLimits}. */
export const sourceLimits = withoutTuning(
  object({
    /** Number of tools; a source with more is refused as a whole. @default 1000 */
    tools: whole(0, 1_000_000).default(1000),
    /** Bytes of one tool's input schema as JSON. @default 65536 */
    schemaBytes: whole(0, 1_073_741_824).default(65_536),
  }),
);

/** Limits on what one source may provide. An absent value takes the default. */
export interface SourceLimits extends OptionsOf<typeof sourceLimits> {}

/** Limits of every source that protect the process, not the catalog: nobody sets them for one source. */
export const sourceTuning = object({
  /** Levels of one schema. @default 32 */
  schemaDepth: whole(0, 10_000).default(32),
  /** Characters of a description. @default 8192 */
  descriptionChars: whole(0, 1_073_741_824).default(8192),
  /**
   * Characters of JSON that change notifications may make the source load per minute. Above the limit it is loaded less
   * often.
   *
   * @default 4194304
   */
  changedCharsPerMinute: whole(0, Number.MAX_SAFE_INTEGER).default(4_194_304),
});

export interface SourceTuning extends OptionsOf<typeof sourceTuning> {}

/** Options that the sources of other systems' tools have in common. */
export const remoteSourceOptions = object({
  /** Unique among the application's sources of one owner: 1 to 64 letters, digits, `_`, `-` and `.`. */
  name: sourceName(),
  /** The tenant that owns the source. @default all tenants share the source */
  owner: z.string().optional(),
  /** Prefix of every tool name; `''` for none. @default the source's name */
  namespace: namespace().optional(),
  /** Loading of tools that nothing else makes always loaded. @default 'deferred' */
  loading: loading().default('deferred'),
  /** The treatment of tools whose texts an inspector suspects. @default the module's `inspection` */
  inspection: inspection().optional(),
  /** Timeout of one call in milliseconds. @default 30000 */
  callTimeoutMs: milliseconds().default(30_000),
  limits: part<SourceLimits>(sourceLimits),
});

/** Returns whether these can be the examples of a tool, as far as their shape goes. */
export function areExamples(given: unknown): boolean {
  return Array.isArray(given) && given.every((each) => isObject(each) && isObject(each['args']));
}

/** Returns whether these are valid HTTP headers. */
export function areHeaders(headers: unknown): headers is Record<string, string> {
  if (!areTexts(headers)) return false;
  try {
    return Boolean(new Headers(headers));
  } catch {
    return false;
  }
}

/** Returns whether this is an object of texts. */
export function areTexts(record: unknown): record is Record<string, string> {
  return isObject(record) && Object.values(record).every((value) => typeof value === 'string');
}

/** The members of a source that the application or its author sets; any other member is the source's own. */
export const sourceSettings = z.looseObject({
  // The empty name is legal: the tools of such a source have no prefix.
  name: described(z.string(), 'a text'),
  owner: z.string().optional(),
  loading: loading().optional(),
  callTimeoutMs: milliseconds().optional(),
  loadTimeoutMs: milliseconds().optional(),
  limits: part<SourceLimits>(sourceLimits),
  strict: flag().optional(),
  changes: changes().optional(),
  inspection: inspection().optional(),
  lazy: flag().optional(),
  exposes: list(oneOf(...EXPOSED_KINDS)).optional(),
});
