import type { JsonObject, ToolDeclaration } from '@tool-search/core';
import type { McpSourceSettings } from '../mcp-source-options.js';
import { isLeftOut, type LeftOut, type McpTool, toolReader } from './tool-declaration.js';

/** A list of tools that is being read. */
export interface Reading {
  /** Takes a page, with a pause at each tool, and says how many tools have been taken so far. */
  add(page: readonly unknown[]): Generator<void, number>;
  /** Makes what was read the list of the source. */
  finish(): readonly ToolDeclaration[];
}

/** The tools of a server as the last load, or what was remembered, has them. */
export class ListedTools {
  readonly #read: (raw: unknown, server?: string) => McpTool | LeftOut | undefined;
  #tools: ReadonlyMap<string, McpTool> = new Map();
  #leftOut: readonly LeftOut[] = [];
  #server: string | undefined;

  constructor(settings: McpSourceSettings) {
    this.#read = toolReader(settings);
  }

  /** What the server said of itself. */
  get server(): string | undefined {
    return this.#server;
  }

  /** The tools that could not be handed over. */
  get leftOut(): readonly LeftOut[] {
    return this.#leftOut;
  }

  /** What a call of a tool needs, by the name it was declared with; a tool that is not known goes by its own name. */
  callable(name: string): Pick<McpTool, 'rawName' | 'inputSchema' | 'fits'> {
    return this.#tools.get(name) ?? { rawName: name, inputSchema: undefined, fits: () => true };
  }

  /** Begins a list; nothing changes before it is finished. */
  reading(server: string | undefined): Reading {
    const read: (McpTool | LeftOut)[] = [];
    const readTool = this.#read;
    return {
      *add(page) {
        for (const raw of page) {
          yield;
          const tool = readTool(raw, server);
          if (tool) read.push(tool);
        }
        return read.length;
      },
      finish: () => {
        this.#server = server;
        this.#leftOut = read.filter(isLeftOut);
        return this.#take(read, new Map());
      },
    };
  }

  /** Declarations from origins; tools of the last list that are not among them stay callable. */
  restore(origins: readonly JsonObject[]): readonly ToolDeclaration[] {
    const read = origins.flatMap((origin) => {
      const server = typeof origin['server'] === 'string' ? origin['server'] : undefined;
      return this.#read(origin['tool'], server) ?? [];
    });
    const server = origins.find((origin) => typeof origin['server'] === 'string')?.['server'];
    if (origins.length > 0) this.#server = server as string | undefined;
    return this.#take(read, new Map(this.#tools));
  }

  #take(read: readonly (McpTool | LeftOut)[], tools: Map<string, McpTool>): readonly ToolDeclaration[] {
    const taken = read.filter((tool): tool is McpTool => !isLeftOut(tool));
    for (const tool of taken) tools.set(tool.declaration.name, tool);
    this.#tools = tools;
    return taken.map(({ declaration }) => declaration);
  }
}
