import { deepFreeze, depthOf, isObject, type JsonSchema, poisonedKey } from '../tool/json.js';
import type { Loading, ToolDeclaration, ToolDefinition } from '../tool/tool-definition.js';
import { canonicalName, isLegalName } from '../tool/tool-name.js';
import { jsonSchemaValidator, schemaFault } from '../tool/tool-schema.js';
import { isToolSearchError, ToolSearchError, type ToolSearchErrorCode } from '../tool/tool-search.error.js';
import type { SourceLimits, ToolExecutor, ToolSource } from '../tool/tool-source.js';
import { checkedExamples } from './checked-examples.js';
import { checkedQueries } from './checked-queries.js';
import { fieldFault, isReserved } from './declared-fields.js';
import { definitionHash, stableHash } from './definition-hash.js';
import { referenceFault } from './schema-references.js';
import { checkedSourceDescription } from './source-description.js';

/** A tool that passed every check. */
export interface IngestedTool {
  readonly definition: ToolDefinition;
  readonly executor: ToolExecutor;
}

/** A tool that did not, and why; the rest of its source is untouched. */
export interface Refusal {
  readonly source: string;
  readonly name: string;
  readonly code: ToolSearchErrorCode;
  readonly reason: string;
}

/** A tool that was taken up after something about it had been changed, and what. */
export interface Amendment {
  readonly name: string;
  readonly reason: string;
}

/** What one load of a source came to. */
export interface Ingested {
  readonly tools: readonly IngestedTool[];
  readonly refused: readonly Refusal[];
  readonly amended: readonly Amendment[];
}

/** What holds for every tool of one load. */
interface LoadRules {
  readonly limits: Required<SourceLimits>;
  readonly loadingOf: LoadingRule;
  readonly sourceDescription: string | undefined;
}

/** Decides a tool's loading from what it, its source and the module say. */
export type LoadingRule = (name: string, declared: Loading | undefined, source: ToolSource) => Loading;

/** Limits where a source names none. */
export const DEFAULT_SOURCE_LIMITS: Required<SourceLimits> = {
  tools: 1000,
  schemaBytes: 65_536,
  schemaDepth: 32,
  descriptionChars: 8192,
};

const DEFAULT_CALL_TIMEOUT_MS = 30_000;
const MAX_NAME = 128;
const MAX_REASON = 200;
const NO_ARGUMENTS: JsonSchema = { type: 'object', properties: {} };
/** Bytes of a whole definition, in multiples of what one schema may have. */
const DEFINITION_SIZE = 4;

/**
 * Checks and completes everything a source handed over. A bad tool is refused with a reason and never spoils the rest;
 * only a source that hands over more tools than its limit is refused as a whole, because a part of a catalog would be
 * an accident of order.
 *
 * @throws ToolSearchError `SOURCE_LIMIT` or `UPSTREAM_INVALID` for the source as a whole
 */
export function ingest(source: ToolSource, declarations: readonly ToolDeclaration[], loadingOf: LoadingRule): Ingested {
  const limits = { ...DEFAULT_SOURCE_LIMITS, ...withoutUndefined(source.limits ?? {}) };
  if (!Array.isArray(declarations)) {
    throw new ToolSearchError('UPSTREAM_INVALID', `Source ${source.name} did not answer with a list of tools.`);
  }
  if (declarations.length > limits.tools) {
    throw new ToolSearchError(
      'SOURCE_LIMIT',
      `Source ${source.name} brought ${declarations.length} tools; its limit is ${limits.tools}.`,
      { hint: 'Narrow the source with include or exclude, or raise limits.tools for it.' },
    );
  }
  const tools: IngestedTool[] = [];
  const refused: Refusal[] = [];
  const amended: Amendment[] = [];
  const names = declarations.map((declaration: unknown) => nameOf(source, declaration));
  const twice = repeated(names);
  const { text: sourceDescription, fault } = checkedSourceDescription(source.description);
  const rules = { limits, loadingOf, sourceDescription };
  for (const [index, declaration] of declarations.entries()) {
    const name = names[index];
    try {
      if (name === undefined) throw invalid('the name is missing');
      if (twice.has(name)) throw new ToolSearchError('DUPLICATE_TOOL', 'the source lists this name more than once');
      const { amendments, ...tool } = ingestOne(source, name, declaration, rules);
      tools.push(tool);
      amended.push(...amendments.map((reason) => printable({ name, reason })));
    } catch (error) {
      const { code, message } = isToolSearchError(error) ? error : invalid('the definition is malformed');
      const declared = name === undefined ? '' : String(declaration.name);
      refused.push({ source: source.name, code, ...printable({ name: declared, reason: message }) });
    }
  }
  const ownFault = fault === undefined ? [] : [{ name: source.name, reason: fault }];
  for (const { name, reason } of [...ownFault, ...(source.leftOut?.() ?? [])]) {
    refused.push({ source: source.name, code: 'INVALID_TOOL', ...printable({ name, reason }) });
  }
  return { tools, refused, amended };
}

/** Name and reason as a log may show them: both can hold what the source chose, of any length and with line breaks. */
function printable({ name, reason }: Amendment): Amendment {
  return { name: printed(name, MAX_NAME), reason: printed(reason, MAX_REASON) };
}

function printed(text: string, maxChars: number): string {
  // Cut first: half a surrogate pair counts as a control character and goes as well.
  return text.slice(0, maxChars).replaceAll(/[\p{C}\p{Zl}\p{Zp}]/gu, '');
}

/** Canonical name of a declaration, or undefined when it has none. */
function nameOf(source: ToolSource, declaration: unknown): string | undefined {
  if (!isObject(declaration)) return undefined;
  const { namespace = source.name, name } = declaration;
  return typeof namespace === 'string' && typeof name === 'string' ? canonicalName(namespace, name) : undefined;
}

function repeated(names: readonly (string | undefined)[]): ReadonlySet<string | undefined> {
  const seen = new Set<string | undefined>();
  return new Set(names.filter((name) => seen.has(name) || !seen.add(name)));
}

function ingestOne(
  source: ToolSource,
  name: string,
  declaration: ToolDeclaration,
  { limits, loadingOf, sourceDescription }: LoadRules,
): IngestedTool & { readonly amendments: readonly string[] } {
  if (!isLegalName(name)) throw invalid('the name must be 1 to 128 of letters, digits, "_", "-" and "."');
  if (isReserved(name)) throw invalid('the name is reserved for a meta tool');
  const fault = fieldFault(declaration, limits.descriptionChars);
  if (fault !== undefined) throw invalid(fault);

  const { namespace = source.name, outputSchema } = declaration;
  const inputSchema = checkedSchema(
    declaration.inputSchema === undefined ? NO_ARGUMENTS : declaration.inputSchema,
    'inputSchema',
    limits,
  );
  // Tools with equal schemas share one compiled validator.
  const schemaKey = stableHash(inputSchema);
  const { examples, misfit, redacted } = checkedExamples(declaration.examples, schemaKey, inputSchema);
  const { queries, withheld } = checkedQueries(declaration.exampleQueries);
  if (misfit && source.strict) throw invalid('an example does not fit the input schema');
  const definition = withoutUndefined({
    name,
    namespace: namespace === '' ? beforeLastDot(name) : namespace,
    title: declaration.title,
    description: declaration.description,
    tags: [...new Set(declaration.tags)],
    sideEffects: declaration.sideEffects ?? 'external',
    inputSchema,
    outputSchema: outputSchema === undefined ? undefined : checkedSchema(outputSchema, 'outputSchema', limits),
    examples,
    exampleQueries: queries,
    loading: loadingOf(name, declaration.loading, source),
    aliases: declaration.aliases ?? [],
    authScopes: declaration.authScopes ?? [],
    costHint: declaration.costHint,
    latencyHintMs: declaration.latencyHintMs,
    safetyNotes: declaration.safetyNotes,
    deprecated: declaration.deprecated,
    annotations: declaration.annotations,
    extra: declaration.extra,
    source: source.name,
    sourceDescription,
    owner: source.owner ?? '',
  });
  // A copy through JSON: what the source keeps and changes later must not reach the catalog.
  const json = JSON.stringify({ ...definition, hash: definitionHash(definition) });
  const maxBytes = DEFINITION_SIZE * limits.schemaBytes;
  if (Buffer.byteLength(json) > maxBytes) throw invalid(`the definition is larger than ${maxBytes} bytes`);
  const complete = JSON.parse(json) as ToolDefinition;
  return {
    definition: deepFreeze(complete),
    executor: {
      source,
      localName: declaration.name,
      timeoutMs: declaration.timeoutMs ?? source.callTimeoutMs ?? DEFAULT_CALL_TIMEOUT_MS,
      validate: declaration.validate ?? jsonSchemaValidator(schemaKey, complete.inputSchema),
    },
    amendments: [
      ...(misfit ? ['an example that does not fit the input schema is left out'] : []),
      ...(redacted ? ['what looks like a credential in an example is replaced'] : []),
      ...(withheld ? ['an example query with what looks like a credential is left out'] : []),
    ],
  };
}

function invalid(reason: string): ToolSearchError {
  return new ToolSearchError('INVALID_TOOL', reason);
}

function beforeLastDot(name: string): string {
  return name.slice(0, Math.max(0, name.lastIndexOf('.')));
}

function checkedSchema(schema: JsonSchema, field: string, limits: Required<SourceLimits>): JsonSchema {
  const refuse = (reason: string): never => {
    throw invalid(`${field} ${reason}`);
  };
  if (!isObject(schema)) refuse('must be a JSON Schema object');
  if (depthOf(schema, limits.schemaDepth) > limits.schemaDepth)
    refuse(`is nested deeper than ${limits.schemaDepth} levels`);
  const poison = poisonedKey(schema);
  if (poison !== undefined) refuse(`has the forbidden key ${poison}`);
  if (Buffer.byteLength(JSON.stringify(schema)) > limits.schemaBytes)
    refuse(`is larger than ${limits.schemaBytes} bytes`);
  if (schema['type'] !== 'object' && !(field === 'outputSchema' && schema['type'] === undefined)) {
    refuse('must describe an object at its root');
  }
  const fault = referenceFault(schema) ?? schemaFault(schema);
  if (fault !== undefined) refuse(fault);
  return schema;
}

function withoutUndefined<T extends object>(value: T): T {
  return Object.fromEntries(Object.entries(value).filter(([, field]) => field !== undefined)) as T;
}
