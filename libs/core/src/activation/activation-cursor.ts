import { parsedJson } from '../json/json.js';
import { hasControlCharacters } from '../json/safe-text.js';
import { ToolSearchError } from '../tool/tool-search.error.js';
import type { ActivationFilter } from './activation-filter.js';

/** Natural key of an activation: tenant, user, scope, id of the run or session, tool. */
export type ActivationKey = readonly [tenantId: string, userId: string, scope: string, scopeId: string, tool: string];

/** Five ids of 256 characters, three bytes each in UTF-8, escaped as JSON and written as base64. */
const MAX_CURSOR = 16_384;

/** Returns the key of an activation: tenant, user, session or run, and tool. */
export function activationKey(record: Required<ActivationFilter>): ActivationKey {
  return [record.tenantId, record.userId, record.scope, record.scopeId, record.tool];
}

/** Opaque cursor of the last record of a page; pass it as `after` to get the next one. */
export function activationCursor(record: Required<ActivationFilter>): string {
  return Buffer.from(JSON.stringify(activationKey(record))).toString('base64url');
}

/**
 * The key after which a page starts: the leading parts that the filter fixes, or the cursor's key.
 *
 * @throws ToolSearchError `INVALID_REQUEST` for an unreadable cursor, or one that belongs to another filter
 */
export function activationStart(filter: ActivationFilter, cursor?: string): ActivationKey {
  const common = leadingParts(filter);
  if (cursor === undefined) return [...common, '', '', '', '', ''].slice(0, 5) as unknown as ActivationKey;
  const key = read(cursor);
  if (!key || common.some((part, index) => part !== key[index])) {
    throw new ToolSearchError('INVALID_REQUEST', 'The cursor cannot be read, or belongs to another filter.', {
      hint: 'Hand back the cursor of the last page with the same filter, or start without one.',
    });
  }
  return key;
}

/** Whether a key still has the leading parts that the filter fixes. The first key without them ends the scan. */
export function isWithinFilter(filter: ActivationFilter, key: ActivationKey): boolean {
  return leadingParts(filter).every((part, index) => part === key[index]);
}

/** The leading parts of the key that the filter fixes without a gap; never the tool. */
function leadingParts({ tenantId, userId, scope, scopeId }: ActivationFilter): readonly string[] {
  const parts = [tenantId, userId, scope, scopeId];
  const gap = parts.indexOf(undefined);
  return (gap < 0 ? parts : parts.slice(0, gap)) as readonly string[];
}

function read(cursor: string): ActivationKey | undefined {
  if (typeof cursor !== 'string' || cursor.length > MAX_CURSOR) return undefined;
  const key = parsedJson(Buffer.from(cursor, 'base64url').toString());
  const isKey = Array.isArray(key) && key.length === 5 && key.every(isIdOrNone);
  return isKey ? (key as unknown as ActivationKey) : undefined;
}

function isIdOrNone(part: unknown): boolean {
  return typeof part === 'string' && !hasControlCharacters(part);
}
