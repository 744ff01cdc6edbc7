import type { MessageParam, Tool, ToolUnion, ToolUseBlock } from '@anthropic-ai/sdk/resources/messages';
import { type ToolDefinition, ToolSearchError, type ToolFailure } from '@tool-search/core';
import { failure } from '@tool-search/core/adapter';
import { checkGlob, globSet } from '@tool-search/core/source';
import type { WireStep } from '../wire/wire-toolbox.js';

/** Which tools Claude may call from code that it writes. */
export interface ProgramCallOptions {
  /**
   * Names or globs of further tools, for example of a write that may run in a loop. The gate still decides each call.
   * @default none: only tools whose side effects are `pure` or `read`
   */
  readonly tools?: readonly string[];
}

type AllowedCallers = NonNullable<Tool['allowed_callers']>;
type ProgramCaller = Exclude<AllowedCallers[number], 'direct'>;

const PROGRAM_CALLERS: readonly string[] = [
  'code_execution_20250825',
  'code_execution_20260120',
  'code_execution_20260521',
] satisfies readonly ProgramCaller[];

/** Decides which tools may be called from Claude's code, for the declarations and again for each call. */
export class ProgramCalls {
  readonly #caller: ProgramCaller;
  readonly #isNamed: (tool: string) => boolean;

  /**
   * @param own tools that Anthropic runs; one of them is the code execution that calls
   * @throws ToolSearchError `INVALID_CONFIGURATION` without such a tool, with several, or for a wrong glob
   */
  constructor({ tools = [] }: ProgramCallOptions, own: readonly ToolUnion[]) {
    const callers = own.flatMap(({ type }) => (isProgramCaller(type) ? [type] : []));
    const [caller] = callers;
    if (caller === undefined || callers.length > 1) {
      throw new ToolSearchError('INVALID_CONFIGURATION', 'programCalls needs exactly one code execution tool.', {
        hint: `Add one of ${PROGRAM_CALLERS.join(', ')} to tools, or leave programCalls out.`,
      });
    }
    this.#caller = caller;
    this.#isNamed = globSet(tools.map((glob) => checkGlob(glob, 'programCalls.tools')));
  }

  /** The field of a declaration; nothing for a tool that only the model itself may call, like every meta tool. */
  callersOf(definition: ToolDefinition | undefined): Pick<Tool, 'allowed_callers'> {
    return this.#allows(definition) ? { allowed_callers: ['direct', this.#caller] } : {};
  }

  /** The names that code may call now. */
  namesOf({ tools }: WireStep): ReadonlySet<string> {
    return new Set(tools.flatMap(({ name, definition }) => (this.#allows(definition) ? [name] : [])));
  }

  #allows(definition: ToolDefinition | undefined): boolean {
    if (definition === undefined) return false;
    const { sideEffects, name } = definition;
    return sideEffects === 'pure' || sideEffects === 'read' || this.#isNamed(name);
  }
}

/** Whether code called, and not the model itself. A conversation that was stored earlier may not say who called. */
export function isFromProgram({ caller }: { readonly caller?: ToolUseBlock['caller'] | undefined }): boolean {
  return caller !== undefined && caller.type !== 'direct';
}

/** The result of a call that code may not make. The same for a tool that does not exist. */
export function programCallRefused(): ToolFailure {
  return failure('TOOL_NOT_AVAILABLE', 'Code cannot call this tool.', 'Call it directly, outside of the code.');
}

/** Whether the last message answers code: the API accepts nothing but results in it. */
export function answersProgram(messages: readonly MessageParam[]): boolean {
  const reply = messages.at(-2);
  if (messages.at(-1)?.role !== 'user' || reply?.role !== 'assistant' || typeof reply.content === 'string')
    return false;
  return reply.content.some((block) => block.type === 'tool_use' && isFromProgram(block));
}

function isProgramCaller(type: string | null | undefined): type is ProgramCaller {
  return PROGRAM_CALLERS.includes(type ?? '');
}
