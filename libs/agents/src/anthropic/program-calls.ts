import type {
  ContentBlockParam,
  MessageParam,
  Tool,
  ToolUnion,
  ToolUseBlock,
  ToolUseBlockParam,
} from '@anthropic-ai/sdk/resources/messages';
import { type ToolDefinition, ToolSearchError } from '@tool-search/core';
import { programRule } from '../wire/program-rule.js';

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
  readonly #mayCall: (tool: ToolDefinition) => boolean;

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
    this.#mayCall = programRule(tools, 'programCalls.tools');
  }

  /** The field of a declaration; nothing for a tool that only the model itself may call, like every meta tool. */
  callersOf(definition: ToolDefinition | undefined): Pick<Tool, 'allowed_callers'> {
    return this.#allows(definition) ? { allowed_callers: ['direct', this.#caller] } : {};
  }

  /** The names that code may call. */
  namesOf(tools: ReadonlyMap<string, ToolDefinition>): ReadonlySet<string> {
    return new Set([...tools].flatMap(([name, definition]) => (this.#allows(definition) ? [name] : [])));
  }

  #allows(definition: ToolDefinition | undefined): boolean {
    return definition !== undefined && this.#mayCall(definition);
  }
}

/** Whether code called, and not the model itself. A conversation that was stored earlier may not say who called. */
export function isFromProgram({ caller }: { readonly caller?: ToolUseBlock['caller'] | undefined }): boolean {
  return caller !== undefined && caller.type !== 'direct';
}

/** Whether the last message answers code: the API accepts nothing but results in it. */
export function answersProgram(messages: readonly MessageParam[]): boolean {
  const reply = messages.at(-2);
  if (messages.at(-1)?.role !== 'user' || reply?.role !== 'assistant' || typeof reply.content === 'string')
    return false;
  return reply.content.some((block) => block.type === 'tool_use' && isFromProgram(block));
}

/**
 * A conversation without code that still waits for results of its calls, and without what came after it: the API accepts
 * nothing but those results then.
 */
export function withoutOpenCode(messages: readonly MessageParam[]): readonly MessageParam[] {
  const blocks = messages.flatMap(({ content }) => (typeof content === 'string' ? [] : content));
  const ended = new Set(
    blocks.flatMap((block) =>
      block.type.endsWith('_tool_result') && 'tool_use_id' in block ? [block.tool_use_id] : [],
    ),
  );
  const open = new Set(
    blocks.flatMap((block) => (block.type === 'tool_use' ? codeOf(block) : [])).filter((id) => !ended.has(id)),
  );
  const isOfOpen = (block: ContentBlockParam) =>
    (block.type === 'server_tool_use' && open.has(block.id)) ||
    (block.type === 'tool_use' && codeOf(block).some((id) => open.has(id)));
  const from = messages.findIndex(({ content }) => typeof content !== 'string' && content.some(isOfOpen));
  const last = messages[from];
  if (last?.role !== 'assistant' || typeof last.content === 'string') return messages;
  const before = last.content.slice(0, last.content.findIndex(isOfOpen)).filter(({ type }) => type !== 'tool_use');
  return [...messages.slice(0, from), ...(before.length > 0 ? [{ ...last, content: before }] : [])];
}

function codeOf({ caller }: Pick<ToolUseBlockParam, 'caller'>): readonly string[] {
  return caller && caller.type !== 'direct' ? [caller.tool_id] : [];
}

function isProgramCaller(type: string | null | undefined): type is ProgramCaller {
  return PROGRAM_CALLERS.includes(type ?? '');
}
