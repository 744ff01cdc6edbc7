import { z } from 'zod';
import { isDeprecation } from '../../tool/deprecation.js';
import { depthOf, isObject } from '../../json/json.js';
import { allowed, described, flag, oneOf, text, value, whole } from '../../options/options.js';
import { ITEM_KINDS, SIDE_EFFECTS, type ToolDeclaration } from '../../tool/tool-definition.js';
import { isSafeText } from '../../json/safe-text.js';
import { cacheRule } from '../../tool/source/cache-rule.js';
import { hidesText } from './hidden-text.js';
import { glob, loading } from '../../tool/source/source-options.js';
import { isLegalName, META_TOOL_NAMES } from '../../tool/tool-name.js';

const MAX_DEPTH = 16;
const DAY_MS = 86_400_000;

// The length comes first: each wrong item of a list is an issue of its own.
const listOf = (max: number, item: z.ZodType, each = allowed(item)) =>
  described(
    z
      .unknown()
      .refine((given) => Array.isArray(given) && given.length <= max)
      .pipe(z.array(item)),
    `a list of at most ${max}, each ${each}`,
  );

const isFreeName = (given: unknown): boolean =>
  typeof given === 'string' && isLegalName(given) && !META_TOOL_NAMES.includes(given);

const json = value(
  (given) => isObject(given) && depthOf(given, MAX_DEPTH) <= MAX_DEPTH,
  `an object of at most ${MAX_DEPTH} levels`,
);

// A scheme, and nothing that a reader does not see.
const uri = value(
  (given) =>
    typeof given === 'string' &&
    given.length <= 2048 &&
    /^[a-z][a-z0-9+.-]*:\S+$/i.test(given) &&
    isSafeText(given, 2048),
  'an absolute URI of at most 2048 characters',
);

const tags = listOf(50, text(64));

/** An example of a declaration. */
export const declarationExample = z.object({ args: json, description: text(1000).optional(), tags: tags.optional() });

const deprecation = value(
  (given) =>
    isDeprecation(given) && isObject(given) && (given['successor'] === undefined || isFreeName(given['successor'])),
  '{ since?, successor?, sunset? } with times of ISO 8601 and a legal name',
);

/** The plain fields that a declaration may have. Names and schemas are checked elsewhere. */
export const declarationFields = z
  .object({
    kind: oneOf(...ITEM_KINDS),
    uri,
    mimeType: text(256),
    title: text(256),
    tags,
    sideEffects: oneOf(...SIDE_EFFECTS),
    loading: loading(),
    examples: listOf(100, declarationExample, '{ args, description?, tags? }'),
    exampleQueries: listOf(20, text(200)),
    aliases: listOf(50, value(isFreeName, 'a legal name that is not reserved')),
    authScopes: listOf(50, text(256)),
    costHint: text(256),
    safetyNotes: text(4096),
    annotations: json,
    extra: json,
    app: json,
    appPage: json,
    latencyHintMs: described(z.number().min(0).max(Number.MAX_SAFE_INTEGER), 'a number of milliseconds from 0'),
    timeoutMs: described(whole(1, DAY_MS), `a whole number of milliseconds from 1 to ${DAY_MS}`),
    deprecated: deprecation,
    cache: described(cacheRule, '{ ttlMs, shared?, key? } with 1 to 86400000 ms'),
    untrusted: flag(),
    invalidates: listOf(50, glob(), 'a tool name or glob'),
    validate: value((given) => typeof given === 'function', 'a function'),
  } satisfies Partial<Record<keyof ToolDeclaration, z.ZodType>>)
  .partial();

/** The fault of one of the plain fields of a declaration, or undefined. Names and schemas are checked elsewhere. */
export function fieldFault(declaration: ToolDeclaration, descriptionChars: number): string | undefined {
  const { description } = declaration;
  if (typeof description !== 'string' || description.trim() === '') return 'the description is missing';
  if (description.length > descriptionChars) return `the description is longer than ${descriptionChars} characters`;
  const [wrong] = declarationFields.safeParse(declaration).error?.issues ?? [];
  if (wrong) {
    const [field] = wrong.path as [keyof typeof declarationFields.shape];
    return `${field} must be ${allowed(declarationFields.shape[field])}`;
  }
  const { kind = 'prompt', uri: address } = declaration;
  if ((kind === 'prompt') !== (address === undefined)) return 'uri must be given for resources, and for nothing else';
  if (declaration.exampleQueries?.some(hidesText)) return 'exampleQueries hold characters that a reader does not see';
  return undefined;
}
