import { stableHash } from '../json/stable-hash.js';
import type { ToolDefinition } from '../tool/tool-definition.js';

/** SHA-256 (hex) over the fields that a model, an executor or the index can see. The order of keys does not matter. */
export function definitionHash(definition: Omit<ToolDefinition, 'hash'>): string {
  return stableHash(definition);
}
