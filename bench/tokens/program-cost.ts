import { aiSdk } from '@tool-search/agents/ai-sdk';
import type { Toolbox, ToolResult } from '@tool-search/core';
import { wireName } from '@tool-search/core/adapter';
import { asSchema, type ToolExecutionOptions } from 'ai';
import { countTokens } from '../../src/chat/count-tokens.js';
import { modeAccess } from './mode-access.js';
import { type TaskCost, TaskRequests, type TaskStep } from './token-task.js';
import { withoutSandbox } from './without-sandbox.js';

/**
 * Does a task with one program: searches for each tool that is not listed, then calls all of them in the program. The text
 * of the program and what it returns count in full, unlike the calls and results of the other modes.
 *
 * @throws Error if the task needs more than 30 requests
 */
export async function programCost(toolbox: Toolbox, task: readonly TaskStep[]): Promise<TaskCost> {
  const { tools } = await aiSdk(toolbox, { mode: 'deferred', programs: { run: withoutSandbox, tools: ['*'] } });
  const { description, inputSchema, execute, toModelOutput } = tools['run_program'] ?? {};
  const deferred = modeAccess('deferred', toolbox);
  const program = {
    name: 'run_program',
    description: typeof description === 'string' ? description : '',
    inputSchema: await asSchema(inputSchema).jsonSchema,
  };
  const requests = new TaskRequests({
    ...deferred,
    shown: async () => {
      const { definitions, prompt } = await deferred.shown();
      return { definitions: [program, ...definitions], prompt };
    },
  });
  await requests.next();
  const found: boolean[] = [];
  for (const step of task) found.push(await requests.find(step));
  const input = { js: programOf(task) };
  const options: ToolExecutionOptions<never> = { toolCallId: 'program', messages: [], context: undefined as never };
  const output = (await execute?.(input as never, options)) as ToolResult;
  const read = await toModelOutput?.({ toolCallId: 'program', input, output: output as never });
  requests.add(
    countTokens(JSON.stringify(input)) + countTokens(read?.type === 'text' ? read.value : JSON.stringify(read)),
  );
  await requests.next();
  return requests.cost(found.every(Boolean) && output.ok);
}

/** A program as a model would write it: all calls at once, and what they return. */
export function programOf(task: readonly TaskStep[]): string {
  const calls = task.map(({ tool, arguments: input }) => `  ${toolOf(wireName(tool))}(${JSON.stringify(input)}),\n`);
  return `return Promise.all([\n${calls.join('')}]);`;
}

function toolOf(name: string): string {
  return /^[A-Za-z_$][\w$]*$/.test(name) ? `tools.${name}` : `tools[${JSON.stringify(name)}]`;
}
