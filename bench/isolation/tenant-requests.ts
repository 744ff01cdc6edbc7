import { isDeepStrictEqual } from 'node:util';
import type { ActivateReply, GetReply, ListedTool, SearchReply, ToolResult } from '@tool-search/core';
import type { SearchType } from '@tool-search/core/internal';
import type { TenantExpectation } from './tenant-expectation.js';
import { argumentsOf, OWN } from './tenant-tools.js';

/** Sends one operation as a tenant. Returns undefined if there was no answer. */
export type Send = (operation: string, body: unknown) => Promise<unknown>;

type Shown = Pick<ListedTool, 'name' | 'description'> & Partial<Pick<ListedTool, 'inputSchema'>>;

const LIMIT = 20;

/** One request of one tenant. Checks that the answer has nothing foreign and everything of the tenant's own. */
export class TenantRequest {
  /**
   * @param states whether the seasonal tools were present during the request; both values if they changed. Grows until
   *   the answer arrives.
   * @param leak called with a description of each deviation
   */
  constructor(
    private readonly expected: TenantExpectation,
    private readonly states: ReadonlySet<boolean>,
    private readonly send: Send,
    private readonly leak: (what: string) => void,
  ) {}

  async list(): Promise<void> {
    const listed = (await this.send('list', {})) as readonly ListedTool[] | undefined;
    if (!listed) return;
    const { activated, offered, tenant } = this.expected;
    for (const tool of listed) {
      this.#check(tool, 'the list');
      const { name, active, definition } = tool;
      this.#decide(name, active);
      if (!['', tenant].includes(definition.owner)) this.leak(`the list shows ${definition.owner}'s ${name}`);
      if (active !== activated.has(name)) this.leak(`${name} is listed as ${active ? 'active' : 'not active'}`);
      if (!activated.has(name) && !offered.has(name)) this.leak(`the list shows ${name}, which was never offered`);
    }
    const names = new Set(listed.map(({ name }) => name));
    if (names.size !== listed.length) this.leak('the list shows a name twice');
    for (const name of activated) if (this.#mustSee(name) && !names.has(name)) this.leak(`the list lacks ${name}`);
  }

  async search(query: string, type: SearchType): Promise<void> {
    const reply = (await this.send('search', { query, type, limit: LIMIT })) as SearchReply | undefined;
    if (!reply) return;
    const { tools, unmatched, totalDeferred } = reply;
    const { activated, offered, undecided } = this.expected;
    const known = [new Set([...activated, ...offered]), new Set([...activated, ...offered, ...undecided])];
    for (const tool of tools) {
      this.#check(tool, 'a search');
      this.#decide(tool.name, tool.active);
      if (tool.active !== this.expected.activated.has(tool.name))
        this.leak(`${tool.name} is found active: ${tool.active}`);
      this.expected.offered.add(tool.name);
    }
    const answer = { hits: tools.map(({ name, score }) => [name, score]), unmatched, totalDeferred };
    const right = await Promise.all(
      [...this.states].flatMap((state) => known.map((names) => this.expected.search(query, type, LIMIT, state, names))),
    );
    if (!right.some((each) => isDeepStrictEqual(each, answer))) {
      this.leak(`${type} "${query}" finds ${JSON.stringify(answer)} instead of ${JSON.stringify(right)}`);
    }
  }

  async get(names: readonly string[]): Promise<void> {
    const reply = (await this.send('get', { names })) as (Partial<GetReply> & { readonly code?: string }) | undefined;
    if (!reply) return;
    const { code, tools = [], unavailable = names } = reply;
    if (code !== undefined && code !== 'TOOL_NOT_AVAILABLE') this.leak(`get answers ${code}`);
    for (const tool of tools) {
      this.#check({ ...tool, inputSchema: tool.inputSchema ?? {} }, 'get');
      this.expected.offered.add(tool.name);
    }
    this.#checkParts(names, [...tools.map(({ name }) => name), ...unavailable], unavailable, 'get');
  }

  async activate(names: readonly string[]): Promise<void> {
    const reply = (await this.send('activate', { names })) as ActivateReply | undefined;
    if (!reply) return;
    const { activated, alreadyActive, unavailable } = reply;
    for (const name of [...activated, ...alreadyActive]) if (!this.#maySee(name)) this.leak(`activation shows ${name}`);
    for (const name of alreadyActive) this.#checkActivation(name, false);
    for (const name of activated) this.#checkActivation(name, true);
    this.#checkParts(names, [...activated, ...alreadyActive, ...unavailable], unavailable, 'activation');
  }

  async call(name: string): Promise<void> {
    const { tenant } = this.expected;
    const result = (await this.send('call', { name, arguments: argumentsOf(name, tenant) })) as ToolResult | undefined;
    if (!result) return;
    if (!result.ok) {
      if (this.#mustSee(name)) this.leak(`a call of ${name} answers ${result.code}`);
      else if (result.code !== 'TOOL_NOT_AVAILABLE') this.leak(`a call of the hidden ${name} answers ${result.code}`);
      else if (this.#maySee(name) && !this.expected.activated.has(name)) this.expected.undecided.add(name);
      return;
    }
    if (!this.#maySee(name)) this.leak(`a call runs ${name}`);
    this.#checkActivation(name, result.activated === true);
    const [block] = result.content ?? [];
    const answer = block?.type === 'text' ? (JSON.parse(block.text) as unknown) : undefined;
    const owner = name.startsWith(`${OWN}.`) ? tenant : '';
    const right = {
      tenantId: tenant,
      owner,
      name: name.slice(name.indexOf('.') + 1),
      input: argumentsOf(name, tenant),
    };
    if (!isDeepStrictEqual(answer, right)) this.leak(`a call of ${name} answers ${JSON.stringify(answer)}`);
  }

  #check({ name, description, inputSchema }: Shown, where: string): void {
    const right = [...this.states].flatMap((state) => this.expected.tools(state).get(name) ?? []);
    if (right.length === 0) this.leak(`${where} shows ${name}`);
    else if (!right.some((tool) => tool.description === description))
      this.leak(`${where} shows a description: ${description}`);
    else if (inputSchema && !right.some((tool) => isDeepStrictEqual(tool.inputSchema, inputSchema)))
      this.leak(`${where} shows a schema for ${name}: ${JSON.stringify(inputSchema)}`);
  }

  /** The first answer about a tool that a refused call may have activated settles its state. */
  #decide(name: string, active: boolean): void {
    if (this.expected.undecided.delete(name) && active) this.expected.activated.add(name);
  }

  #checkActivation(name: string, isNew: boolean): void {
    this.#decide(name, !isNew);
    const { activated } = this.expected;
    if (isNew === activated.has(name)) {
      this.leak(isNew ? `the activation of ${name} was lost` : `${name} was active through somebody else`);
    }
    activated.add(name);
  }

  #checkParts(asked: readonly string[], parts: readonly string[], unavailable: readonly string[], where: string): void {
    if (!isDeepStrictEqual([...parts].sort(), [...new Set(asked)].sort()))
      this.leak(`${where} speaks of ${parts.join(', ')}`);
    for (const name of unavailable) if (this.#mustSee(name)) this.leak(`${where} hides ${name}`);
  }

  #maySee(name: string): boolean {
    return [...this.states].some((state) => this.expected.tools(state).has(name));
  }

  #mustSee(name: string): boolean {
    return [...this.states].every((state) => this.expected.tools(state).has(name));
  }
}
