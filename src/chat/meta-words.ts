import { isObject, type MetaNames } from '@tool-search/core';
import type { Exchange, ModelRequest } from './transcript.js';

/** What the demo model calls the meta tools in its own thoughts. */
export const OWN_WORDS: MetaNames = {
  search: 'tool_search',
  get: 'tool_get',
  load: 'tool_load',
  call: 'tool_call',
};

type Tools = NonNullable<ModelRequest['tools']>;

/**
 * What is shown and said, in the words in which the demo model thinks: meta tools by their usual names, and a call through
 * a bridge as a call of the tool that is meant.
 */
export class MetaWords {
  readonly #usual: ReadonlyMap<string, string>;
  readonly #names: ReadonlyMap<string, string>;

  /** @param names what the application calls its meta tools */
  constructor(names: Partial<MetaNames> = {}) {
    const kinds = Object.keys(OWN_WORDS) as (keyof MetaNames)[];
    this.#usual = new Map(kinds.map((kind) => [names[kind] ?? OWN_WORDS[kind], OWN_WORDS[kind]]));
    this.#names = new Map(kinds.map((kind) => [OWN_WORDS[kind], names[kind] ?? OWN_WORDS[kind]]));
  }

  tools(tools: Tools): Tools {
    return tools.map((tool) => (tool.type === 'function' ? { ...tool, name: this.#thought(tool.name) } : tool));
  }

  exchange(exchange: Exchange): Exchange {
    const toolName = this.#thought(exchange.toolName);
    const { input } = exchange;
    if (toolName !== OWN_WORDS.call || !isObject(input) || typeof input['name'] !== 'string') {
      return { ...exchange, toolName };
    }
    return { ...exchange, toolName: input['name'], input: input['arguments'] ?? {} };
  }

  /** A call as the application knows it. */
  call<T extends { readonly toolName: string }>(call: T): T {
    return { ...call, toolName: this.#names.get(call.toolName) ?? call.toolName };
  }

  // A tool of the application may be named as a meta tool usually is, where that has another name.
  #thought(name: string): string {
    return this.#usual.get(name) ?? (this.#names.has(name) ? `${name}_` : name);
  }
}
