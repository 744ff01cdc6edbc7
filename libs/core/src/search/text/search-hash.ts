import type { ToolDefinition } from '../../tool/tool-definition.js';

/** Identifies everything of a definition that an index contains: its hash, and the queries that were added to it. */
export function searchHashOf({ hash, added }: Pick<ToolDefinition, 'hash' | 'added'>): string {
  return added ? `${hash}.${added.hash}` : hash;
}
