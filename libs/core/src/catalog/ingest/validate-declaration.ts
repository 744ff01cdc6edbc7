import { isDeprecation } from '../../tool/deprecation.js';
import { depthOf, isObject } from '../../json/json.js';
import { ITEM_KINDS, SIDE_EFFECTS, type ToolDeclaration } from '../../tool/tool-definition.js';
import { isSafeText } from '../../json/safe-text.js';
import { cacheRule } from '../../tool/source/cache-rule.js';
import { hidesText } from './hidden-text.js';
import { glob } from '../../tool/source/source-options.js';
import { isLegalName, META_TOOL_NAMES } from '../../tool/tool-name.js';

interface Shape {
  readonly expected: string;
  readonly accepts: (value: unknown) => boolean;
}

const MAX_DEPTH = 16;
const DAY_MS = 86_400_000;

const text = (max: number): Shape => ({
  expected: `a text of 1 to ${max} characters`,
  accepts: (value) => typeof value === 'string' && value !== '' && value.length <= max,
});
const listOf = (max: number, item: Shape, each: string): Shape => ({
  expected: `a list of at most ${max}, each ${each}`,
  accepts: (value) => Array.isArray(value) && value.length <= max && value.every((one) => item.accepts(one)),
});
const oneOf = (...choices: readonly string[]): Shape => ({
  expected: `one of ${choices.join(', ')}`,
  accepts: (value) => choices.includes(value as string),
});
const json: Shape = {
  expected: `an object of at most ${MAX_DEPTH} levels`,
  accepts: (value) => isObject(value) && depthOf(value, MAX_DEPTH) <= MAX_DEPTH,
};
const freeName: Shape = {
  expected: 'a legal name',
  accepts: (value) => typeof value === 'string' && isLegalName(value) && !isReserved(value),
};

// A scheme, and nothing that a reader does not see.
const uri: Shape = {
  expected: 'an absolute URI of at most 2048 characters',
  accepts: (value) =>
    typeof value === 'string' &&
    value.length <= 2048 &&
    /^[a-z][a-z0-9+.-]*:\S+$/i.test(value) &&
    isSafeText(value, 2048),
};

const globShape: Shape = {
  expected: 'a tool name or glob',
  accepts: (value) => typeof value === 'string' && glob().safeParse(value).success,
};

const TAGS = listOf(50, text(64), 'a text of 1 to 64 characters');

const EXAMPLE: Shape = {
  expected: '{ args, description?, tags? }',
  accepts: (value) =>
    isObject(value) &&
    json.accepts(value['args']) &&
    (value['description'] === undefined || text(1000).accepts(value['description'])) &&
    (value['tags'] === undefined || TAGS.accepts(value['tags'])),
};

const OPTIONAL = Object.entries<Shape>({
  kind: oneOf(...ITEM_KINDS),
  uri,
  mimeType: text(256),
  title: text(256),
  tags: TAGS,
  sideEffects: oneOf(...SIDE_EFFECTS),
  loading: oneOf('always', 'deferred'),
  examples: listOf(100, EXAMPLE, EXAMPLE.expected),
  exampleQueries: listOf(20, text(200), 'a text of 1 to 200 characters'),
  aliases: listOf(50, freeName, 'a legal name that is not reserved'),
  authScopes: listOf(50, text(256), 'a text of 1 to 256 characters'),
  costHint: text(256),
  safetyNotes: text(4096),
  annotations: json,
  extra: json,
  latencyHintMs: {
    expected: 'a number of milliseconds from 0',
    accepts: (value) => typeof value === 'number' && value >= 0 && value <= Number.MAX_SAFE_INTEGER,
  },
  timeoutMs: {
    expected: `a whole number of milliseconds from 1 to ${DAY_MS}`,
    accepts: (value) => Number.isInteger(value) && (value as number) >= 1 && (value as number) <= DAY_MS,
  },
  deprecated: {
    expected: '{ since?, successor?, sunset? } with times of ISO 8601 and a legal name',
    accepts: (value) =>
      isDeprecation(value) &&
      isObject(value) &&
      (value['successor'] === undefined || freeName.accepts(value['successor'])),
  },
  cache: {
    expected: '{ ttlMs, shared?, key? } with 1 to 86400000 ms',
    accepts: (value) => cacheRule.safeParse(value).success,
  },
  untrusted: { expected: 'true or false', accepts: (value) => typeof value === 'boolean' },
  invalidates: listOf(50, globShape, globShape.expected),
  validate: { expected: 'a function', accepts: (value) => typeof value === 'function' },
} satisfies Partial<Record<keyof ToolDeclaration, Shape>>);

/** The fault of one of the plain fields of a declaration, or undefined. Names and schemas are checked elsewhere. */
export function fieldFault(declaration: ToolDeclaration, descriptionChars: number): string | undefined {
  const { description } = declaration;
  if (typeof description !== 'string' || description.trim() === '') return 'the description is missing';
  if (description.length > descriptionChars) return `the description is longer than ${descriptionChars} characters`;
  for (const [field, shape] of OPTIONAL) {
    const value = declaration[field as keyof ToolDeclaration];
    if (value !== undefined && !shape.accepts(value)) return `${field} must be ${shape.expected}`;
  }
  const { kind = 'prompt', uri: address } = declaration;
  if ((kind === 'prompt') !== (address === undefined)) return 'uri must be given for resources, and for nothing else';
  if (declaration.exampleQueries?.some(hidesText)) return 'exampleQueries hold characters that a reader does not see';
  return undefined;
}

function isReserved(name: string): boolean {
  return (META_TOOL_NAMES as readonly string[]).includes(name);
}
