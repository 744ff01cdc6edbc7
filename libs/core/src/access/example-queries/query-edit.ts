import type { ToolDefinition } from '../../tool/tool-definition.js';
import type { ControlRecord } from '../control/control-store.js';
import { numberOf, textOf } from '../control/record-fields.js';

/** An operator's example queries for one definition. A changed definition does not have them. */
export interface QueryEdit {
  /** The tenant that owns the source; `''` = shared. */
  readonly owner: string;
  readonly source: string;
  readonly tool: string;
  readonly hash: string;
  /** They replace what a writer or a file has for the definition; empty: nothing but the author's own is searched. */
  readonly queries: readonly string[];
  readonly reason: string;
  readonly actor: string;
  /** Epoch milliseconds. */
  readonly changedAt: number;
  readonly revision: number;
}

type Place = Pick<ToolDefinition, 'owner' | 'source' | 'name' | 'hash'>;

export function queryEditKey({ owner, source, name, hash }: Place): string {
  return JSON.stringify([owner, source, name, hash]);
}

export function queryEditOf({ value, revision }: Pick<ControlRecord, 'value' | 'revision'>): QueryEdit {
  const { queries } = value;
  return {
    owner: textOf(value, 'owner'),
    source: textOf(value, 'source'),
    tool: textOf(value, 'tool'),
    hash: textOf(value, 'hash'),
    queries: Array.isArray(queries) ? queries.filter((query) => typeof query === 'string') : [],
    reason: textOf(value, 'reason'),
    actor: textOf(value, 'actor'),
    changedAt: numberOf(value, 'changedAt'),
    revision,
  };
}

export class QueryEdits {
  readonly #byKey: ReadonlyMap<string, QueryEdit>;

  constructor(edits: readonly QueryEdit[]) {
    this.#byKey = new Map(edits.map((edit) => [queryEditKey({ ...edit, name: edit.tool }), edit]));
  }

  get size(): number {
    return this.#byKey.size;
  }

  of(tool: Place): QueryEdit | undefined {
    return this.#byKey.size === 0 ? undefined : this.#byKey.get(queryEditKey(tool));
  }
}
