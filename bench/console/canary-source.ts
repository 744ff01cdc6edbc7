import type { ToolDeclaration, ToolSource } from '@tool-search/core';

/** A tool with a canary, whose share operators change. */
export class CanarySource implements ToolSource {
  readonly name = 'letters';
  readonly canaries = true;

  async load(): Promise<readonly ToolDeclaration[]> {
    return [
      {
        name: 'send',
        description: 'Send a letter.',
        canary: { sharePct: 5, definition: { description: 'Send a letter, by air where that is faster.' } },
      },
    ];
  }

  async call() {
    return { content: [] };
  }

  async close(): Promise<void> {}
}
