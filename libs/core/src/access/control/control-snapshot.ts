import { ToolSearchError } from '../../tool/tool-search.error.js';
import type { StoredKind } from './control-kind.js';
import type { ControlRecord, ControlState } from './control-store.js';

/** Revisions of the records of one kind, by key. */
export type RecordRevisions = ReadonlyMap<string, number>;

/** What a snapshot holds of one kind. */
export interface SnapshotPart {
  /** Built by the kind. */
  readonly part: unknown;
  readonly revisions: RecordRevisions;
}

/** All decisions of operators as of one revision; immutable, replaced by one assignment. */
export class ControlSnapshot {
  readonly #parts: ReadonlyMap<StoredKind, SnapshotPart>;

  /** @param parts by kind, each built by its kind */
  constructor(
    readonly revision: number,
    parts: ReadonlyMap<StoredKind, SnapshotPart>,
  ) {
    this.#parts = parts;
    Object.freeze(this);
  }

  /**
   * The decisions of one kind: the same object in every snapshot until one of them changes.
   *
   * @throws ToolSearchError `INTERNAL` for a kind that the control plane was not given: nothing is known about it
   */
  of<Part>(kind: StoredKind<unknown, Part>): Part {
    const held = this.#parts.get(kind) ?? unknownKind(kind);
    // The kind itself built the part.
    return held.part as Part;
  }

  /** Keys and revisions of the records of one kind. @throws as {@link of} */
  revisionsOf(kind: StoredKind): RecordRevisions {
    return (this.#parts.get(kind) ?? unknownKind(kind)).revisions;
  }
}

function unknownKind({ kind }: StoredKind): never {
  throw new ToolSearchError('INTERNAL', `The control plane does not know the kind ${kind}.`, {
    hint: 'Add the kind to the list that the control plane is created with.',
  });
}

/**
 * Builds the snapshot of a state. Keeps the parts of `before` whose records are the same. Records of other kinds are
 * left out.
 *
 * @throws ToolSearchError for an unreadable record: to skip it would allow what it denies
 */
export function controlSnapshot(
  kinds: readonly StoredKind[],
  { revision, records }: ControlState,
  before?: ControlSnapshot,
): ControlSnapshot {
  const byKind = new Map<string, ControlRecord[]>(kinds.map(({ kind }) => [kind, []]));
  for (const record of records) byKind.get(record.kind)?.push(record);
  const parts = kinds.map((kind): [StoredKind, SnapshotPart] => {
    const own = byKind.get(kind.kind) ?? [];
    const revisions = revisionsOf(own);
    const isSame = before !== undefined && isSameRecords(before.revisionsOf(kind), revisions);
    return [kind, { part: isSame ? before.of(kind) : kind.partOf(own), revisions }];
  });
  return new ControlSnapshot(revision, new Map(parts));
}

function revisionsOf(records: readonly ControlRecord[]): RecordRevisions {
  return new Map(records.map(({ key, revision }) => [key, revision]));
}

function isSameRecords(before: RecordRevisions, now: RecordRevisions): boolean {
  if (before.size !== now.size) return false;
  for (const [key, revision] of now) if (before.get(key) !== revision) return false;
  return true;
}
