import type { ToolDefinition } from '@tool-search/core';
import { localName } from '../datasets/tool-definitions.js';
import type { EngineAnswer, SearchEngine } from '../engines/search-engine.js';
import { isVisible } from '../engines/visible-share.js';
import { PlainBm25 } from './plain-bm25.js';

const MIN_QUERY = 3;

interface Built {
  readonly tools: readonly ToolDefinition[];
  readonly bm25: PlainBm25;
  readonly ms: number;
}

/**
 * PraisonAI's tool search (`praisonaiagents/tools/tool_search.py` of MervinPraison/PraisonAI@52e3e37): BM25 over the
 * bare name and the description. Its idf is negative for words in more than half of the tools. It builds the index for
 * every call.
 */
export class PraisonaiEngine implements SearchEngine {
  readonly name = 'praisonai';
  readonly config: string;
  #tools: readonly ToolDefinition[] = [];
  #whole?: Built;

  /** @param builds use `once` to measure quality: the build time of the original is then reported as `sparedMs` */
  constructor(private readonly builds: 'every call' | 'once' = 'every call') {
    this.config =
      builds === 'once'
        ? 'index built once and its build time added to every query, as the original builds it for every call'
        : 'index built for every call over the visible tools, as the original does';
  }

  async build(tools: readonly ToolDefinition[]): Promise<void> {
    this.#tools = tools;
    this.#whole = this.builds === 'once' ? built(tools) : undefined;
  }

  async search(text: string, limit: number, share = 1): Promise<EngineAnswer> {
    const { tools, bm25, ms } = this.#whole ?? built(this.#tools.filter((_, id) => isVisible(id, share)));
    const hits = (text.trim().length >= MIN_QUERY ? [...bm25.scores(text)] : [])
      .filter(([, score]) => score > 0)
      .sort(([a, scoreOfA], [b, scoreOfB]) => scoreOfB - scoreOfA || a - b)
      .flatMap(([position]) => tools[position] ?? []);
    const names = (hits.length > 0 ? hits : containing(text, tools)).slice(0, limit).map(({ name }) => name);
    return { names, ...(this.#whole && { sparedMs: ms }) };
  }
}

function built(tools: readonly ToolDefinition[]): Built {
  const started = performance.now();
  const bm25 = new PlainBm25(tools.map(textOf), praisonaiWords, praisonaiIdf);
  return { tools, bm25, ms: performance.now() - started };
}

/** ASCII letters, digits and underscores: `create_issue` is one word. */
export function praisonaiWords(text: string): readonly string[] {
  return text.toLowerCase().match(/\b[a-z0-9_]+\b/g) ?? [];
}

/** Without the usual added 1, so that common words lower a tool's score. */
function praisonaiIdf(all: number, having: number): number {
  return Math.log((all - having + 0.5) / (having + 0.5));
}

function textOf(tool: ToolDefinition): string {
  return `${localName(tool)} ${tool.description}`;
}

function containing(text: string, tools: readonly ToolDefinition[]): readonly ToolDefinition[] {
  const wanted = text.toLowerCase();
  return tools.filter(
    (tool) => localName(tool).toLowerCase().includes(wanted) || tool.description.toLowerCase().includes(wanted),
  );
}
