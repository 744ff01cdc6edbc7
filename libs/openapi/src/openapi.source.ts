import { setImmediate } from 'node:timers/promises';
import {
  globSet,
  isToolSearchError,
  type Loading,
  type SourceAnswer,
  type SourceLimits,
  type ToolCall,
  type ToolContext,
  type ToolDeclaration,
  ToolSearchError,
  type ToolSource,
} from '@tool-search/core';
import { checkedBaseUrl, serverUrl } from './base-url.js';
import { documentDescription, type OpenApiDocument, operationSites, readDocument } from './document.js';
import { checkOptions, type OpenApiSourceOptions } from './openapi-source-options.js';
import { callOperation } from './operation-call.js';
import { operationNames } from './operation-name.js';
import { securityParameters } from './operation-parameters.js';
import type { OperationPlan } from './operation-plan.js';
import { operationRequest } from './operation-request.js';
import { foldTag, mapOperation, type MappingTarget } from './operation.mapper.js';

/** What one load left out or made smaller. */
export interface OpenApiLoadReport {
  /** Operations that became no tool, and why. */
  readonly refused: readonly { readonly operation: string; readonly reason: string }[];
  /** Names of the tools whose schema says less than the document, because it was recursive or too large. */
  readonly shortened: readonly string[];
}

const MAX_NAME = 128;
const OPERATIONS_PER_TURN = 100;

/**
 * The operations of an OpenAPI document as tools: one operation is one tool, its parameters and JSON body are one flat
 * object of arguments. Calls go out over HTTP with the operator's headers.
 *
 * @throws ToolSearchError `INVALID_CONFIGURATION` from the constructor
 */
export class OpenApiSource implements ToolSource {
  readonly name: string;
  readonly owner?: string;
  readonly loading: Loading;
  readonly callTimeoutMs?: number;
  readonly limits: SourceLimits;
  // Private to the engine too, so that no log of a source can show headers.
  readonly #options: OpenApiSourceOptions;
  #description: string | undefined;
  #plans: ReadonlyMap<string, OperationPlan> | undefined;
  #report: OpenApiLoadReport = { refused: [], shortened: [] };

  constructor(options: OpenApiSourceOptions) {
    checkOptions(options);
    this.#options = options;
    this.name = options.name;
    this.owner = options.owner;
    this.loading = options.loading ?? 'deferred';
    this.callTimeoutMs = options.callTimeoutMs;
    this.limits = { ...options.limits, tools: options.limits?.tools ?? 5000 };
  }

  /** The operator's description, else what the document said of itself at the last load. */
  get description(): string | undefined {
    return this.#options.description ?? this.#description;
  }

  /** What the last load left out or made smaller. */
  get report(): OpenApiLoadReport {
    return this.#report;
  }

  /** Operations that could not become tools at the last load. */
  leftOut(): readonly { readonly name: string; readonly reason: string }[] {
    return this.#report.refused.map(({ operation, reason }) => ({ name: operation, reason }));
  }

  /**
   * Reads the document and maps its operations; an operation that cannot become a tool is listed in {@link report}.
   * Nothing of the document is kept but how to call each operation, and what it says of itself.
   *
   * @throws ToolSearchError `SOURCE_UNAVAILABLE`, `SOURCE_LIMIT`, `UPSTREAM_INVALID`, or `INVALID_CONFIGURATION` when
   * neither the document nor the operator names an absolute base URL
   */
  async load(signal: AbortSignal): Promise<readonly ToolDeclaration[]> {
    const document = await readDocument(this.#options.document, this.#options.maxDocumentBytes ?? 33_554_432, signal);
    const target = this.#target(document);
    const refused: { operation: string; reason: string }[] = [];
    const shortened: string[] = [];
    const declarations: ToolDeclaration[] = [];
    const plans = new Map<string, OperationPlan>();
    const chosen = this.#chosen(document, (operation, reason) => refused.push({ operation, reason }));
    for (const [index, { name, site }] of chosen.entries()) {
      // A large document must not hold up the requests that are being served meanwhile.
      if (index % OPERATIONS_PER_TURN === 0) await setImmediate();
      signal.throwIfAborted();
      try {
        const { declaration, plan, lost } = mapOperation(document, site, name, target);
        declarations.push({ ...declaration, namespace: this.#options.namespace });
        plans.set(name, plan);
        if (lost > 0) shortened.push(name);
      } catch (error) {
        const reason = isToolSearchError(error) ? error.message : 'the operation is malformed';
        refused.push({ operation: `${site.method} ${site.path}`, reason });
      }
    }
    this.#description = documentDescription(document);
    this.#plans = plans;
    this.#report = { refused, shortened };
    return declarations;
  }

  /**
   * Calls one operation.
   *
   * @throws ToolSearchError `INVALID_ARGUMENTS`, `SOURCE_UNAVAILABLE`, `UPSTREAM_INVALID`, `TOOL_NOT_AVAILABLE`; the
   * signal's reason when aborted
   */
  async call(name: string, input: unknown, context: ToolContext, call: ToolCall): Promise<SourceAnswer> {
    if (!this.#plans)
      throw new ToolSearchError('SOURCE_UNAVAILABLE', 'This source is not loaded yet.', { hint: 'Try again later.' });
    const plan = this.#plans.get(name);
    if (!plan) throw new ToolSearchError('TOOL_NOT_AVAILABLE', 'This tool is not available.');
    const operatorHeaders = await this.#headers(context);
    const request = operationRequest(plan, input, operatorHeaders);
    return callOperation(request, operatorHeaders, this.#options.maxResponseBytes ?? 1_048_576, call.signal);
  }

  /** Does nothing: no connection outlives its call. */
  async close(): Promise<void> {}

  #target(document: OpenApiDocument): MappingTarget {
    const { baseUrl, headers, limits } = this.#options;
    const base = baseUrl === undefined ? serverUrl(document['servers']) : checkedBaseUrl(baseUrl);
    if (base === undefined) {
      throw new ToolSearchError('INVALID_CONFIGURATION', `The document of source ${this.name} names no server.`, {
        hint: 'Set baseUrl of this source.',
      });
    }
    const fixedHeaders = typeof headers === 'object' ? Object.keys(headers) : [];
    return {
      baseUrl: base,
      fixed: baseUrl !== undefined,
      provided: new Set([
        ...fixedHeaders.map((name) => `header ${name.toLowerCase()}`),
        ...securityParameters(document),
      ]),
      schemaBytes: limits?.schemaBytes ?? 65_536,
      schemaDepth: limits?.schemaDepth ?? 32,
      descriptionChars: limits?.descriptionChars ?? Number.POSITIVE_INFINITY,
    };
  }

  #chosen(document: OpenApiDocument, refuse: (operation: string, reason: string) => void) {
    const { include, exclude = [], tags, namespace = this.name } = this.#options;
    const sites = operationSites(document, refuse);
    const names = operationNames(sites, MAX_NAME - namespace.length - 1);
    const included = include ? globSet(include) : () => true;
    const excluded = globSet(exclude);
    const wanted = tags && new Set(tags.map(foldTag));
    const chosen = sites
      .map((site, index) => ({ site, name: names[index] ?? '' }))
      .filter(({ name }) => included(name) && !excluded(name))
      .filter(
        ({ site }) =>
          !wanted || [site.operation['tags']].flat().some((tag) => typeof tag === 'string' && wanted.has(foldTag(tag))),
      );
    const limit = this.limits.tools ?? Number.POSITIVE_INFINITY;
    if (chosen.length > limit) {
      throw new ToolSearchError(
        'SOURCE_LIMIT',
        `Source ${this.name} has ${chosen.length} operations; its limit is ${limit}.`,
        {
          hint: 'Narrow it with include, exclude or tags, or raise limits.tools.',
        },
      );
    }
    return chosen;
  }

  async #headers(context: ToolContext): Promise<Headers> {
    const { headers = {} } = this.#options;
    try {
      return new Headers(typeof headers === 'function' ? await headers(context) : headers);
    } catch (error) {
      // The cause may hold a credential: it is for the log of whoever wrote the function, never for a caller.
      throw new ToolSearchError('SOURCE_UNAVAILABLE', `The headers of source ${this.name} could not be made.`, {
        cause: error,
      });
    }
  }
}
