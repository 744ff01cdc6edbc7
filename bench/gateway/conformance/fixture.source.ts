import type { SourceAnswer, ToolCall, ToolContext, ToolDeclaration, ToolSource } from '@tool-search/core';
import { FIXTURE_TOOLS, type FixtureTool, text } from './fixture-tools.js';

/** The tools of the conformance suite, and one that changes the list of tools. */
export class FixtureSource implements ToolSource {
  readonly name = 'fixture';
  readonly loading = 'always' as const;
  readonly #watchers = new Set<() => void>();
  #added: readonly FixtureTool[] = [];

  async load(): Promise<readonly ToolDeclaration[]> {
    return this.#tools().map(({ declaration }) => declaration);
  }

  watch(changed: () => void): () => void {
    this.#watchers.add(changed);
    return () => this.#watchers.delete(changed);
  }

  async call(name: string, _input: unknown, _context: ToolContext, call: ToolCall): Promise<SourceAnswer> {
    const tool = this.#tools().find(({ declaration }) => declaration.name === name);
    return tool ? tool.run(call) : { ...text('There is no such tool any more.'), isError: true };
  }

  async close(): Promise<void> {}

  #tools(): readonly FixtureTool[] {
    const trigger: FixtureTool = {
      declaration: { name: 'test_trigger_tool_change', description: 'Adds a tool, or removes it again.' },
      run: () => {
        const added = { name: 'test_added_tool', description: 'Was added.' };
        this.#added = this.#added.length > 0 ? [] : [{ declaration: added, run: () => text('Done.') }];
        for (const changed of this.#watchers) changed();
        return text('Changed.');
      },
    };
    return [...FIXTURE_TOOLS, trigger, ...this.#added];
  }
}
