import { isToolSearchError, type JsonSchema, type ToolDeclaration } from '@tool-search/core';
import {
  globSet,
  hasRemoved,
  type Loading,
  type SettingsOf,
  type SideEffects,
  type ToolExample,
} from '@tool-search/core/internal';
import type { ApiAccess } from '../call/api-access.js';
import { cookieNames, joined } from '../call/operation-request.js';
import { refusal } from '../document/document-references.js';
import type { openApiSourceOptions } from '../openapi-source-options.js';
import { type FilteredOperation, OperationSelection } from './operation-filter.js';
import { type OperationOrigin, remembered } from './operation-origin.js';
import type { OperationPlan, PlannedParameter } from './operation-plan.js';
import type { OperationRemark } from './operation-remark.js';

/** Tools for the catalog, the plans of their calls, and the operations that were refused. */
export interface ConfiguredTools {
  readonly declarations: readonly ToolDeclaration[];
  readonly plans: ReadonlyMap<string, OperationPlan>;
  readonly refused: readonly OperationRemark[];
}

/** Methods that RFC 9110 and OpenAPI 3.2 call safe. */
const READING = new Set(['GET', 'HEAD', 'QUERY']);

const NOT_KNOWN_YET = 'http://own.invalid';

export interface ToolSettings {
  /** The operator's base URL for all calls; `''` if a function returns it at the call. */
  readonly baseUrl?: string;
  /** Origin of the document's address. Without a base URL, credentials are sent to this origin only. */
  readonly documentOrigin?: string;
  /** Names of the operator's headers, in lower case. */
  readonly providedHeaders: ReadonlySet<string>;
  /** Names of the cookies in the operator's headers. */
  readonly providedCookies: ReadonlySet<string>;
  readonly namespace?: string;
  readonly tags: readonly string[];
  /** Whether tools carry their origin, because changes are tracked. */
  readonly watched: boolean;
  /** Returns why a URL named by the document is not allowed; undefined if it is. */
  serverFault(url: string): string | undefined;
  loadingOf(name: string): Loading | undefined;
  sideEffectsOf(name: string): SideEffects | undefined;
  examplesOf(name: string): readonly Omit<ToolExample, 'tags'>[] | undefined;
}

interface ConfiguredTool {
  readonly declaration: ToolDeclaration;
  readonly plan: OperationPlan;
}

/** The application's settings for a source's operations: which become tools, and how. */
export class OperationSettings {
  readonly #include: OperationSelection | undefined;
  readonly #exclude: OperationSelection;
  readonly #settings: ToolSettings;

  constructor(
    private readonly options: SettingsOf<typeof openApiSourceOptions>,
    access: ApiAccess,
    documentOrigin: string | undefined,
    watched: boolean,
  ) {
    const { baseUrl, headers, namespace, tags, examples, include, exclude } = options;
    this.#include = include && new OperationSelection('include', include);
    this.#exclude = new OperationSelection('exclude', exclude);
    this.#settings = {
      baseUrl: typeof baseUrl === 'function' ? '' : baseUrl === undefined ? undefined : access.baseUrl(),
      documentOrigin,
      providedCookies: new Set(
        typeof headers === 'object' ? cookieNames(new Headers(headers).get('cookie') ?? '') : [],
      ),
      providedHeaders: new Set(
        typeof headers === 'object' ? Object.keys(headers).map((name) => name.toLowerCase()) : [],
      ),
      namespace,
      tags,
      watched,
      serverFault: (url) => access.serverFault(url),
      loadingOf: loadingOf(options.alwaysLoaded),
      sideEffectsOf: sideEffectsOf(options.sideEffects),
      examplesOf: (name): readonly Omit<ToolExample, 'tags'>[] | undefined =>
        Object.hasOwn(examples, name) ? examples[name] : undefined,
    };
  }

  takes(operation: FilteredOperation): boolean {
    return (this.#include?.matches(operation) ?? true) && !this.#exclude.matches(operation);
  }

  /** Settings that match no operation of a document, described in words; most likely typing errors. */
  unused(operations: readonly FilteredOperation[], schemes: readonly string[]): readonly string[] {
    const { alwaysLoaded, sideEffects, examples, auth = {} } = this.options;
    const taken = operations.filter((operation) => this.takes(operation)).map(({ name }) => name);
    const without = (option: string, globs: readonly string[]) =>
      globs.filter((glob) => !taken.some(globSet([glob]))).map((glob) => `${option} ${JSON.stringify(glob)}`);
    return [
      ...(this.#include?.unused(operations) ?? []),
      ...this.#exclude.unused(operations),
      ...without('alwaysLoaded', alwaysLoaded),
      ...without('sideEffects', Object.keys(sideEffects)),
      ...without('examples', Object.keys(examples)),
      ...Object.keys(auth).flatMap((scheme) => (schemes.includes(scheme) ? [] : [`auth ${JSON.stringify(scheme)}`])),
    ];
  }

  /**
   * Creates the tools for some origins. One that cannot be called is refused and does not affect the others. Yields
   * before each.
   */
  *tools(origins: readonly OperationOrigin[]): Generator<void, ConfiguredTools> {
    const declarations: ToolDeclaration[] = [];
    const plans = new Map<string, OperationPlan>();
    const refused: OperationRemark[] = [];
    for (const origin of origins) {
      yield;
      try {
        const { declaration, plan } = configuredTool(origin, this.#settings);
        declarations.push(declaration);
        plans.set(origin.name, plan);
      } catch (error) {
        const reason = isToolSearchError(error) ? error.message : 'the operation is malformed';
        refused.push({ operation: `${origin.method} ${origin.path}`, reason });
      }
    }
    return { declarations, plans, refused: [...refused, ...this.#silenced([...plans.values()])] };
  }

  // Reports credentials that are never sent; otherwise the operator could not find the cause.
  #silenced(plans: readonly OperationPlan[]): OperationRemark[] {
    const { auth, headers } = this.options;
    const [other] = plans.filter(({ trusted }) => !trusted);
    if (this.#settings.documentOrigin === undefined || !other || (auth ?? headers) === undefined) return [];
    const reason = `tools are called at ${other.baseUrl.slice(0, 80)}, not where the document is, so they get no credentials`;
    return [{ operation: 'baseUrl is missing', reason }];
  }
}

function loadingOf(globs: readonly string[]): (name: string) => Loading | undefined {
  const always = globSet(globs);
  return (name) => (always(name) ? 'always' : undefined);
}

function sideEffectsOf(byGlob: Readonly<Record<string, SideEffects>>): (name: string) => SideEffects | undefined {
  const rules = Object.entries(byGlob).map(([glob, effects]) => ({ matches: globSet([glob]), effects }));
  return (name) => rules.find(({ matches }) => matches(name))?.effects;
}

/**
 * Creates a tool from an operation's description and the application's settings.
 *
 * @throws ToolSearchError `INVALID_TOOL` if the document's server or path cannot be called
 */
export function configuredTool(origin: OperationOrigin, settings: ToolSettings): ConfiguredTool {
  const { name, method, path } = origin;
  const baseUrl = settings.baseUrl ?? documentServer(origin, settings);
  checkPath(origin, baseUrl || NOT_KNOWN_YET);
  // The names of arguments are in the schema, for which the catalog holds the tool.
  if (settings.baseUrl === undefined && hasRemoved(baseUrl)) throw lacking('server');
  if (hasRemoved(origin.body?.mediaType ?? '')) throw lacking('media type');
  if (origin.security.flat().some(({ scheme, name }) => hasRemoved(scheme + name))) throw lacking('security');
  const taken = origin.headers.filter((header) => settings.providedHeaders.has(header.name.toLowerCase()));
  const isCookieTaken = ({ name: cookie }: PlannedParameter) => settings.providedCookies.has(cookie);
  const sideEffects = settings.sideEffectsOf(name) ?? (READING.has(method) ? 'read' : 'write');
  const examples = settings.examplesOf(name);
  const loading = settings.loadingOf(name);
  return {
    declaration: {
      name,
      description: origin.description,
      tags: [...new Set([...origin.tags, ...settings.tags])],
      sideEffects,
      inputSchema: withoutArguments(
        origin.inputSchema,
        [...taken, ...(origin.cookies ?? []).filter(isCookieTaken)].map(({ argument }) => argument),
      ),
      ...(origin.deprecated ? { deprecated: { ...(origin.sunset !== undefined && { sunset: origin.sunset }) } } : {}),
      ...(settings.namespace === undefined ? {} : { namespace: settings.namespace }),
      ...(examples ? { examples } : {}),
      ...(loading ? { loading } : {}),
      // Part of the definition's hash, so that a tool with another target counts as changed.
      extra: { method, path },
      ...(settings.watched ? { origin: remembered(origin) } : {}),
    },
    plan: {
      method,
      baseUrl,
      trusted: isTrusted(origin, settings),
      segments: origin.segments,
      query: origin.query,
      ...(origin.querystring && { querystring: origin.querystring }),
      ...(origin.cookies && { cookies: origin.cookies.filter((cookie) => !isCookieTaken(cookie)) }),
      headers: origin.headers.filter((header) => !taken.includes(header)),
      ...(origin.body ? { body: origin.body } : {}),
      security: origin.security,
    },
  };
}

function documentServer({ server }: OperationOrigin, settings: ToolSettings): string {
  if (server === '') throw refusal('the document names no usable server for it; set baseUrl of this source');
  const fault = settings.serverFault(server);
  if (fault !== undefined) throw refusal(fault);
  return server;
}

// An untrusted document may name any server, so credentials are sent only to the operator's base URL or to the
// document's own origin.
function isTrusted({ server, home }: OperationOrigin, { baseUrl, documentOrigin }: ToolSettings): boolean {
  if (baseUrl !== undefined) return true;
  return documentOrigin === undefined ? home : new URL(server).origin === documentOrigin;
}

function checkPath({ path, segments }: OperationOrigin, baseUrl: string): void {
  if (hasRemoved(path)) throw lacking('path');
  const sample = segments
    .map((parts) => `/${parts.map((part) => (typeof part === 'string' ? part : 'x')).join('')}`)
    .join('');
  if (!joined(baseUrl, sample)) throw refusal('its path is not a plain path');
}

function lacking(part: string): Error {
  return refusal(`its ${part} contains a credential of the connection, which was removed`);
}

function withoutArguments(schema: JsonSchema, names: readonly string[]): JsonSchema {
  if (names.length === 0) return schema;
  const isKept = (name: unknown) => !names.includes(String(name));
  const { properties, required, ...rest } = schema as { properties: object; required?: readonly string[] };
  const stillRequired = required?.filter(isKept) ?? [];
  return {
    ...rest,
    properties: Object.fromEntries(Object.entries(properties).filter(([name]) => isKept(name))),
    ...(stillRequired.length > 0 ? { required: stillRequired } : {}),
  };
}
