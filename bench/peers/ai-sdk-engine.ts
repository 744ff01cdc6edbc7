import type { ToolDefinition } from '@tool-search/core';
import type { EngineAnswer, SearchEngine } from '../engines/search-engine.js';
import { isVisible } from '../engines/visible-share.js';

const IN_NAME = 2;
const IN_DESCRIPTION = 1;

/**
 * `toolSearch()` of the Vercel AI SDK (`src/tool-search/prepare-tool-search.ts` of ai 7.0.173), which the package does not
 * export: each different word of the query gives 2 points if the name has it and 1 if the description has it, however
 * often; equal tools keep their order. The spec beside this file compares it with generations of the package itself.
 */
export class AiSdkEngine implements SearchEngine {
  readonly name = 'ai-sdk';
  readonly config =
    'maxResults = the number asked for; no index: names and descriptions are split for every query, as in the original';
  #tools: readonly ToolDefinition[] = [];

  async build(tools: readonly ToolDefinition[]): Promise<void> {
    this.#tools = tools;
  }

  change(tools: readonly ToolDefinition[]): () => Promise<void> {
    return () => this.build(tools);
  }

  async search(text: string, limit: number, share = 1): Promise<EngineAnswer> {
    const wanted = [...new Set(aiSdkWords(text))];
    const found: { readonly name: string; readonly score: number }[] = [];
    for (const [id, { name, description }] of this.#tools.entries()) {
      if (!isVisible(id, share)) continue;
      const score = IN_NAME * countIn(name, wanted) + IN_DESCRIPTION * countIn(description, wanted);
      if (score > 0) found.push({ name, score });
    }
    found.sort((a, b) => b.score - a.score);
    return { names: found.slice(0, limit).map(({ name }) => name) };
  }
}

function countIn(field: string, wanted: readonly string[]): number {
  const words = aiSdkWords(field);
  let count = 0;
  for (const word of wanted) if (words.includes(word)) count += 1;
  return count;
}

/** Runs of letters and digits of any script in lower case; a capital after a small letter or digit starts a new one. */
export function aiSdkWords(text: string): readonly string[] {
  const spaced = text.replaceAll(/([a-z\d])([A-Z])/g, '$1 $2');
  return spaced.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
}
