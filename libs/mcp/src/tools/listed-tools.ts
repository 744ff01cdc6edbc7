import type { JsonObject, ToolDeclaration } from '@tool-search/core';
import { isObject, ITEM_KINDS, type ItemKind, listedReadings, uriReadings } from '@tool-search/core/source';
import { type ItemReader, itemReader } from '../items/item-declaration.js';
import type { McpSourceSettings } from '../mcp-source-options.js';
import { isLeftOut, type LeftOut, type McpTool, toolReader } from './tool-declaration.js';

export interface Reading {
  /** Adds a page, yielding before each tool. Returns the number of tools read so far. */
  add(page: readonly unknown[], kind?: ItemKind): Generator<void, number>;
  /** Leaves out a whole list of context items, with the reason. */
  leaveOut(kind: ItemKind, reason: string): void;
  /** Replaces the source's list by the tools that were read. */
  finish(): readonly ToolDeclaration[];
}

/** The tools of a server, from the last load or from stored origins. */
export class ListedTools {
  readonly #read: (raw: unknown, server?: string) => McpTool | LeftOut | undefined;
  readonly #readItem: ItemReader;
  #tools: ReadonlyMap<string, McpTool> = new Map();
  #leftOut: readonly LeftOut[] = [];
  #server: string | undefined;
  /** The readings of all resources that the server lists, exposed or not; undefined if it could not be read, or not yet. */
  #listedUris: ReadonlySet<string> | undefined;
  #isRead = false;

  constructor(settings: McpSourceSettings) {
    this.#read = toolReader(settings);
    this.#readItem = itemReader(settings);
  }

  get server(): string | undefined {
    return this.#server;
  }

  get leftOut(): readonly LeftOut[] {
    return this.#leftOut;
  }

  /** Whether a server has listed them since the start. */
  get isRead(): boolean {
    return this.#isRead;
  }

  /** The data that a call needs, by the declared name. An unknown name is passed to the server unchanged. */
  callable(name: string): Pick<McpTool, 'rawName' | 'inputSchema' | 'fits' | 'kind'> {
    return this.#tools.get(name) ?? { rawName: name, inputSchema: undefined, fits: () => true };
  }

  /** Whether the server may list a resource with this URI, in any form that it may read as the same. */
  lists(uri: string): boolean {
    const [listed, readings] = [this.#listedUris, uriReadings(uri)];
    return !listed || !readings || [...readings].some((reading) => listed.has(reading));
  }

  /** Starts a new list; the current one stays until the new one is finished. */
  reading(server: string | undefined): Reading {
    let read: (McpTool | LeftOut)[] = [];
    const uris = new Set<string>();
    let isWhole = true;
    const readTool = this.#read;
    const readItem = this.#readItem;
    return {
      *add(page, kind) {
        for (const raw of page) {
          yield;
          if (kind === 'resource' && isObject(raw) && typeof raw['uri'] === 'string') {
            for (const reading of listedReadings(raw['uri'])) uris.add(reading);
          }
          const tool = kind === undefined ? readTool(raw, server) : readItem(kind, raw, server);
          if (tool) read.push(tool);
        }
        return read.length;
      },
      leaveOut: (kind, reason) => {
        // Nobody knows what it lists.
        if (kind === 'resource') isWhole = false;
        read = [...read.filter((each) => isLeftOut(each) || each.kind !== kind), { name: `${kind}s`, reason }];
      },
      finish: () => {
        this.#server = server;
        this.#listedUris = isWhole ? uris : undefined;
        this.#isRead = true;
        this.#leftOut = read.filter(isLeftOut);
        return this.#take(read, new Map());
      },
    };
  }

  /** Rebuilds declarations from origins. Tools of the last list that are not among them stay callable. */
  restore(origins: readonly JsonObject[]): readonly ToolDeclaration[] {
    const read = origins.flatMap((origin) => {
      const server = typeof origin['server'] === 'string' ? origin['server'] : undefined;
      const kind = ITEM_KINDS.find((each) => each === origin['kind']);
      return (kind ? this.#readItem(kind, origin['item'], server) : this.#read(origin['tool'], server)) ?? [];
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
