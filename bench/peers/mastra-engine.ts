import type { ToolDefinition } from '@tool-search/core';
import type { EngineAnswer, SearchEngine } from '../engines/search-engine.js';
import { isVisible } from '../engines/visible-share.js';
import { PlainBm25 } from './plain-bm25.js';

const WHOLE_NAME = 5;
const PART_OF_NAME = 2;

/**
 * Mastra's `BM25Index` and `ToolSearchProcessor` (`packages/core/src/workspace/search/bm25.ts` and
 * `processors/tool-search.ts` of mastra-ai/mastra@0301b6f, @mastra/core 1.71): BM25 over name and description, cut to
 * twice the limit, then 2 points for each query word in the name and 5 for a word that equals the name.
 */
export class MastraEngine implements SearchEngine {
  readonly name = 'mastra';
  readonly config =
    'topK = the number asked for; average length kept while building (the original adds up all lengths at each addition)';
  #names: readonly string[] = [];
  #bm25 = new PlainBm25([], mastraWords, mastraIdf);

  async build(tools: readonly ToolDefinition[]): Promise<void> {
    this.#names = tools.map(({ name }) => name);
    const texts = tools.map(({ name, description }) => `${name} ${description}`);
    this.#bm25 = new PlainBm25(texts, mastraWords, mastraIdf);
  }

  async search(text: string, limit: number, share = 1): Promise<EngineAnswer> {
    const words = mastraWords(text);
    const ranked = [...this.#bm25.scores(text)].sort(([, a], [, b]) => b - a);
    // With a filter, every match is a candidate, so that hidden tools do not displace visible ones.
    const candidates = share === 1 ? ranked.slice(0, 2 * limit) : ranked;
    const names = candidates
      .map(([id, score]) => {
        const name = this.#names[id] ?? '';
        return { id, name, score: score + nameBonus(name.toLowerCase(), words) };
      })
      .sort((a, b) => b.score - a.score)
      .filter(({ id, score }) => score > 0 && isVisible(id, share))
      .slice(0, limit)
      .map(({ name }) => name);
    return { names };
  }
}

/** Lower-case parts of at least two characters, split at white space, hyphens, underscores and punctuation. */
export function mastraWords(text: string): readonly string[] {
  return text
    .toLowerCase()
    .split(/[\s\-_.,;:!?()[\]{}'"]+/)
    .filter((word) => word.length > 1);
}

function mastraIdf(all: number, having: number): number {
  return Math.log((all - having + 0.5) / (having + 0.5) + 1);
}

function nameBonus(name: string, words: readonly string[]): number {
  let bonus = 0;
  for (const word of words) {
    if (name === word) bonus += WHOLE_NAME;
    else if (name.includes(word)) bonus += PART_OF_NAME;
  }
  return bonus;
}
