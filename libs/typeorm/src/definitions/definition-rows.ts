import { createHash } from 'node:crypto';
import type { AcceptedTool, DefinitionPin, SourceKey } from '@tool-search/core';
import type { BigInteger, Parameter } from '../database/run-statement.js';

/** Rows read or written per statement. Small, because a SQLite statement blocks all other requests. */
export const BATCH = 100;
const BATCH_CHARS = 256 * 1024;

/** A pin as a row of the database. */
export interface PinRow {
  readonly tool: string;
  readonly fingerprint: string;
  readonly volatile: string;
  readonly listed: boolean | number;
  readonly accepted_at: BigInteger;
}

/** An origin as a row of the database. */
export interface OriginRow {
  readonly tool_id: string;
  readonly tool: string;
  readonly origin: string;
}

/** A tool's definition as its source sent it. */
export type Origin = AcceptedTool['origin'];

/** The id, owner and name parameters of a source's row. */
export function sourceParameters({ owner, source }: SourceKey): readonly [string, string, string] {
  return [idOf([owner, source]), JSON.stringify(owner), JSON.stringify(source)];
}

/** Returns the id of a tool within its source. */
export function toolId(tool: string): string {
  return idOf(tool);
}

/** The parameters of a tool, in column order. */
export function toolParameters(sourceId: string, tool: AcceptedTool): readonly Parameter[] {
  return [
    sourceId,
    toolId(tool.tool),
    JSON.stringify(tool.tool),
    tool.fingerprint,
    JSON.stringify(tool.volatile),
    // SQLite has no booleans; PostgreSQL reads this value as one.
    Number(tool.listed),
    tool.acceptedAt,
    JSON.stringify(tool.origin),
  ];
}

/** Reads the pin of a row; empty if the row is damaged. A damaged list of volatile fields only makes the pin match less. */
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

/** Reads name and origin of a row; undefined if the row is damaged, so that only that tool is missing. */
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

/** Groups rows into batches limited in number and size. A row above the size limit gets a batch of its own. */
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

// JSON escapes distinguish lone surrogates, which UTF-8 cannot encode.
function idOf(name: string | readonly string[]): string {
  return createHash('sha256').update(JSON.stringify(name)).digest('hex');
}
