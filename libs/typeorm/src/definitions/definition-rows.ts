import { createHash } from 'node:crypto';
import type { AcceptedTool, DefinitionPin, SourceKey } from '@tool-search/core';
import type { BigInteger, Parameter } from '../database/run-statement.js';

/** Rows that are read or written at once: few enough for a SQLite that everybody waits for. */
export const BATCH = 100;
const BATCH_CHARS = 256 * 1024;

/** A pin as a row holds it. */
export interface PinRow {
  readonly tool: string;
  readonly fingerprint: string;
  readonly volatile: string;
  readonly listed: boolean | number;
  readonly accepted_at: BigInteger;
}

/** An origin as a row holds it. */
export interface OriginRow {
  readonly tool_id: string;
  readonly tool: string;
  readonly origin: string;
}

/** What a source said of a tool. */
export type Origin = AcceptedTool['origin'];

/** id, owner and source of a source's row. */
export function sourceParameters({ owner, source }: SourceKey): readonly [string, string, string] {
  return [idOf([owner, source]), JSON.stringify(owner), JSON.stringify(source)];
}

/** The id of a tool within its source. */
export function toolId(tool: string): string {
  return idOf(tool);
}

/** A tool's parameters in the order of the columns. */
export function toolParameters(sourceId: string, tool: AcceptedTool): readonly Parameter[] {
  return [
    sourceId,
    toolId(tool.tool),
    JSON.stringify(tool.tool),
    tool.fingerprint,
    JSON.stringify(tool.volatile),
    // SQLite takes no booleans, and PostgreSQL reads this as one.
    Number(tool.listed),
    tool.acceptedAt,
    JSON.stringify(tool.origin),
  ];
}

/** The pin in a row; none in one that somebody has damaged. Without its list of what is volatile, it matches less. */
export function pinOf({ tool, fingerprint, volatile, listed, accepted_at }: PinRow): DefinitionPin[] {
  const [name, pointers] = [jsonOf(tool), jsonOf(volatile)];
  if (typeof name !== 'string') return [];
  return [
    {
      tool: name,
      fingerprint,
      volatile: Array.isArray(pointers) ? pointers.filter((each) => typeof each === 'string') : [],
      listed: Boolean(listed),
      acceptedAt: Number(accepted_at),
    },
  ];
}

/** Name and origin in a row; undefined in one that somebody has damaged, so that it is that tool alone which is missing. */
export function originOf({ tool, origin }: OriginRow): readonly [tool: string, origin: Origin] | undefined {
  const [name, said] = [jsonOf(tool), jsonOf(origin)];
  if (typeof name !== 'string' || typeof said !== 'object' || said === null || Array.isArray(said)) return undefined;
  return [name, said as Origin];
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Rows in groups that are small enough in number and in size; one that is alone too large is alone. */
export function* inBatches(rows: Iterable<readonly Parameter[]>): Generator<readonly (readonly Parameter[])[]> {
  let batch: (readonly Parameter[])[] = [];
  let chars = 0;
  for (const row of rows) {
    const size = row.reduce<number>((sum, value) => sum + String(value).length, 0);
    if (batch.length === BATCH || (batch.length > 0 && chars + size > BATCH_CHARS)) {
      yield batch;
      [batch, chars] = [[], 0];
    }
    batch.push(row);
    chars += size;
  }
  if (batch.length > 0) yield batch;
}

// JSON tells lone surrogates apart, which UTF-8 has no bytes for.
function idOf(name: string | readonly string[]): string {
  return createHash('sha256').update(JSON.stringify(name)).digest('hex');
}
