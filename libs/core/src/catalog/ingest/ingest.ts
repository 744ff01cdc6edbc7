import { deepFreeze, isObject, type JsonObject } from '../../json/json.js';
import type { Loading, ToolDeclaration, ToolDefinition } from '../../tool/tool-definition.js';
import { atOnce } from '../../async/time-slicer.js';
import { canonicalName, isLegalName } from '../../tool/tool-name.js';
import { isToolSearchError, ToolSearchError, type ToolSearchErrorCode } from '../../tool/tool-search.error.js';
import type { ToolExecutor, ToolSource } from '../../tool/tool-source.js';
import { renamed, underShownNames } from './argument-names.js';
import { checkedExamples, checkedQueries, schemaExamples } from './checked-examples.js';
import { checkedInput, type CheckedOutput, checkedOutput } from '../schema/checked-schema.js';
import { checkedApp } from './checked-app.js';
import { fieldFault } from './validate-declaration.js';
import { hashOfText, stableJson } from '../../json/stable-hash.js';
import { isTrustedSource } from './trusted-source.js';
import { redactedText } from './secret-shapes.js';
import { checkedSourceDescription } from '../loading/source-description.js';
import { checkCount, type LoadLimits, sourceLimits } from '../loading/source-limits.js';
import { certainFault } from './certain-fault.js';
import { printed } from './printed.js';
import { DEFINITION_SIZE, type WatchedTool } from '../pinning/tool-origin.js';
import { reservedNames } from '../names/reserved-names.js';

export interface IngestedTool {
  readonly definition: ToolDefinition;
  readonly executor: ToolExecutor;
}

/** A tool that was refused, and why. The other tools of its source are not affected. */
export interface Refusal {
  readonly source: string;
  readonly name: string;
  readonly code: ToolSearchErrorCode;
  readonly reason: string;
  /** Number of tools that the source left out for this reason; `name` is the first. Absent for one tool. */
  readonly count?: number;
}

/** A tool that was accepted after a part of it was changed, and what was changed. */
export interface Amendment {
  readonly name: string;
  readonly reason: string;
  /** Number of tools that the source offers so for this reason; `name` is the first. Absent for one tool. */
  readonly count?: number;
}

export interface Ingested {
  readonly tools: readonly IngestedTool[];
  readonly refused: readonly Refusal[];
  readonly amended: readonly Amendment[];
  /** Characters of JSON that were processed: the cost of the load. */
  readonly chars: number;
}

export const NOTHING_INGESTED: Ingested = { tools: [], refused: [], amended: [], chars: 0 };

interface LoadRules {
  readonly limits: LoadLimits;
  readonly loadingOf: LoadingRule;
  readonly sourceDescription: string | undefined;
  readonly watched: (name: string) => WatchedTool;
  readonly ownCode: boolean;
  readonly isTaken: (name: string) => boolean;
}

export type LoadingRule = (name: string, declared: Loading | undefined, source: ToolSource) => Loading;

const DEFAULT_CALL_TIMEOUT_MS = 30_000;
const MAX_NAME = 128;
const MAX_REASON = 200;
const NOT_WATCHED: WatchedTool = {};
const READS: ReadonlySet<unknown> = new Set(['read', 'pure']);
const OWN_NAMES_ONLY = reservedNames();

/** Like {@link ingesting}, without pauses: for tools of the application's own code. */
export function ingest(...parts: Parameters<typeof ingesting>): Ingested {
  return atOnce(ingesting(...parts));
}

/**
 * Checks and completes all declarations of a source. A bad tool is refused with a reason and does not affect the
 * others. A source with more tools than its limit is refused as a whole, because which part of it is kept would depend
 * on its order. Yields between tools, and within a large one.
 *
 * @param watched the result of the change watch for a tool, by the source's own name. @default nothing
 * @param isTaken whether a name is reserved for a meta tool. @default the names of `META_TOOL_NAMES`
 * @param limits the limits of this source. @default its own, and the defaults of the others
 * @throws ToolSearchError `SOURCE_LIMIT` or `UPSTREAM_INVALID` for the source as a whole
 */
export function* ingesting(
  source: ToolSource,
  declarations: readonly ToolDeclaration[],
  loadingOf: LoadingRule,
  watched: (name: string) => WatchedTool = () => NOT_WATCHED,
  isTaken = OWN_NAMES_ONLY,
  limits = sourceLimits(source),
): Generator<void, Ingested> {
  checkCount(source, declarations, limits);
  const tools: IngestedTool[] = [];
  const refused: Refusal[] = [];
  const amended: Amendment[] = [];
  let chars = 0;
  const names = declarations.map((declaration: unknown) => nameOf(source, declaration));
  const twice = repeated(names);
  const ownCode = isTrustedSource(source);
  const { text: sourceDescription, fault } = checkedSourceDescription(source.description);
  const rules = { limits, loadingOf, sourceDescription, watched, ownCode, isTaken };
  for (const [index, declaration] of declarations.entries()) {
    const name = names[index];
    yield;
    chars += charsOf(declaration);
    try {
      if (name === undefined) throw invalid('the name is missing');
      if (twice.has(name)) throw new ToolSearchError('DUPLICATE_TOOL', 'the source lists this name more than once');
      const { amendments, ...tool } = yield* ingestOne(source, name, declaration, rules);
      tools.push(tool);
      amended.push(...amendments.map((reason) => printable({ name, reason })));
    } catch (error) {
      const { code, message } = isToolSearchError(error) ? error : invalid('the definition is malformed');
      const declared = name === undefined ? '' : String(declaration.name);
      refused.push({ source: source.name, code, ...printable({ name: declared, reason: message }) });
    }
  }
  // No tool is refused because of it.
  if (fault !== undefined) amended.push(printable({ name: 'its own description', reason: `left out, for ${fault}` }));
  for (const { name, reason, count = 1, isOffered = false } of source.leftOut?.() ?? []) {
    const report = printable({ name, reason, ...(count > 1 && { count }) });
    if (isOffered) amended.push(report);
    else refused.push({ source: source.name, code: 'INVALID_TOOL', ...report });
  }
  return { tools, refused, amended, chars };
}

function charsOf(declaration: unknown): number {
  try {
    return JSON.stringify(declaration)?.length ?? 0;
  } catch {
    // It is not JSON, so ingestion refuses it.
    return 0;
  }
}

function printable({ name, reason, ...rest }: Amendment): Amendment {
  return { name: printed(name, MAX_NAME), reason: printed(reason, MAX_REASON), ...rest };
}

/** Number of tools in a list of refusals or amendments. */
export function toolCount(reports: readonly { readonly count?: number }[]): number {
  return reports.reduce((sum, { count = 1 }) => sum + count, 0);
}

function nameOf(source: ToolSource, declaration: unknown): string | undefined {
  if (!isObject(declaration)) return undefined;
  const { namespace = source.name, name } = declaration;
  if (typeof namespace !== 'string' || typeof name !== 'string' || name.trim() === '') return undefined;
  return canonicalName(namespace, name);
}

function repeated(names: readonly (string | undefined)[]): ReadonlySet<string | undefined> {
  const seen = new Set<string | undefined>();
  return new Set(names.filter((name) => seen.has(name) || !seen.add(name)));
}

function* ingestOne(
  source: ToolSource,
  name: string,
  declaration: ToolDeclaration,
  { limits, loadingOf, sourceDescription, watched, ownCode, isTaken }: LoadRules,
): Generator<void, IngestedTool & { readonly amendments: readonly string[] }> {
  if (!isLegalName(name)) throw invalid('the name must be 1 to 128 of letters, digits, "_", "-" and "."');
  if (isTaken(name)) throw invalid('the name is reserved for a meta tool');
  const { fingerprint, suspectSince, ...report } = watched(declaration.name);
  const fault = report.fault ?? fieldFault(declaration, limits.descriptionChars);
  if (fault !== undefined) throw invalid(fault);
  const { kind, uri, mimeType } = declaration;
  const apps = checkedApp(source, declaration);
  if ('fault' in apps) throw invalid(apps.fault);
  const isExposed = kind === undefined || apps.appPage !== undefined || source.exposes?.includes(kind);
  if (!isExposed) throw invalid(`the source does not expose a ${kind}`);
  if (ownCode && declaration.cache && !READS.has(declaration.sideEffects)) {
    throw invalid('cache is only for the side effects "read" and "pure"');
  }
  if (declaration.aliases?.some(isTaken)) throw invalid('an alias is reserved for a meta tool');

  const { namespace = source.name, outputSchema } = declaration;
  const input = checkedInput(declaration.inputSchema === undefined ? {} : declaration.inputSchema, limits, ownCode);
  if ('fault' in input) throw invalid(`inputSchema ${input.fault}`);
  yield;
  const output = outputSchema === undefined ? undefined : checkedOutput(outputSchema, limits);
  if (output && 'fault' in output && source.strict) throw invalid(`outputSchema ${output.fault}`);
  yield;
  const description = redactedText(declaration.description);
  const declared = declaration.examples ?? schemaExamples(declaration.inputSchema);
  const { examples, misfit, redacted } = checkedExamples(declared, input.validate);
  const { queries, withheld } = checkedQueries(declaration.exampleQueries);
  if (misfit !== undefined && source.strict) throw invalid(misfit);
  const definition = {
    name,
    namespace: namespace === '' ? beforeLastDot(name) : namespace,
    kind,
    uri,
    mimeType,
    title: declaration.title,
    description,
    tags: [...new Set(declaration.tags)],
    sideEffects: declaration.sideEffects ?? 'external',
    inputSchema: input.schema,
    outputSchema: output && 'schema' in output ? output.schema : undefined,
    examples: examples.map((example) => ({ ...example, args: renamed(example.args, input.names) as JsonObject })),
    exampleQueries: queries,
    // A context item is never activated.
    loading: kind === undefined ? loadingOf(name, declaration.loading, source) : 'always',
    aliases: declaration.aliases ?? [],
    authScopes: declaration.authScopes ?? [],
    costHint: declaration.costHint,
    latencyHintMs: declaration.latencyHintMs,
    safetyNotes: declaration.safetyNotes,
    deprecated: declaration.deprecated,
    annotations: declaration.annotations,
    extra: declaration.extra,
    ...apps,
    source: source.name,
    sourceDescription,
    owner: source.owner ?? '',
    fingerprint,
  };
  yield;
  const text = stableJson(definition);
  const maxBytes = DEFINITION_SIZE * limits.schemaBytes;
  if (Buffer.byteLength(text) > maxBytes) throw invalid(`the definition is larger than ${maxBytes} bytes`);
  const hash = hashOfText(text);
  yield;
  const suspicions = [report.suspicion, certainFault(declaration, ownCode)].filter((each) => each !== undefined);
  const suspicion = suspicions.length > 0 ? { suspicion: suspicions.join('; '), suspectSince } : {};
  return {
    definition: ownCopy({ ...definition, hash, ...suspicion }),
    executor: {
      source,
      localName: declaration.name,
      timeoutMs: declaration.timeoutMs ?? source.callTimeoutMs ?? DEFAULT_CALL_TIMEOUT_MS,
      // Settings of the application: nobody else's source can set them.
      ...(ownCode && {
        cache: declaration.cache,
        invalidates: declaration.invalidates,
        untrusted: declaration.untrusted,
      }),
      validate: declaration.validate ? underShownNames(declaration.validate, input.names) : input.validate,
      ...(input.names.size > 0 && { shownNames: input.names }),
    },
    amendments: [
      ...input.changes.map((change) => `inputSchema: ${change}`),
      ...(output ? outputAmendments(output) : []),
      ...(misfit !== undefined ? ['an example that does not fit the input schema is left out'] : []),
      ...(redacted ? ['what looks like a credential in an example is replaced'] : []),
      ...(description === declaration.description
        ? []
        : ['what looks like a credential in the description is replaced']),
      ...(withheld ? ['an example query with what looks like a credential is left out'] : []),
    ],
  };
}

/** A copy that later changes by the source cannot reach, without undefined members. Its schemas are copies already. */
function ownCopy(definition: ToolDefinition): ToolDefinition {
  const { inputSchema, outputSchema } = definition;
  // Not added by a spread: each definition would get a hidden class of its own, and every later access would be slower.
  const places = { inputSchema: null, ...(outputSchema && { outputSchema: null }) };
  const copy = JSON.parse(JSON.stringify({ ...definition, ...places })) as ToolDefinition;
  return deepFreeze(Object.assign(copy, { inputSchema, ...(outputSchema && { outputSchema }) }));
}

function outputAmendments(output: CheckedOutput): readonly string[] {
  if ('fault' in output) return [`the outputSchema is left out: it ${output.fault}`];
  return output.changes.map((change) => `outputSchema: ${change}`);
}

function invalid(reason: string): ToolSearchError {
  return new ToolSearchError('INVALID_TOOL', reason);
}

function beforeLastDot(name: string): string {
  return name.slice(0, Math.max(0, name.lastIndexOf('.')));
}
