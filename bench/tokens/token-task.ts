import type { JsonObject } from '@tool-search/core';
import { wireName } from '@tool-search/core/adapter';
import { countTokens } from '../../src/chat/count-tokens.js';

/** One tool that a task needs, with the search and the arguments of a model. */
export interface TaskStep {
  readonly query: string;
  /** Canonical name. */
  readonly tool: string;
  readonly arguments: JsonObject;
}

/** A model's way to the tools: a mode of the library, or the gateway as the model of an MCP client sees it. */
export interface ToolAccess {
  /** What the next request shows to the model. */
  shown(): Promise<ShownTools>;
  /** Calls a meta tool. Returns the text that the model reads. */
  ask(name: string, input: JsonObject): Promise<string>;
  /** Calls a listed tool or `tool_call`. Returns whether the tool succeeded. */
  call(name: string, input: JsonObject): Promise<boolean>;
  /** Ends its connection, where it has one. */
  close?(): Promise<void>;
}

/** Tools and texts in one request to a model. */
export interface ShownTools {
  /** Under the names that the model reads, meta tools included. */
  readonly definitions: readonly ShownTool[];
  /** Parts of the system prompt. */
  readonly prompt: readonly string[];
}

/** A definition as a provider receives it. */
export interface ShownTool {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: object;
}

/** Tokens of a task. */
export interface TaskCost {
  /** Tokens that the library adds to the first request to a model. */
  readonly firstStep: number;
  /** Tokens of all requests of the task: definitions, prompt parts, and earlier search and read results. */
  readonly task: number;
  readonly taskSucceeded: boolean;
}

const MAX_REQUESTS = 30;

/** The requests of one task to a model, and what is in the conversation by then. */
export class TaskRequests {
  readonly #tokens: number[] = [];
  #conversationTokens = 0;
  #listed: ReadonlySet<string> = new Set();

  constructor(private readonly access: Pick<ToolAccess, 'shown' | 'ask'>) {}

  /** @throws Error if the task needs more than 30 requests */
  async next(): Promise<void> {
    if (this.#tokens.length === MAX_REQUESTS) throw new Error(`the task needs more than ${MAX_REQUESTS} requests`);
    const shown = await this.access.shown();
    this.#listed = new Set(shown.definitions.map(({ name }) => name));
    this.#tokens.push(tokensOf(shown) + this.#conversationTokens);
  }

  /** @param tool its canonical name */
  isListed(tool: string): boolean {
    return this.#listed.has(wireName(tool));
  }

  /** Calls a meta tool. Returns the text that the model reads. */
  async ask(name: string, input: JsonObject): Promise<string> {
    const answer = await this.access.ask(name, input);
    this.add(countTokens(JSON.stringify(input)) + countTokens(answer));
    return answer;
  }

  /** Searches for a tool that is not listed, and makes the next request. Returns whether the model knows the tool now. */
  async find({ query, tool }: TaskStep): Promise<boolean> {
    if (this.isListed(tool)) return true;
    const found = await this.ask('tool_search', { query });
    await this.next();
    return found.includes(JSON.stringify(tool).slice(1, -1)) || found.includes(wireName(tool));
  }

  /** Adds tokens to the conversation, so to each request from the next one on. */
  add(tokens: number): void {
    this.#conversationTokens += tokens;
  }

  cost(taskSucceeded: boolean): TaskCost {
    return { firstStep: this.#tokens[0] ?? 0, task: this.#tokens.reduce((sum, each) => sum + each, 0), taskSucceeded };
  }
}

/**
 * Does a task as a careful model would. It calls a listed tool directly. It searches for other tools with the words of
 * the task, reads their arguments if the list does not show them, and calls them as the mode requires. It uses only
 * names that it was shown, so a tool that the search does not find is not called.
 *
 * @throws Error if the task needs more than 30 requests
 */
export async function costOf(access: ToolAccess, task: readonly TaskStep[]): Promise<TaskCost> {
  const requests = new TaskRequests(access);
  const done: boolean[] = [];
  await requests.next();
  for (const step of task) {
    const { tool, arguments: input } = step;
    if (!(await requests.find(step))) {
      done.push(false);
      continue;
    }
    if (requests.isListed(tool)) {
      done.push(await access.call(tool, input));
    } else {
      await requests.ask('tool_get', { names: [tool] });
      await requests.next();
      const wrapped = { name: tool, arguments: input };
      requests.add(countTokens(JSON.stringify(wrapped)) - countTokens(JSON.stringify(input)));
      done.push(await access.call('tool_call', wrapped));
    }
    await requests.next();
  }
  return requests.cost(done.every(Boolean));
}

function tokensOf({ definitions, prompt }: ShownTools): number {
  const texts = [...definitions.map(wireForm), ...prompt];
  return texts.reduce((sum, text) => sum + countTokens(text), 0);
}

/** Tokens of one definition in the format of OpenAI's API. @param tool with its canonical name */
export function definitionTokens({ name, description, inputSchema }: ShownTool): number {
  return countTokens(wireForm({ name: wireName(name), description, inputSchema }));
}

function wireForm({ name, description, inputSchema }: ShownTool): string {
  return JSON.stringify({ type: 'function', function: { name, description, parameters: inputSchema } });
}
