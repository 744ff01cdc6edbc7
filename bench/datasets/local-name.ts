import type { ToolDefinition } from '@tool-search/core';

/** Returns the name that the tool's server gave it, without the namespace. */
export function localName({ name, namespace }: ToolDefinition): string {
  return namespace === '' ? name : name.slice(namespace.length + 1);
}
