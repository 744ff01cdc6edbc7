import { wireName } from '@tool-search/core';
import type { ResponseInputItem } from 'openai/resources/responses/responses';
import type { AgentToolbox } from './agent-toolbox.js';
import { loadedNames } from './responses-input.js';

/** Which of the functions that a conversation has loaded may still be seen. */
export class VisibleWireNames {
  constructor(
    private readonly toolbox: Pick<AgentToolbox, 'visible'>,
    private readonly nameChars: number,
  ) {}

  /** A test for names; a conversation that has loaded none costs nothing. */
  async now(items: readonly ResponseInputItem[]): Promise<(name: string) => boolean> {
    if (loadedNames(items).size === 0) return () => true;
    const names = new Set((await this.toolbox.visible()).map(({ name }) => wireName(name, this.nameChars)));
    return (name) => names.has(name);
  }
}
