import type { ControlPlane } from '../../access/control/control-plane.js';
import type { OperatorRequest } from '../../access/control/operator-request.js';
import { StoredRecords } from '../../access/control/stored-records.js';
import { queryEditKind } from './query-edit-kind.js';
import { definitionKey, definitionSubject } from '../../access/quarantine/quarantine.js';
import { verdictKind } from '../../access/quarantine/verdict-kind.js';
import { withDeadline } from '../../async/deadline.js';
import type { ToolCatalog } from '../../catalog/tool-catalog.js';
import { stableHash } from '../../json/stable-hash.js';
import type { ExampleQueryStore } from './example-query-store.js';
import { guardStore } from '../../tool/store-guard.js';
import type { ToolDefinition } from '../../tool/tool-definition.js';
import type { ToolEvents } from '../../tool/tool-event.js';
import { globSet } from '../../tool/tool-name.js';
import { ToolSearchError } from '../../tool/tool-search.error.js';
import { checkedQueryList } from './cleaned-queries.js';
import type { ExampleQuerySettings } from './example-query-options.js';
import { KnownQueries } from './known-queries.js';
import { FiledQueries } from './query-files.js';
import { QueryWriting, type QueryWritingParts } from './writing/query-writing.js';
import type { ToolQueries, WritingSpend, WritingStatus } from './tool-queries.js';

const BOOT_READ_MS = 1_000;
const READ_CHUNK = 500;
const PUBLISH_EVERY_MS = 1_000;

export interface ExampleQueryParts {
  readonly catalog: ToolCatalog;
  readonly plane: ControlPlane;
  readonly store: ExampleQueryStore;
  readonly events: ToolEvents;
  /** The index, if tools are searched at all; nothing is written before it is needed. */
  readonly index: { readonly isNeeded: boolean } | undefined;
  readonly waits?: QueryWritingParts['waits'];
}

/**
 * Example queries beside those of the tools' authors: written in the background, read from files, or set by operators.
 * They are searched with the tool and never shown to a model or user; the index takes them up as they come.
 */
export class ExampleQueries {
  readonly #known: KnownQueries;
  readonly #edits;
  readonly #writing: QueryWriting | undefined;
  readonly #isIncluded: (name: string) => boolean;
  readonly #isExcluded: (name: string) => boolean;
  readonly #stale = new Set<string>();
  readonly #stops: (() => void)[] = [];
  #publishing: NodeJS.Timeout | undefined;
  #isStarted = false;

  constructor(
    private readonly parts: ExampleQueryParts,
    private readonly settings: ExampleQuerySettings,
  ) {
    const { catalog, plane, store, events, index, waits } = parts;
    const { writer, perTool, include, exclude, batchSize, concurrency, timeoutMs } = this.settings;
    this.#isIncluded = globSet(include);
    this.#isExcluded = globSet(exclude);
    this.#edits = new StoredRecords(queryEditKind, plane, events);
    this.#known = new KnownQueries(perTool, () => this.#edits.last());
    if (writer && index) {
      const { tokens, money, prices } = this.settings.budget;
      const limits = { tokens, ...(money !== undefined && { micros: Math.round(money * 1e6) }) };
      this.#writing = new QueryWriting({
        writer,
        store,
        events,
        wanted: () => this.#wanted(),
        take: (records, tools) => {
          this.#known.learn(records);
          this.#changed(tools.map(({ owner }) => owner));
        },
        settings: { batchSize, concurrency, timeoutMs, limits, prices },
        now: () => plane.now(),
        waits,
      });
    }
    if (index) {
      catalog.supplement({
        prepare: (tools) => this.#prepare(tools),
        complete: (tool) => this.#known.complete(tool),
      });
    }
  }

  /** Reads the files. Call it before the catalog loads. @throws ToolSearchError `INVALID_CONFIGURATION` */
  async open(): Promise<void> {
    this.#known.files = await FiledQueries.read(this.settings.files);
    const { plane } = this.parts;
    let before = this.#edits.last();
    const stop = plane.onChange((decided) => {
      const queries = decided.of(queryEditKind);
      if (queries === before) return;
      before = queries;
      // A listener runs before the snapshot is used everywhere; publication is a moment later anyway.
      this.#changed(['', ...this.parts.catalog.tools().map(({ owner }) => owner)]);
    });
    this.#stops.push(stop);
  }

  /** Begins to write in the background, now and after each change of the catalog. */
  start(): void {
    this.#isStarted = true;
    if (!this.#writing) return;
    this.#stops.push(this.parts.events.on('catalog.published', () => this.look()));
    this.look();
  }

  /** Looks for tools to write for, in the background. */
  look(): void {
    if (!this.#isStarted || !this.#writing) return;
    this.#known.keepOnly(new Set(this.parts.catalog.tools().map(({ hash }) => hash)));
    this.#writing.look();
  }

  /** Aborts a running call of the writer, and gives its claims back. */
  async stop(): Promise<void> {
    for (const stop of this.#stops.splice(0)) stop();
    clearTimeout(this.#publishing);
    await this.#writing?.stop();
  }

  /** How far writing is. */
  status(): WritingStatus {
    const { writer } = this.settings;
    if (!this.#writing) return { state: 'off', wanted: 0, written: 0, pending: 0, givenUp: 0 };
    const { state, reason, givenUp } = this.#writing;
    const asked = this.parts.catalog.tools().filter((tool) => this.#isAsked(tool) && this.#known.missing(tool) > 0);
    const written = asked.filter(({ hash }) => this.#known.has(hash)).length;
    const failed = asked.filter(({ hash }) => givenUp.has(hash) && !this.#known.has(hash)).length;
    return {
      state,
      ...(writer && { writer: writer.id }),
      wanted: asked.length,
      written,
      pending: asked.length - written - failed,
      givenUp: failed,
      ...(reason !== undefined && { reason }),
    };
  }

  /** Returns the costs of writing, by all instances over all time. @throws ToolSearchError `STORE_UNAVAILABLE` */
  async spend(): Promise<WritingSpend> {
    const { inputTokens, outputTokens, micros } = await this.#guarded(() => this.parts.store.costs());
    const { tokens, money } = this.settings.budget;
    return {
      inputTokens,
      outputTokens,
      money: micros / 1e6,
      limits: { tokens, ...(money !== undefined && { money }) },
    };
  }

  /** The queries of all tools, of all owners, in the order of the catalog. */
  list(): readonly ToolQueries[] {
    return this.parts.catalog.tools().map((tool) => this.#queriesOf(tool));
  }

  /** One of {@link list}. @throws ToolSearchError `NOT_FOUND` */
  get(id: string): ToolQueries {
    const tool = this.parts.catalog.tools().find((each) => idOf(each) === id);
    if (tool) return this.#queriesOf(tool);
    throw new ToolSearchError('NOT_FOUND', 'No tool of the catalog has this id.', {
      hint: 'List the example queries anew; a definition that changed has another id.',
    });
  }

  /**
   * Replaces what is searched beside the author's own queries, for exactly this definition.
   *
   * @throws ToolSearchError `NOT_FOUND`, `INVALID_REQUEST`, `REVISION_CONFLICT`, `STORE_UNAVAILABLE`
   */
  async set(id: string, queries: readonly string[], request: OperatorRequest): Promise<ToolQueries> {
    return this.#set(this.get(id), checkedQueryList(queries), request);
  }

  /** Adds queries to those beside the author's own. @throws as {@link set} */
  async add(id: string, queries: readonly string[], request: OperatorRequest): Promise<ToolQueries> {
    const known = this.get(id);
    return this.#set(known, checkedQueryList([...known.added, ...queries]), request);
  }

  /** Removes all queries but the author's own, for exactly this definition. @throws as {@link set} */
  async remove(id: string, request: OperatorRequest): Promise<ToolQueries> {
    return this.#set(this.get(id), [], request);
  }

  /**
   * Takes back what operators set, and deletes what was written: a writer is asked anew.
   *
   * @throws ToolSearchError `NOT_FOUND`, `INVALID_REQUEST`, `REVISION_CONFLICT`, `STORE_UNAVAILABLE`
   */
  async rewrite(id: string, request: OperatorRequest): Promise<ToolQueries> {
    const { tool, revision: known } = this.get(id);
    const about = {
      action: 'example_queries.discarded',
      subject: definitionSubject(tool),
      tenantId: tool.owner,
    } as const;
    if (known > 0) await this.#edits.remove({ ...about, key: definitionKey(tool) }, request);
    else await this.#edits.note(about, request);
    await this.#guarded(() => this.parts.store.forget({ hashes: [tool.hash] }));
    this.#known.forget([tool.hash]);
    await this.#publish([tool.owner]);
    this.#writing?.retry([tool.hash]);
    return this.get(id);
  }

  /** Deletes what was written for tools of a tenant, because the tenant or their source is gone. Never rejects. */
  async forgetTenant(owner: string, tools?: readonly ToolDefinition[]): Promise<void> {
    const filter = tools ? { hashes: tools.map(({ hash }) => hash) } : { owner };
    this.#known.forgetTenant(owner, tools);
    await this.#guarded(() => this.parts.store.forget(filter)).catch(() => undefined);
  }

  async #set(known: ToolQueries, queries: readonly string[], request: OperatorRequest): Promise<ToolQueries> {
    const { tool } = known;
    const { owner, source, name, hash } = tool;
    const value = { owner, source, tool: name, hash, queries: [...queries] };
    const about = { action: 'example_queries.set', subject: definitionSubject(tool), tenantId: owner } as const;
    await this.#edits.put({ ...about, value }, request);
    await this.#publish([owner]);
    return this.get(known.id);
  }

  #queriesOf(tool: ToolDefinition): ToolQueries {
    const { origin, queries } = this.#known.of(tool);
    const written = this.#known.written(tool.hash);
    const isWanted = this.#writing !== undefined && this.#isAsked(tool) && this.#known.missing(tool) > 0;
    const isGivenUp = this.#writing?.givenUp.has(tool.hash) ?? false;
    return {
      id: idOf(tool),
      tool,
      own: tool.exampleQueries,
      added: queries,
      origin,
      writing: written ? 'written' : !isWanted ? 'not_wanted' : isGivenUp ? 'given_up' : 'pending',
      ...(written && { writer: written.writer }),
      revision: this.#edits.last()?.of(tool)?.revision ?? 0,
    };
  }

  #wanted(): readonly { tool: ToolDefinition; count: number }[] {
    return this.parts.catalog.tools().flatMap((tool) => {
      if (this.#known.has(tool.hash) || !this.#isAsked(tool)) return [];
      const count = this.#known.missing(tool);
      return count > 0 ? [{ tool, count }] : [];
    });
  }

  /** A tool that waits in quarantine is not sent anywhere: no person has looked at it. */
  #isAsked(tool: ToolDefinition): boolean {
    if (!this.parts.index?.isNeeded || (tool.owner !== '' && !this.settings.tenants)) return false;
    if (!this.#isIncluded(tool.name) || this.#isExcluded(tool.name)) return false;
    const quarantine = this.parts.plane.snapshot()?.of(verdictKind);
    return tool.suspicion === undefined || (quarantine !== undefined && quarantine.refusal(tool) === undefined);
  }

  /** Reads what is stored for definitions that are about to be published, for at most a second. Never rejects. */
  async #prepare(tools: readonly ToolDefinition[]): Promise<void> {
    if (!this.#writing) return;
    const unknown = tools.filter((tool) => !this.#known.has(tool.hash) && this.#isAsked(tool));
    const hashes = unknown.map(({ hash }) => hash);
    if (hashes.length === 0) return;
    try {
      await withDeadline(BOOT_READ_MS, async () => {
        for (let from = 0; from < hashes.length; from += READ_CHUNK) {
          this.#known.learn(await this.parts.store.find(hashes.slice(from, from + READ_CHUNK)));
        }
      });
    } catch {
      // The background work reads them again.
    }
  }

  /** Publishes a moment later, so that several batches share one publication. */
  #changed(owners: readonly string[]): void {
    for (const owner of owners) this.#stale.add(owner);
    if (!this.#isStarted) return;
    this.#publishing ??= setTimeout(() => void this.#publish([]), PUBLISH_EVERY_MS).unref();
  }

  async #publish(owners: readonly string[]): Promise<void> {
    clearTimeout(this.#publishing);
    this.#publishing = undefined;
    const stale = new Set([...owners, ...this.#stale]);
    this.#stale.clear();
    // If the index fails, the tools stay searchable as they were.
    await Promise.allSettled([...stale].map((owner) => this.parts.catalog.publish(owner)));
  }

  #guarded<T>(work: () => Promise<T>): Promise<T> {
    return guardStore('Written example queries', work);
  }
}

function idOf(tool: ToolDefinition): string {
  return `eq_${stableHash(definitionKey(tool)).slice(0, 24)}`;
}
