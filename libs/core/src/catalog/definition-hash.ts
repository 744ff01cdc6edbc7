import { createHash } from 'node:crypto';
import { configure } from 'safe-stable-stringify';
import type { ToolDefinition } from '../tool/tool-definition.js';

const stringify = configure({ deterministic: true, circularValue: undefined });

/** SHA-256 (hex) over every field a model, an executor or the index can see, independent of the order of keys. */
export function definitionHash(definition: Omit<ToolDefinition, 'hash'>): string {
  return stableHash(definition);
}

/** SHA-256 (hex) of a JSON value, independent of the order of keys. */
export function stableHash(value: unknown): string {
  return createHash('sha256')
    .update(stringify(value) ?? '')
    .digest('hex');
}
