import { z } from 'zod';
import { definitionKey, type DefinitionPlace, namedDefinition } from '../../access/quarantine/quarantine.js';
import type { ReadRecord } from '../../access/control/control-kind.js';
import { readFields } from '../../access/control/record-fields.js';
import { storedDecision } from '../../access/control/stored-decision.js';

const storedQueries = namedDefinition.extend({
  /** They replace what a writer or a file has for the definition; empty: nothing but the author's own is searched. */
  queries: z.array(z.unknown()).catch([]).transform(texts),
  ...storedDecision.shape,
});

/** An operator's example queries for one definition. A changed definition does not have them. */
export interface QueryEdit extends Readonly<z.output<typeof storedQueries>> {
  readonly revision: number;
}

export function queryEditOf({ value, revision }: ReadRecord): QueryEdit {
  return { ...readFields(storedQueries, value), revision };
}

function texts(queries: readonly unknown[]): readonly string[] {
  return queries.filter((query) => typeof query === 'string');
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
