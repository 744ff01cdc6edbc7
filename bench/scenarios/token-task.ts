import type { ExposureMode, JsonObject, Surface, Toolbox } from '@tool-search/core';
import { contentText, wireName } from '@tool-search/core/adapter';
import { isObject } from '@tool-search/core/source';
import { countTokens } from '../../src/chat/count-tokens.js';

/** One tool that a task needs, with the search and the arguments of a model. */
export interface TaskStep {
  readonly query: string;
  /** Canonical name. */
  readonly tool: string;
  readonly arguments: JsonObject;
}

/** Cost of one mode in tokens. */
export interface ModeCost {
  readonly mode: ExposureMode | 'auto';
  /** Tokens that the library adds to the first request to a model. */
  readonly firstStep: number;
  /** Tokens of all requests of the task: definitions, prompt parts, and earlier search and read results. */
  readonly task: number;
  readonly taskSucceeded: boolean;
}

const MAX_REQUESTS = 30;
const NAMING = { shown: (name: string) => wireName(name), meant: (name: string) => name };

/**
 * Does a task as a careful model would. It calls a listed tool directly. It searches for other tools with the words of
 * the task, reads their arguments if the list does not show them, and calls them as the mode requires. It uses only
 * names that it was shown, so a tool that the search does not find is not called.
 */
export async function costOf(mode: ModeCost['mode'], toolbox: Toolbox, task: readonly TaskStep[]): Promise<ModeCost> {
  const requests: number[] = [];
  let said = 0;
  let surface: Surface | undefined;
  const request = async () => {
    if (requests.length === MAX_REQUESTS) throw new Error(`${mode}: the task needs more than ${MAX_REQUESTS} requests`);
    surface = await toolbox.surface({ mode, canDefer: true, naming: NAMING });
    requests.push(tokensOf(surface) + said);
    return surface;
  };
  const meta = async (name: string, input: JsonObject) => {
    const result = await toolbox.call(name, input);
    const answer = result.ok ? contentText(result.content) : JSON.stringify(result);
    said += tokens(input) + tokens(answer);
    return answer;
  };
  const done: boolean[] = [];
  await request();
  for (const { query, tool, arguments: input } of task) {
    const isListed = () => surface?.tools.some(({ name }) => name === tool) ?? false;
    if (!isListed()) {
      const found = await meta('tool_search', { query });
      await request();
      if (!found.includes(JSON.stringify(tool).slice(1, -1))) {
        done.push(false);
        continue;
      }
    }
    if (isListed()) {
      done.push((await toolbox.call(tool, input)).ok);
    } else {
      await meta('tool_get', { names: [tool] });
      await request();
      const wrapped = { name: tool, arguments: input };
      said += tokens(wrapped) - tokens(input);
      done.push((await toolbox.call('tool_call', wrapped)).ok);
    }
    await request();
  }
  return {
    mode,
    firstStep: requests[0] ?? 0,
    task: requests.reduce((sum, each) => sum + each, 0),
    taskSucceeded: done.length === task.length && done.every(Boolean),
  };
}

/** Tokens of a surface in the format of OpenAI's API. */
function tokensOf({ tools, meta, wireNames, prompt }: Surface): number {
  const functions = [
    ...meta.map(({ name, description, inputSchema }) => functionOf(name, description, inputSchema)),
    ...tools.map(({ name, description, inputSchema }) =>
      functionOf(wireNames.get(name) ?? name, description, inputSchema),
    ),
  ];
  const parts = Object.values(prompt).filter((part) => typeof part === 'string');
  return [...functions, ...parts].reduce((sum, each) => sum + tokens(each), 0);
}

/** Tokens of one definition in the same format. */
export function definitionTokens(tool: { name: string; description: string; inputSchema: object }): number {
  return tokens(functionOf(wireName(tool.name), tool.description, tool.inputSchema));
}

function functionOf(name: string, description: string, parameters: object): JsonObject {
  return { type: 'function', function: { name, description, parameters } } as JsonObject;
}

function tokens(value: unknown): number {
  return countTokens(isObject(value) ? JSON.stringify(value) : String(value));
}
