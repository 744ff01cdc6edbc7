import type { RunProgram } from '@tool-search/agents/ai-sdk';

type Program = (tools: object) => Promise<unknown>;

const AsyncFunction = (async () => undefined).constructor as new (parameter: string, body: string) => Program;

/** Runs a program in this process, without a sandbox and without limits: only for programs of this repository. */
export const withoutSandbox: RunProgram = async ({ js, tools, toolExecutionOptions }) => {
  const { toolCallId } = toolExecutionOptions;
  let calls = 0;
  const call = (name: string) => (input: unknown) => {
    calls += 1;
    return tools[name]?.execute?.(input, { ...toolExecutionOptions, toolCallId: `${toolCallId}:tool-${calls}` });
  };
  const callable = new Proxy({}, { get: (_, name) => call(String(name)) });
  const value = await new AsyncFunction('tools', js)(callable);
  return value === undefined ? undefined : JSON.parse(JSON.stringify(value));
};
