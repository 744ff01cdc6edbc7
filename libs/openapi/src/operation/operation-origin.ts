import type { JsonObject, JsonSchema } from '@tool-search/core';
import { isObject, isTime } from '@tool-search/core/internal';
import type { OperationPlan, PlannedCredential } from './operation-plan.js';

/**
 * The description of one operation from its document, before any setting of the application: as the model sees it and
 * as it is called.
 */
export interface OperationOrigin {
  readonly name: string;
  readonly method: string;
  readonly path: string;
  readonly operationId: string;
  readonly description: string;
  readonly tags: readonly string[];
  readonly deprecated: boolean;
  /** The member `x-sunset`: when a deprecated operation stops. Absent if the document does not say it. */
  readonly sunset?: string;
  readonly inputSchema: JsonSchema;
  /** The server's URL without a trailing slash; `''` if the document names no usable one. */
  readonly server: string;
  /** Whether `server` has the origin of the document's first server. */
  readonly home: boolean;
  readonly segments: OperationPlan['segments'];
  readonly query: OperationPlan['query'];
  readonly querystring?: OperationPlan['querystring'];
  readonly headers: OperationPlan['headers'];
  readonly cookies?: OperationPlan['cookies'];
  readonly body?: OperationPlan['body'];
  /** Alternative lists of credentials; an empty list means that no credentials are needed. */
  readonly security: readonly (readonly PlannedCredential[])[];
  /** The document's description; `''` if it has none. */
  readonly about: string;
}

// Copying the origins of 4,500 operations would block the event loop for a quarter of a second.
const plain = new WeakSet<OperationOrigin>();

/** Returns an origin as plain JSON, for storage: a copy, unless it was recalled from such JSON. */
export function remembered(origin: OperationOrigin): JsonObject {
  return (plain.has(origin) ? origin : JSON.parse(JSON.stringify(origin))) as JsonObject;
}

/**
 * Reads a stored origin. Volatile fields may be missing and become empty. Returns undefined if fields that calls need
 * are missing.
 */
export function recalled(value: JsonObject): OperationOrigin | undefined {
  if (!isObject(value)) return undefined;
  const origin = value as unknown as OperationOrigin;
  const text = (field: keyof OperationOrigin) => (typeof value[field] === 'string' ? value[field] : '');
  const isComplete =
    text('name') !== '' &&
    text('method') !== '' &&
    text('path') !== '' &&
    isObject(value['inputSchema']) &&
    Array.isArray(value['segments']) &&
    Array.isArray(value['query']) &&
    Array.isArray(value['headers']) &&
    Array.isArray(value['security']);
  if (!isComplete) return undefined;
  const recalled = {
    ...origin,
    operationId: text('operationId'),
    description: text('description') || `${origin.method} ${origin.path}`,
    tags: [origin.tags].flat().filter((tag): tag is string => typeof tag === 'string'),
    deprecated: value['deprecated'] === true,
    server: text('server'),
    ...(isTime(value['sunset']) && { sunset: value['sunset'] }),
    home: value['home'] === true,
    about: text('about'),
  };
  plain.add(recalled);
  return recalled;
}
