import { stableHash } from '../json/stable-hash.js';
import type { ToolDefinition } from '../tool/tool-definition.js';

/** SHA-256 (hex) over every field a model, an executor or the index can see, independent of the order of keys. */
export function definitionHash(definition: Omit<ToolDefinition, 'hash'>): string {
  return stableHash(definition);
}
