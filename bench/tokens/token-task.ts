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

/**
 * Does a task as a careful model would. It calls a listed tool directly. It searches for other tools with the words of
 * the task, reads their arguments if the list does not show them, and calls them as the mode requires. It uses only
 * names that it was shown, so a tool that the search does not find is not called.
 *
 * @throws Error if the task needs more than 30 requests
 */
export async function costOf(access: ToolAccess, task: readonly TaskStep[]): Promise<TaskCost> {
  const requests: number[] = [];
  let conversationTokens = 0;
  let listed: ReadonlySet<string> = new Set();
  const request = async () => {
    if (requests.length === MAX_REQUESTS) throw new Error(`the task needs more than ${MAX_REQUESTS} requests`);
    const shown = await access.shown();
    listed = new Set(shown.definitions.map(({ name }) => name));
    requests.push(tokensOf(shown) + conversationTokens);
  };
  const meta = async (name: string, input: JsonObject) => {
    const answer = await access.ask(name, input);
    conversationTokens += countTokens(JSON.stringify(input)) + countTokens(answer);
    return answer;
  };
  const done: boolean[] = [];
  await request();
  for (const { query, tool, arguments: input } of task) {
    const isListed = () => listed.has(wireName(tool));
    if (!isListed()) {
      const found = await meta('tool_search', { query });
      await request();
      if (!found.includes(JSON.stringify(tool).slice(1, -1)) && !found.includes(wireName(tool))) {
        done.push(false);
        continue;
      }
    }
    if (isListed()) {
      done.push(await access.call(tool, input));
    } else {
      await meta('tool_get', { names: [tool] });
      await request();
      const wrapped = { name: tool, arguments: input };
      conversationTokens += countTokens(JSON.stringify(wrapped)) - countTokens(JSON.stringify(input));
      done.push(await access.call('tool_call', wrapped));
    }
    await request();
  }
  return {
    firstStep: requests[0] ?? 0,
    task: requests.reduce((sum, each) => sum + each, 0),
    taskSucceeded: done.length === task.length && done.every(Boolean),
  };
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
