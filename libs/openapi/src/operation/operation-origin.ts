import { isObject, type JsonObject, type JsonSchema } from '@tool-search/core';
import type { OperationPlan, PlannedCredential } from './operation-plan.js';

/** What a document says of one operation, as the model sees it and as it is called; before any setting of the application. */
export interface OperationOrigin {
  readonly name: string;
  readonly method: string;
  readonly path: string;
  readonly operationId: string;
  readonly description: string;
  readonly tags: readonly string[];
  readonly deprecated: boolean;
  readonly inputSchema: JsonSchema;
  /** Where the document says calls go, without a slash at the end; `''` where it names no usable place. */
  readonly server: string;
  /** Whether that is on the origin of the document's own first server. */
  readonly home: boolean;
  readonly segments: OperationPlan['segments'];
  readonly query: OperationPlan['query'];
  readonly headers: OperationPlan['headers'];
  readonly body?: OperationPlan['body'];
  /** One of these lists of credentials is needed; an empty list stands for a call without any. */
  readonly security: readonly (readonly PlannedCredential[])[];
  /** What the document says of itself; `''` for nothing. */
  readonly about: string;
}

// Copying the origins of 4,500 operations takes a quarter of a second, in which nothing else runs.
const plain = new WeakSet<OperationOrigin>();

/** An origin as plain JSON, as it is remembered: a copy, unless it was recalled from such JSON. */
export function remembered(origin: OperationOrigin): JsonObject {
  return (plain.has(origin) ? origin : JSON.parse(JSON.stringify(origin))) as JsonObject;
}

/**
 * An origin as it was remembered. What is missing was volatile: a text is then empty; undefined when what is left tells no longer how
 * the operation is called.
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
    home: value['home'] === true,
    about: text('about'),
  };
  plain.add(recalled);
  return recalled;
}
