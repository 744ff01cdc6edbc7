import type { ToolDefinition } from '@tool-search/core';
import type { EngineAnswer, SearchEngine } from '../engines/search-engine.js';
import { isVisible } from '../engines/visible-share.js';
import { PlainBm25 } from './plain-bm25.js';

/**
 * BM25 over the name, the description, and the names and descriptions of the arguments: what Anthropic says that its
 * tool search reads. How it splits words and weighs fields is not published; here all text counts the same, and names
 * are split into their words. The arguments of nested objects count as well.
 */
export class ArgumentBm25Engine implements SearchEngine {
  readonly name = 'bm25';
  readonly config = 'k1 1.5, b .75 over name, description, argument names and descriptions';
  #names: readonly string[] = [];
  #bm25 = new PlainBm25([], words, idf);

  async build(tools: readonly ToolDefinition[]): Promise<void> {
    this.#names = tools.map(({ name }) => name);
    this.#bm25 = new PlainBm25(tools.map(textOf), words, idf);
  }

  async search(text: string, limit: number, share = 1): Promise<EngineAnswer> {
    const ranked = [...this.#bm25.scores(text)]
      .filter(([id]) => isVisible(id, share))
      .sort(([a, scoreOfA], [b, scoreOfB]) => scoreOfB - scoreOfA || a - b);
    return { names: ranked.slice(0, limit).map(([id]) => this.#names[id] ?? '') };
  }
}

/** Lower-case runs of letters and digits; `createIssue` and `create_issue` are two words each. */
function words(text: string): readonly string[] {
  const parted = text.replaceAll(/(\p{Ll}|\d)(\p{Lu})/gu, '$1 $2');
  return parted.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
}

function idf(all: number, having: number): number {
  return Math.log((all - having + 0.5) / (having + 0.5) + 1);
}

function textOf({ name, description, inputSchema }: ToolDefinition): string {
  return [name, description, ...argumentTexts(inputSchema)].join(' ');
}

function argumentTexts(schema: unknown): string[] {
  if (typeof schema !== 'object' || schema === null) return [];
  const { properties, items } = schema as { readonly properties?: unknown; readonly items?: unknown };
  const named = Object.entries(typeof properties === 'object' && properties !== null ? properties : {});
  return [
    ...named.flatMap(([name, argument]) => [name, describedBy(argument), ...argumentTexts(argument)]),
    ...argumentTexts(items),
  ];
}

function describedBy(argument: unknown): string {
  const { description } = (argument ?? {}) as { readonly description?: unknown };
  return typeof description === 'string' ? description : '';
}
