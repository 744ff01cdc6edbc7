import type { SourceAnswer, ToolCall, ToolContext, ToolDeclaration, ToolSource } from '@tool-search/core';
import type { Completion } from '@tool-search/core/source';
import { isObject } from '@tool-search/core/internal';
import { ASKING_TOOLS } from './fixture-asking-tools.js';
import { FIXTURE_ITEMS } from './fixture-items.js';
import { FIXTURE_TOOLS, type FixtureTool, text } from './fixture-tools.js';

/** What the scenarios of the conformance suite use, and tools that change its lists. */
export class FixtureSource implements ToolSource {
  readonly name = 'fixture';
  readonly loading = 'always' as const;
  readonly exposes = ['resource', 'resource_template', 'prompt', 'logging'] as const;
  readonly #watchers = new Set<() => void>();
  #added: readonly FixtureTool[] = [];

  async load(): Promise<readonly ToolDeclaration[]> {
    return this.#tools().map(({ declaration }) => declaration);
  }

  watch(changed: () => void): () => void {
    this.#watchers.add(changed);
    return () => this.#watchers.delete(changed);
  }

  async call(name: string, input: unknown, _context: ToolContext, call: ToolCall): Promise<SourceAnswer> {
    const tool = this.#tools().find(({ declaration }) => declaration.name === name);
    return tool
      ? tool.run(call, isObject(input) ? input : {})
      : { ...text('There is no such tool any more.'), isError: true };
  }

  async complete(): Promise<Completion> {
    return { values: ['paris', 'park', 'party'] };
  }

  async close(): Promise<void> {}

  #tools(): readonly FixtureTool[] {
    const triggers = [
      trigger('test_trigger_tool_change', () => this.#toggle({ name: 'test_added_tool', description: 'Was added.' })),
      trigger('test_trigger_prompt_change', () =>
        this.#toggle({ kind: 'prompt', name: 'prompts.test_added_prompt', description: 'Was added.' }),
      ),
    ];
    return [...FIXTURE_TOOLS, ...ASKING_TOOLS, ...FIXTURE_ITEMS, ...triggers, ...this.#added];
  }

  #toggle(declaration: ToolDeclaration): void {
    const others = this.#added.filter((each) => each.declaration.name !== declaration.name);
    const isThere = others.length < this.#added.length;
    this.#added = isThere ? others : [...others, { declaration, run: () => text('Done.') }];
    for (const changed of this.#watchers) changed();
  }
}

function trigger(name: string, change: () => void): FixtureTool {
  return {
    declaration: { name, description: 'Adds an entry to a list, or removes it again.' },
    run: () => {
      change();
      return text('Changed.');
    },
  };
}
