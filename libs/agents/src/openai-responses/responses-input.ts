import type {
  ResponseInput,
  ResponseInputItem,
  ResponseToolSearchOutputItemParam,
} from 'openai/resources/responses/responses';
import type { LoadedFunction } from './current-declarations.js';

type LoadedTools = ResponseToolSearchOutputItemParam['tools'];

/** What may be given as `input`, as a list of items. */
export function inputItems(input: string | ResponseInput | undefined): readonly ResponseInputItem[] {
  return typeof input === 'string' ? [{ type: 'message', role: 'user', content: input }] : (input ?? []);
}

/** The user's newest words, which hints are found for. */
export function userText(items: readonly ResponseInputItem[]): string {
  const message = items.findLast((item) => 'role' in item && item.role === 'user');
  if (!message || !('content' in message) || !message.content) return '';
  if (typeof message.content === 'string') return message.content;
  return message.content.map((part) => ('text' in part ? part.text : '')).join(' ');
}

/** What functions have answered and what was said of searches, oldest first. */
export function toolResults(items: readonly ResponseInputItem[]): readonly string[] {
  return items.flatMap((item) => {
    if (item.type === 'function_call_output') return textOf(item.output);
    return item.type === 'message' && item.role === 'developer' ? textOf(item.content) : [];
  });
}

function textOf(content: string | readonly { readonly type: string; readonly text?: string }[]): string {
  return typeof content === 'string' ? content : content.map(({ text = '' }) => text).join('\n');
}

/** Names of the functions that searches in this conversation have loaded. */
export function loadedNames(items: readonly ResponseInputItem[]): ReadonlySet<string> {
  return new Set(
    items.flatMap((item) =>
      item.type === 'tool_search_output' ? functionsIn(item.tools).map(({ name }) => name) : [],
    ),
  );
}

/**
 * The conversation with only those loaded functions that are still to be seen as they were loaded. What loaded none of the
 * others is left as it is, so that the prompt cache keeps all that stands before the first change.
 */
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

// Functions of a namespace may leave their parameters out, and there are other tools that have none.
function asLoaded(tool: object & { readonly name: string }): LoadedFunction {
  return { parameters: null, ...tool };
}

/**
 * The conversation without searches of the API's own, where the request does not declare its search tool: the API would
 * refuse them. What they found is listed as far as the toolbox lists it.
 */
export function withoutToolSearches(items: readonly ResponseInputItem[]): ResponseInputItem[] {
  return items.filter(({ type }, index) => {
    if (type !== 'reasoning') return !SEARCHES.has(type ?? '');
    // Reasoning without what it led to is refused as well.
    const next = items.slice(index + 1).find((item) => item.type !== 'tool_search_call' && item.type !== 'reasoning');
    return next !== undefined && !SEARCHES.has(next.type ?? '');
  });
}

const SEARCHES: ReadonlySet<string> = new Set(['tool_search_call', 'tool_search_output']);
