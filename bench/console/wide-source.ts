import type { ToolDeclaration, ToolSource } from '@tool-search/core';

/** Number of tools of the {@link WideSource}. */
export const WIDE_TOOLS = 10_000;

/** Tools in a hundred namespaces, for the measurement of the console with large data. */
export class WideSource implements ToolSource {
  readonly name = 'wide';
  readonly loading = 'deferred' as const;
  readonly limits = { tools: WIDE_TOOLS };

  async load(): Promise<readonly ToolDeclaration[]> {
    return Array.from({ length: WIDE_TOOLS }, (_, index) => ({
      name: `area${index % 100}.task_${index}`,
      namespace: '',
      description: `Does task ${index} of area ${index % 100}: refunds, invoices and reports of its customers.`,
      sideEffects: index % 3 === 0 ? 'write' : 'read',
    }));
  }

  async call() {
    return { content: [] };
  }

  async close(): Promise<void> {}
}
