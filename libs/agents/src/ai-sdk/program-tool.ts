import { type ToolDefinition, type ToolFailure, type ToolResult, ToolSearchError } from '@tool-search/core';
import { failure } from '@tool-search/core/adapter';
import { markedResult } from '@tool-search/core/internal';
import { jsonSchema, type Tool, type ToolExecutionOptions, type ToolSet } from 'ai';
import { programCallRefused, programRule } from '../wire/program-rule.js';
import { modelOutput } from './model-output.js';
import { type CallFromProgram, cutText, ProgramRun } from './program-run.js';

/** Limits of one program, as code mode takes them. */
export interface ProgramLimits {
  /** Milliseconds until a program is ended, its calls included. @default 30000 */
  readonly timeoutMs?: number;
  /** Calls of one program. @default 256 */
  readonly maxBridgeRequests?: number;
  /** Calls of one program at once. @default 32 */
  readonly maxInFlightBridgeRequests?: number;
  /** Memory of a program. @default 67108864 */
  readonly memoryLimitBytes?: number;
  /** @default 2097152 */
  readonly maxStackSizeBytes?: number;
  /** The text of a program. @default 262144 */
  readonly maxSourceBytes?: number;
  /** What a program returns, as JSON: a model reads it. @default 16384 */
  readonly maxResultBytes?: number;
  /** @default 65536 */
  readonly maxConsoleOutputBytes?: number;
  /** Arguments of one call, as JSON. @default 1048576 */
  readonly maxToolInputBytes?: number;
  /** The result of one call, as JSON; `calls.maxResultBytes` limits it too. @default 4194304 */
  readonly maxToolOutputBytes?: number;
}

/** Runs a program in a sandbox and resolves with what it returns: `experimental_runCodeMode` of `@ai-sdk/code-mode`. */
export type RunProgram = (program: {
  js: string;
  tools: ToolSet;
  toolExecutionOptions: ToolExecutionOptions<unknown>;
  options: { executionPolicy: ProgramLimits };
}) => Promise<unknown>;

/** Lets the model write programs that call the toolbox's tools. */
export interface ProgramOptions {
  /** The sandbox: `experimental_runCodeMode` of `@ai-sdk/code-mode`, which needs Node 22.13. */
  readonly run: RunProgram;
  /**
   * Names or globs of further tools, for example of a write that may run in a loop. The gate still decides each call.
   * @default none: only tools whose side effects are `pure` or `read`
   */
  readonly tools?: readonly string[];
  /** @default those of code mode, and 16 KiB for what a program returns */
  readonly limits?: ProgramLimits;
}

/** The name of the tool that runs programs. */
export const PROGRAM_TOOL = 'run_program';

/** Marks tools whose calls a person confirms; nobody can be asked in the middle of a program. */
const CONFIRM_TAG = 'confirm';
const RESULT_BYTES = 16_384;

const DESCRIPTION = [
  'Runs a JavaScript program in a sandbox. Use it for several calls of tools, for loops and for large results: only what the program returns is shown to you, so return little.',
  'In it, `await tools.NAME(input)` calls a tool under its name and with its input, resolves to its JSON or text, and throws an error with `code` and `message`. Tools that change something may be refused there: call those directly.',
  'Top-level `await` and `return` work. Await every call. There is no network, no file and no import.',
].join('\n');

const INPUT = jsonSchema<{ js?: unknown }>({
  type: 'object',
  properties: { js: { type: 'string', description: 'The program, in JavaScript.' } },
  required: ['js'],
  additionalProperties: false,
});

/**
 * The tool that runs programs. Its output is a result as of every tool of the toolbox; for the model it is marked as data,
 * because it consists of what tools have said.
 *
 * @param own the caller's own tools
 * @throws ToolSearchError `INVALID_CONFIGURATION` for a wrong glob, or an own tool of the same name
 */
export function programTool({ run, tools = [], limits }: ProgramOptions, call: CallFromProgram, own: ToolSet): Tool {
  if (Object.hasOwn(own, PROGRAM_TOOL)) {
    const fault = `One of your own tools is named ${PROGRAM_TOOL}, like the tool that runs programs.`;
    throw new ToolSearchError('INVALID_CONFIGURATION', fault, { hint: 'Give it another name.' });
  }
  const mayCall = programRule(tools, 'programs.tools');
  const refuse = (tool: ToolDefinition) => {
    if (!mayCall(tool)) return programCallRefused();
    return tool.tags.includes(CONFIRM_TAG) ? unconfirmed(tool) : undefined;
  };
  const executionPolicy = { maxResultBytes: RESULT_BYTES, ...limits };
  return {
    type: 'dynamic',
    description: DESCRIPTION,
    inputSchema: INPUT,
    execute: async ({ js }: { js?: unknown }, toolExecutionOptions: ToolExecutionOptions<unknown>) => {
      if (typeof js !== 'string') return failure('INVALID_ARGUMENTS', 'js must be the text of a program.');
      const program = new ProgramRun(call, refuse);
      const result = await run({ js, tools: program.tools, toolExecutionOptions, options: { executionPolicy } }).then(
        resultOf,
        (error: unknown) => program.failureBehind(error) ?? failureOfProgram(error),
      );
      return markedResult({ ...result, ...program.remarks });
    },
    toModelOutput: ({ output }: { output: ToolResult }) => modelOutput(output),
  };
}

function unconfirmed({ name }: ToolDefinition): ToolFailure {
  const message = `A call of ${name} needs a confirmation, and a program cannot ask for one.`;
  return failure('CONFIRMATION_REQUIRED', message, 'Call it directly, outside of the code.');
}

function resultOf(value: unknown): ToolResult {
  if (value === undefined) return { ok: true, content: [] };
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return { ok: true, content: [{ type: 'text', text }], structured: JSON.parse(JSON.stringify(value)) };
}

/** The failure for an error of the program itself, or of the sandbox. Its words may come from a tool, so they are content. */
function failureOfProgram(error: unknown): ToolResult {
  const { code, message } = (error ?? {}) as { readonly code?: unknown; readonly message?: unknown };
  const effects = 'Its calls so far may have had an effect.';
  if (code === 'CODE_MODE_TIMEOUT') {
    return failure('TOOL_TIMEOUT', 'The program did not end in time.', `${effects} Make it shorter.`);
  }
  // The sandbox has a number of workers for the whole process; this program has not begun.
  if (code === 'CODE_MODE_CONCURRENCY_LIMIT') {
    return failure(
      'SOURCE_BUSY',
      'Too many programs run at the moment.',
      'Try again later, or call the tools directly.',
    );
  }
  if (code === 'CODE_MODE_ABORTED') return failure('TOOL_CANCELLED', 'The program was cancelled.', effects);
  const text = cutText(String(message ?? error));
  const failed = failure('TOOL_FAILED', 'The program ended with an error.', `${effects} Correct it and try again.`);
  return { ...failed, content: [{ type: 'text', text }] };
}
