import type { JsonObject, ToolDeclaration } from '@tool-search/core';
import type { ListedResources } from '@tool-search/core/source';
import { isObject, ITEM_KINDS, type ItemKind, listedReadings, uriReadings } from '@tool-search/core/internal';
import { NamedPages } from '../apps/named-pages.js';
import { type PageReader, pageReader } from '../apps/page-declaration.js';
import { type ItemReader, itemReader } from '../items/item-declaration.js';
import type { McpSourceSettings } from '../mcp-source-options.js';
import { isLeftOut, type LeftOut, type McpTool, toolReader } from './tool-declaration.js';

/** Forms of listed URIs, some for each: all of them are compared with what is read or suggested. */
const MAX_READINGS = 30_000;
/** One more than those that are compared: with so many, nothing is read through a template. */
const MAX_TEMPLATES = 1_001;

export interface Reading {
  /** Adds a page, yielding before each tool. Returns the number of tools read so far. */
  add(page: readonly unknown[], kind?: ItemKind): Generator<void, number>;
  /**
   * Leaves out a list of context items, with the reason.
   *
   * @param isRest only what was not read: what was read counts, and what an earlier list had stays. @default false
   */
  leaveOut(kind: ItemKind, reason: string, isRest?: boolean): void;
  /** Says that the rest of the tools could not be read: what was read counts, and what an earlier list had stays. */
  breakOff(): void;
  /** Replaces the source's list by the tools that were read. */
  finish(): readonly ToolDeclaration[];
}

/** The tools of a server, from the last load or from stored origins. */
export class ListedTools {
  readonly #read: (raw: unknown, server?: string) => McpTool | LeftOut | undefined;
  readonly #readItem: ItemReader;
  readonly #readPage: PageReader;
  #tools: ReadonlyMap<string, McpTool> = new Map();
  #leftOut: readonly LeftOut[] = [];
  #server: string | undefined;
  #listed: ListedResources | undefined;
  #isRead = false;

  constructor(settings: McpSourceSettings) {
    this.#read = toolReader(settings);
    this.#readItem = itemReader(settings);
    this.#readPage = pageReader(settings);
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
  callable(name: string): Pick<McpTool, 'rawName' | 'inputSchema' | 'fits' | 'kind' | 'page'> {
    return this.#tools.get(name) ?? { rawName: name, inputSchema: undefined, fits: () => true };
  }

  /** What the server lists, exposed or not; undefined if it could not be read, or not yet. */
  get listed(): ListedResources | undefined {
    return this.#listed;
  }

  /** Whether the server may list a resource with this URI, in any form that it may read as the same. */
  lists(uri: string): boolean {
    const [listed, readings] = [this.#listed?.readings, uriReadings(uri)];
    return !listed || !readings || [...readings].some((reading) => listed.has(reading));
  }

  /**
   * Starts a new list; the current one stays until the new one is finished.
   *
   * @param limit how many entries a list that broke off may have together with earlier ones. The caller bounds what is read
   */
  reading(server: string | undefined, limit = Infinity): Reading {
    let read: (McpTool | LeftOut)[] = [];
    const readings = new Set<string>();
    const templates = new Set<string>();
    const namedPages = new NamedPages(this.#readPage);
    let isWhole = true;
    /** Kinds whose lists broke off; undefined for tools. */
    const broken = new Set<ItemKind | undefined>();
    const readTool = this.#read;
    const readItem = this.#readItem;
    return {
      *add(page, kind) {
        for (const raw of page) {
          yield;
          const { uri, uriTemplate } = isObject(raw) ? raw : {};
          if (kind === 'resource' && typeof uri === 'string') {
            // Beyond it nobody can say at each request what is listed: nothing is read through templates or suggested.
            if (readings.size >= MAX_READINGS) isWhole = false;
            else for (const reading of listedReadings(uri)) readings.add(reading);
            namedPages.list(uri, raw);
          }
          if (kind === 'resource_template' && typeof uriTemplate === 'string' && templates.size < MAX_TEMPLATES) {
            templates.add(uriTemplate);
          }
          const tool = kind === undefined ? readTool(raw, server) : readItem(kind, raw, server);
          if (tool) read.push(tool);
        }
        return read.length;
      },
      leaveOut: (kind, reason, isRest = false) => {
        // Nobody knows what it lists.
        if (kind === 'resource') isWhole = false;
        if (isRest) broken.add(kind);
        else read = read.filter((each) => isLeftOut(each) || each.kind !== kind);
        read = [...read, { name: `${kind}s`, reason }];
      },
      breakOff: () => void broken.add(undefined),
      finish: () => {
        this.#server = server;
        const all = [...read, ...this.#missing(read, broken, limit)];
        const taken = all.filter((each): each is McpTool => !isLeftOut(each));
        const earlier = (name: string) => {
          const known = broken.has('resource') ? this.#tools.get(name) : undefined;
          return known?.page && known;
        };
        const { pages, rest } = namedPages.of(taken, server, earlier);
        // A page is read under its own address alone, and never through a template.
        for (const { rawName } of pages) for (const reading of listedReadings(rawName)) readings.add(reading);
        this.#listed = isWhole ? { readings, templates: [...templates] } : undefined;
        this.#isRead = true;
        const room = Math.max(0, limit - rest.length);
        const reason = `with the pages of its tools, the source is over its limit of ${limit} (limits.tools)`;
        const tooMany = pages.slice(room).map(({ declaration: { name } }) => ({ name, reason }));
        this.#leftOut = [...all.filter(isLeftOut), ...tooMany];
        return this.#take([...rest, ...pages.slice(0, room)], new Map());
      },
    };
  }

  /** Rebuilds declarations from origins. Tools of the last list that are not among them stay callable. */
  restore(origins: readonly JsonObject[]): readonly ToolDeclaration[] {
    const read = origins.flatMap((origin) => {
      const server = typeof origin['server'] === 'string' ? origin['server'] : undefined;
      if (origin['page'] !== undefined) return this.#readPage(origin['page'], server) ?? [];
      const kind = ITEM_KINDS.find((each) => each === origin['kind']);
      return (kind ? this.#readItem(kind, origin['item'], server) : this.#read(origin['tool'], server)) ?? [];
    });
    const server = origins.find((origin) => typeof origin['server'] === 'string')?.['server'];
    if (origins.length > 0) this.#server = server as string | undefined;
    return this.#take(read, new Map(this.#tools));
  }

  /** Whether the last list, or the stored one, has tools. */
  get hasTools(): boolean {
    return [...this.#tools.values()].some(({ kind }) => kind === undefined);
  }

  /** What earlier lists had of these kinds and a new list has not. Those over the limit are left out, with the reason. */
  #missing(
    read: readonly (McpTool | LeftOut)[],
    kinds: ReadonlySet<ItemKind | undefined>,
    limit: number,
  ): readonly (McpTool | LeftOut)[] {
    if (kinds.size === 0) return [];
    const names = new Set(read.flatMap((each) => (isLeftOut(each) ? [] : each.declaration.name)));
    // Pages follow from the tools that name them.
    const missing = [...this.#tools].filter(([name, { kind, page }]) => kinds.has(kind) && !page && !names.has(name));
    const room = Math.max(0, limit - names.size);
    const reason = `the list broke off, and with what was read of it the source is over its limit of ${limit} (limits.tools)`;
    return missing.map(([name, tool], index) => (index < room ? tool : { name, reason }));
  }

  #take(read: readonly (McpTool | LeftOut)[], tools: Map<string, McpTool>): readonly ToolDeclaration[] {
    const taken = read.filter((tool): tool is McpTool => !isLeftOut(tool));
    for (const tool of taken) tools.set(tool.declaration.name, tool);
    this.#tools = tools;
    return taken.map(({ declaration }) => declaration);
  }
}
