import type { QueryEdits } from './query-edit.js';
import { stableHash } from '../../json/stable-hash.js';
import type { WrittenQueries } from './example-query-store.js';
import type { AddedQueries, ToolDefinition } from '../../tool/tool-definition.js';
import type { FiledQueries } from './query-files.js';
import { cleanedQueries } from './cleaned-queries.js';

/** Where the queries of a tool come from, beside its author. */
export type QueryOrigin = 'operator' | 'file' | 'writer' | 'none';

interface Completed {
  readonly queries: readonly string[];
  readonly tool: ToolDefinition;
}

/**
 * The queries that are added to definitions: an operator's, else those of a file, else what was written. The author's
 * own come first and count towards the number of a writer's or file's.
 */
export class KnownQueries {
  readonly #written = new Map<string, WrittenQueries>();
  // Equal definitions must stay the same objects, so that nothing is analyzed or counted again.
  readonly #completed = new WeakMap<ToolDefinition, Completed>();
  files: FiledQueries | undefined;

  /** @param edits the newest decisions of operators */
  constructor(
    private readonly perTool: number,
    private readonly edits: () => QueryEdits | undefined,
  ) {}

  has(hash: string): boolean {
    return this.#written.has(hash);
  }

  written(hash: string): WrittenQueries | undefined {
    return this.#written.get(hash);
  }

  learn(records: readonly WrittenQueries[]): void {
    for (const record of records) this.#written.set(record.hash, record);
  }

  forget(hashes: Iterable<string>): void {
    for (const hash of hashes) this.#written.delete(hash);
  }

  /** @param tools all of the tenant's by default */
  forgetTenant(owner: string, tools?: readonly ToolDefinition[]): void {
    if (tools) return this.forget(tools.map(({ hash }) => hash));
    for (const [hash, written] of this.#written) if (written.owner === owner) this.#written.delete(hash);
  }

  /** Forgets definitions that are not in the catalog any more; a tenant that returns reads them again. */
  keepOnly(hashes: ReadonlySet<string>): void {
    for (const hash of this.#written.keys()) if (!hashes.has(hash)) this.#written.delete(hash);
  }

  /** How many queries a writer has to add; 0 for a tool that has enough, or an operator's. */
  missing(tool: ToolDefinition): number {
    if (this.edits()?.of(tool)) return 0;
    return Math.max(0, this.perTool - tool.exampleQueries.length - this.#filed(tool).length);
  }

  of(tool: ToolDefinition): { readonly origin: QueryOrigin; readonly queries: readonly string[] } {
    const edit = this.edits()?.of(tool);
    if (edit) return { origin: 'operator', queries: cleanedQueries(edit.queries, Infinity, tool.exampleQueries) };
    const filed = this.#filed(tool);
    const own = [...tool.exampleQueries, ...filed];
    const written = cleanedQueries(this.#written.get(tool.hash)?.queries, Math.max(0, this.perTool - own.length), own);
    const origin = filed.length > 0 ? 'file' : written.length > 0 ? 'writer' : 'none';
    return { origin, queries: [...filed, ...written] };
  }

  /** The definition with its queries; itself if it has none. */
  complete(tool: ToolDefinition): ToolDefinition {
    const { queries } = this.of(tool);
    if (queries.length === 0) return tool;
    const known = this.#completed.get(tool);
    if (known && isSame(known.queries, queries)) return known.tool;
    const added: AddedQueries = Object.freeze({ queries: Object.freeze([...queries]), hash: stableHash(queries) });
    // Not enumerable: a definition that an application returns as JSON must not show them.
    const completed = Object.freeze(Object.defineProperty({ ...tool }, 'added', { value: added, enumerable: false }));
    this.#completed.set(tool, { queries, tool: completed });
    return completed;
  }

  #filed(tool: ToolDefinition): readonly string[] {
    const queries = this.files?.of(tool) ?? [];
    if (queries.length === 0) return queries;
    return cleanedQueries(queries, Math.max(0, this.perTool - tool.exampleQueries.length), tool.exampleQueries);
  }
}

function isSame(left: readonly string[], right: readonly string[]): boolean {
  return left.length === right.length && left.every((query, index) => query === right[index]);
}
