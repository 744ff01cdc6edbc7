import type { JsonObject, ToolDeclaration } from '@tool-search/core';
import type { McpSourceSettings } from '../mcp-source-options.js';
import { isLeftOut, type LeftOut, type McpTool, toolReader } from './tool-declaration.js';

export interface Reading {
  /** Adds a page, yielding before each tool. Returns the number of tools read so far. */
  add(page: readonly unknown[]): Generator<void, number>;
  /** Replaces the source's list by the tools that were read. */
  finish(): readonly ToolDeclaration[];
}

/** The tools of a server, from the last load or from stored origins. */
export class ListedTools {
  readonly #read: (raw: unknown, server?: string) => McpTool | LeftOut | undefined;
  #tools: ReadonlyMap<string, McpTool> = new Map();
  #leftOut: readonly LeftOut[] = [];
  #server: string | undefined;

  constructor(settings: McpSourceSettings) {
    this.#read = toolReader(settings);
  }

  get server(): string | undefined {
    return this.#server;
  }

  get leftOut(): readonly LeftOut[] {
    return this.#leftOut;
  }

  /** The data that a call needs, by the declared name. An unknown name is passed to the server unchanged. */
  callable(name: string): Pick<McpTool, 'rawName' | 'inputSchema' | 'fits'> {
    return this.#tools.get(name) ?? { rawName: name, inputSchema: undefined, fits: () => true };
  }

  /** Starts a new list; the current one stays until the new one is finished. */
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

  /** Rebuilds declarations from origins. Tools of the last list that are not among them stay callable. */
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
