import type { ToolDefinition } from '@tool-search/core';

/** The name that a tool's own server gave it: without the namespace. */
export function localName({ name, namespace }: ToolDefinition): string {
  return namespace === '' ? name : name.slice(namespace.length + 1);
}
