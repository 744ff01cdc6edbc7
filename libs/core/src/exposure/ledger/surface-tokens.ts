import { LruMap } from '../../collections/lru-map.js';
import type { DefinitionTokens, TokenCounter } from '../../tool/token-count.js';
import type { ListedTool, MetaTool, Surface } from '../../toolbox/surface/surface.js';

interface Known {
  readonly by: TokenCounter;
  readonly text: string;
  readonly tokens: number;
}

const MAX_PARTS = 200;

/** Counts the tokens of what models see: tools, meta tools and prompt parts. Counts are cached. */
export class SurfaceTokens {
  readonly #shown = new WeakMap<object, Known>();
  /** Prompt parts are long and mostly the same as in the step before. */
  readonly #parts = new LruMap<Known>(MAX_PARTS);

  constructor(private readonly tokens: DefinitionTokens) {}

  of({ tools, meta, prompt }: Surface): number {
    let total = 0;
    for (const tool of tools) total += this.#listed(tool);
    for (const tool of meta) total += this.#definition(tool, tool);
    for (const part of [prompt.guidance, prompt.directory, prompt.hints]) total += part ? this.#part(part) : 0;
    return total;
  }

  #listed(tool: ListedTool): number {
    const { definition } = tool;
    const isAsDefined = tool.description === definition.description && tool.inputSchema === definition.inputSchema;
    return isAsDefined ? this.tokens.of(definition) : this.#definition(definition, tool);
  }

  /** @param owner an object with the lifetime of this form of the definition */
  #definition(owner: object, { name, description, inputSchema }: MetaTool): number {
    const { count } = this.tokens;
    const known = this.#shown.get(owner);
    if (known?.by === count && known.text === description) return known.tokens;
    const tokens = count(JSON.stringify({ name, description, parameters: inputSchema }));
    this.#shown.set(owner, { by: count, text: description, tokens });
    return tokens;
  }

  #part(text: string): number {
    const { count } = this.tokens;
    const known = this.#parts.get(text);
    if (known?.by === count) return known.tokens;
    const tokens = count(text);
    this.#parts.set(text, { by: count, text, tokens });
    return tokens;
  }
}
