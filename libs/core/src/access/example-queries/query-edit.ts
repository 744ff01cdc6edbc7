import { definitionKey, type DefinitionPlace } from '../quarantine/quarantine.js';
import type { ControlRecord } from '../control/control-store.js';
import { fieldsOf } from '../control/record-fields.js';

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

export function queryEditOf({ value, revision }: Pick<ControlRecord, 'value' | 'revision'>): QueryEdit {
  const { queries } = value;
  return {
    ...fieldsOf(value, ['owner', 'source', 'tool', 'hash', 'reason', 'actor'], ['changedAt']),
    queries: Array.isArray(queries) ? queries.filter((query) => typeof query === 'string') : [],
    revision,
  };
}

export class QueryEdits {
  readonly #byKey: ReadonlyMap<string, QueryEdit>;

  constructor(edits: readonly QueryEdit[]) {
    this.#byKey = new Map(edits.map((edit) => [definitionKey({ ...edit, name: edit.tool }), edit]));
  }

  get size(): number {
    return this.#byKey.size;
  }

  of(tool: DefinitionPlace): QueryEdit | undefined {
    return this.#byKey.size === 0 ? undefined : this.#byKey.get(definitionKey(tool));
  }
}
