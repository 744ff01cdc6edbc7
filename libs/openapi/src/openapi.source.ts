import {
  type JsonObject,
  type SourceAnswer,
  type ToolCall,
  type ToolContext,
  type ToolDeclaration,
  ToolSearchError,
  type ToolSource,
} from '@tool-search/core';
import type { Secrets } from '@tool-search/core/source';
import {
  atOnce,
  type InspectionMode,
  type LeftOut,
  type Loading,
  namedLoopback,
  parseOptions,
  type SettingsOf,
  type SourceLimits,
  TimeSlicer,
  withDefaults,
} from '@tool-search/core/internal';
import { ApiAccess } from './call/api-access.js';
import { type ConfiguredTools, OperationSettings } from './operation/configured-tools.js';
import { byReason, type OperationRemark } from './operation/operation-remark.js';
import { fixedSecrets, providedFor } from './call/credentials.js';
import { addressOf, DocumentReader } from './document/document-reader.js';
import { mapDocument, type MappingSettings, SLICE_MS } from './operation/map-document.js';
import { openApiLimits, type OpenApiSourceOptions, openApiSourceOptions } from './openapi-source-options.js';
import { callOperation } from './call/operation-call.js';
import { type OperationOrigin, recalled } from './operation/operation-origin.js';
import type { OperationPlan } from './operation/operation-plan.js';
import { addTrace, operationRequest } from './call/operation-request.js';

/** The parts of a document that the last load left out or shortened. */
export interface OpenApiLoadReport {
  /** Operations that did not become tools, with the reason. */
  readonly refused: readonly OperationRemark[];
  /** Operations that became tools without a part that cannot be sent, or with a corrected schema, with the reason. */
  readonly amended: readonly OperationRemark[];
  /** Names of tools whose schema has less detail than the document, because it was recursive or too large. */
  readonly shortened: readonly string[];
  /** Options that match nothing in the document, most likely typing errors. */
  readonly unused: readonly string[];
}

const NOTHING: OpenApiLoadReport = { refused: [], amended: [], shortened: [], unused: [] };

/**
 * The operations of an OpenAPI document as tools. Each operation becomes one tool; its parameters and its JSON body
 * become one flat object of arguments. Calls are HTTP requests with the operator's credentials, to public or explicitly
 * allowed addresses.
 *
 * @throws ToolSearchError `INVALID_CONFIGURATION` from the constructor
 */
export class OpenApiSource implements ToolSource {
  readonly name: string;
  readonly owner?: string;
  readonly loading: Loading;
  readonly callTimeoutMs?: number;
  readonly loadTimeoutMs?: number;
  readonly limits: SourceLimits;
  readonly changes?: 'strict' | 'additive' | 'trust';
  readonly inspection?: InspectionMode;
  readonly lazy?: boolean;
  // `#private` at runtime too, so that logging a source never shows headers.
  readonly #options: SettingsOf<typeof openApiSourceOptions>;
  readonly #access: ApiAccess;
  readonly #reader: DocumentReader;
  /** Credentials that are the same for every call, of which the API may know more than a call sends. */
  readonly #secrets: Secrets;
  readonly #settings: OperationSettings;
  readonly #mapping: MappingSettings;
  readonly #watchers = new Set<() => void>();
  #origins: readonly OperationOrigin[] = [];
  #plans: ReadonlyMap<string, OperationPlan> | undefined;
  #about = '';
  #report = NOTHING;
  #poll: NodeJS.Timeout | undefined;

  constructor(given: OpenApiSourceOptions) {
    const options = parseOptions(openApiSourceOptions, given, 'OpenApiSource');
    const { name, document, baseUrl, owner = '', namespace = name, egress, propagate } = options;
    const address = addressOf(document);
    const url = address?.url;
    const allow = egress?.allow ?? [];
    this.#options = options;
    this.name = name;
    this.owner = options.owner;
    this.loading = options.loading;
    this.callTimeoutMs = options.callTimeoutMs;
    this.loadTimeoutMs = options.loadTimeoutMs;
    this.limits = withDefaults(openApiLimits, options.limits);
    this.changes = options.changes ?? (url === undefined ? undefined : 'strict');
    this.inspection = options.inspection;
    this.lazy = options.lazy;
    const api = { source: name, baseUrl, allow, isTenants: owner !== '', propagate };
    this.#access = new ApiAccess(api, () => this.#changed());
    const near = url === undefined || owner !== '' ? [] : namedLoopback(url);
    this.#secrets = fixedSecrets(options.auth, options.headers, address);
    this.#reader = new DocumentReader(document, options.maxDocumentBytes, [...allow, ...near], this.#secrets);
    const origin = url === undefined ? undefined : new URL(url).origin;
    this.#settings = new OperationSettings(options, this.#access, origin, this.changes !== undefined);
    this.#mapping = {
      source: name,
      namespace,
      limits: this.limits,
      documentUrl: url === undefined ? undefined : String(url),
      hasBaseUrl: baseUrl !== undefined,
    };
  }

  /** The operator's description; otherwise the document's self-description at the last load. */
  get description(): string | undefined {
    return this.#options.description ?? (this.#about || undefined);
  }

  /** The parts that the last load left out or shortened. */
  get report(): OpenApiLoadReport {
    return this.#report;
  }

  /** What the last load left out, and options that match nothing: each reason once, with the number of operations. */
  leftOut(): readonly LeftOut[] {
    const { refused, amended, unused } = this.#report;
    return [
      ...byReason(refused),
      ...unused.map((option) => ({ name: option, reason: 'it means nothing that the document has' })),
      ...byReason(amended).map((remark) => ({ ...remark, isOffered: true })),
    ];
  }

  /**
   * Reads the document and maps its operations; {@link report} lists operations that cannot become tools. The document
   * itself is not kept in memory, only the data that declarations and calls need.
   *
   * @throws ToolSearchError `SOURCE_UNAVAILABLE` (also while the API does not answer), `SOURCE_LIMIT`,
   * `UPSTREAM_INVALID`, or `INVALID_CONFIGURATION` if neither the document nor the operator names an absolute base URL
   */
  async load(signal: AbortSignal, { anew = false } = {}): Promise<readonly ToolDeclaration[]> {
    const document = await this.#reader.read(signal, anew);
    const mapped = document && (await mapDocument(document, this.#mapping, this.#settings, signal));
    const tools = await new TimeSlicer(SLICE_MS, signal).run(this.#settings.tools(mapped?.origins ?? this.#origins));
    // The new document may no longer use a server that is down.
    await this.#access.checkServers([...tools.plans.values()].map(({ baseUrl }) => baseUrl));
    signal.throwIfAborted();
    if (mapped) {
      this.#origins = mapped.origins;
      this.#about = mapped.about;
      this.#reader.keep();
    }
    return this.#listed(tools, mapped ?? this.#report);
  }

  /** Rebuilds tools from stored origins, by the current settings. */
  restore(origins: readonly JsonObject[]): readonly ToolDeclaration[] {
    const known = origins.flatMap((origin) => recalled(origin) ?? []);
    this.#about = known.find(({ about }) => about !== '')?.about ?? this.#about;
    const taken = known.filter((origin) => this.#settings.takes(origin));
    return this.#take(atOnce(this.#settings.tools(taken)), this.#report);
  }

  /** Calls `changed` when polling finds a changed document, and when the API stops or starts answering. */
  watch(changed: () => void): () => void {
    // Wrapped, so that the same function can be registered twice.
    const watcher = () => changed();
    this.#watchers.add(watcher);
    this.#schedulePoll();
    return () => void this.#watchers.delete(watcher);
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
    const planned = this.#plans.get(name);
    if (!planned) throw new ToolSearchError('TOOL_NOT_AVAILABLE', 'This tool is not available.');
    const plan = planned.baseUrl === '' ? { ...planned, baseUrl: this.#access.baseUrl() } : planned;
    const { auth, headers, maxResponseBytes, maxResponseTokens } = this.#options;
    const provided = await providedFor(plan, { source: this.name, auth, headers }, context);
    provided.secrets.addAll(this.#secrets);
    const request = operationRequest(plan, input, provided.headers, provided.query);
    if (call.trace && this.#access.sharesTraces(request.url, plan.trusted)) {
      addTrace(request, call.trace, plan.trusted ? provided.headers : new Headers());
    }
    const bounds = { operation: name, caller: context, maxBytes: maxResponseBytes, maxTokens: maxResponseTokens };
    return callOperation(request, { ...this.#access.to(request.url), ...bounds, secrets: provided.secrets }, call);
  }

  async close(): Promise<void> {
    this.#watchers.clear();
    clearTimeout(this.#poll);
    await Promise.all([this.#access.close(), this.#reader.close()]);
  }

  /**
   * With `changes`, calls use the previous plans until the catalog has judged the new tools and calls {@link restore}.
   * If judging fails, the previous plans stay.
   */
  #listed(tools: ConfiguredTools, report: OpenApiLoadReport): readonly ToolDeclaration[] {
    const before = this.#plans;
    const declarations = this.#take(tools, report);
    if (this.changes !== undefined) this.#plans = before ?? this.#plans;
    return declarations;
  }

  #take({ declarations, plans, refused }: ConfiguredTools, report: OpenApiLoadReport): readonly ToolDeclaration[] {
    const { amended, shortened, unused } = report;
    const known = new Set(report.refused.map(({ operation }) => operation));
    const more = refused.filter(({ operation }) => !known.has(operation));
    this.#report = { refused: [...report.refused, ...more], amended, shortened, unused };
    this.#plans = plans;
    return declarations;
  }

  #changed(): void {
    for (const changed of this.#watchers) changed();
  }

  // The next poll starts after the previous one has ended, so that a slow server gets one request at a time.
  #schedulePoll(): void {
    const { refreshEveryMs } = this.#options;
    if (refreshEveryMs === undefined || this.#poll) return;
    const look = async (): Promise<void> => {
      if (await this.#reader.hasChanged()) this.#changed();
      if (this.#watchers.size > 0) this.#poll = setTimeout(() => void look(), refreshEveryMs).unref();
      else this.#poll = undefined;
    };
    this.#poll = setTimeout(() => void look(), refreshEveryMs).unref();
  }
}
