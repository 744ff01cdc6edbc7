import type { ToolDefinition } from '@tool-search/core';
import { wireName } from '@tool-search/core/adapter';
import type {
  FunctionTool,
  ResponseInput,
  ResponseInputItem,
  ResponseToolSearchOutputItemParam,
} from 'openai/resources/responses/responses';
import type { AgentToolbox } from '../wire/agent-toolbox.js';
import { OPENAI_LIMITS } from '../wire/provider-limits.js';
import type { WireTool } from '../wire/wire-toolbox.js';

type LoadedFunction = Pick<FunctionTool, 'name' | 'parameters'> & Partial<Pick<FunctionTool, 'description'>>;
type LoadedTools = ResponseToolSearchOutputItemParam['tools'];

export function inputItems(input: string | ResponseInput | undefined): readonly ResponseInputItem[] {
  return typeof input === 'string' ? [{ type: 'message', role: 'user', content: input }] : (input ?? []);
}

export function userText(items: readonly ResponseInputItem[]): string {
  const message = items.findLast((item) => 'role' in item && item.role === 'user');
  if (!message || !('content' in message) || !message.content) return '';
  if (typeof message.content === 'string') return message.content;
  return message.content.map((part) => ('text' in part ? part.text : '')).join(' ');
}

/** Texts of function outputs and of developer messages, which include notes on searches, oldest first. */
export function toolResults(items: readonly ResponseInputItem[]): readonly string[] {
  return items.flatMap((item) => {
    if (item.type === 'function_call_output') return textOf(item.output);
    return item.type === 'message' && item.role === 'developer' ? textOf(item.content) : [];
  });
}

function textOf(content: string | readonly { readonly type: string; readonly text?: string }[]): string {
  return typeof content === 'string' ? content : content.map(({ text = '' }) => text).join('\n');
}

export function loadedNames(items: readonly ResponseInputItem[]): ReadonlySet<string> {
  return new Set(
    items.flatMap((item) =>
      item.type === 'tool_search_output' ? functionsIn(item.tools).map(({ name }) => name) : [],
    ),
  );
}

/**
 * A test whether loaded functions are current: their tools are visible and have not changed since.
 *
 * @param listed the tools that the step lists
 */
export async function currentFunctions(
  toolbox: Pick<AgentToolbox, 'visible'>,
  items: readonly ResponseInputItem[],
  listed: readonly WireTool[],
): Promise<(loaded: LoadedFunction) => boolean> {
  if (loadedNames(items).size === 0) return () => true;
  const visible = new Map<string, ToolDefinition>();
  for (const tool of await toolbox.visible()) visible.set(wireName(tool.name, OPENAI_LIMITS.nameChars), tool);
  const byName = new Map(listed.map((tool) => [tool.name, tool]));
  return ({ name, parameters, description }) => {
    const tool = visible.get(name);
    // The stored function was serialized as JSON.
    if (!tool || JSON.stringify(parameters) !== JSON.stringify(tool.inputSchema)) return false;
    const shown = byName.get(name);
    return shown === undefined || shown.description === description;
  };
}

/** Without loaded functions that are no longer current; other items stay the same for the prompt cache. */
export function withoutStale(
  items: readonly ResponseInputItem[],
  isCurrent: (loaded: LoadedFunction) => boolean,
): ResponseInputItem[] {
  return items.map((item) => {
    if (item.type !== 'tool_search_output' || functionsIn(item.tools).every(isCurrent)) return item;
    return { ...item, tools: currentTools(item.tools, isCurrent) };
  });
}

function currentTools(tools: LoadedTools, isCurrent: (loaded: LoadedFunction) => boolean): LoadedTools {
  return tools.flatMap((tool): LoadedTools => {
    if (tool.type === 'function') return isCurrent(tool) ? [tool] : [];
    if (tool.type !== 'namespace') return [tool];
    const inside = tool.tools.filter((each) => isCurrent(asLoaded(each)));
    return inside.length > 0 ? [{ ...tool, tools: inside }] : [];
  });
}

function functionsIn(tools: LoadedTools): readonly LoadedFunction[] {
  return tools.flatMap((tool) => {
    if (tool.type === 'namespace') return tool.tools.map(asLoaded);
    return tool.type === 'function' ? [tool] : [];
  });
}

// Functions of a namespace may have no parameters, and other kinds of tools never have any.
function asLoaded(tool: object & { readonly name: string }): LoadedFunction {
  return { parameters: null, ...tool };
}

/**
 * The conversation without searches of the API's own search tool, for a request that does not declare that tool: the
 * API would refuse them. The tools that they found are listed as far as the toolbox lists them.
 */
export function withoutToolSearches(items: readonly ResponseInputItem[]): ResponseInputItem[] {
  return items.filter(({ type }, index) => {
    if (type !== 'reasoning') return !SEARCHES.has(type ?? '');
    // The API also refuses reasoning without the item that followed it.
    const next = items.slice(index + 1).find((item) => item.type !== 'tool_search_call' && item.type !== 'reasoning');
    return next !== undefined && !SEARCHES.has(next.type ?? '');
  });
}

const SEARCHES: ReadonlySet<string> = new Set(['tool_search_call', 'tool_search_output']);
