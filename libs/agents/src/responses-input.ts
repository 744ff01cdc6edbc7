import type {
  ResponseInput,
  ResponseInputItem,
  ResponseToolSearchOutputItemParam,
} from 'openai/resources/responses/responses';

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
  return new Set(items.flatMap((item) => (item.type === 'tool_search_output' ? namesIn(item.tools) : [])));
}

/**
 * The conversation with only those loaded functions that may still be seen. What loaded none of the others is left as it
 * is, so that the prompt cache keeps all that stands before the first change.
 */
export function withoutHidden(
  items: readonly ResponseInputItem[],
  isVisible: (name: string) => boolean,
): ResponseInputItem[] {
  return items.map((item) => {
    if (item.type !== 'tool_search_output' || namesIn(item.tools).every(isVisible)) return item;
    return { ...item, tools: visibleTools(item.tools, isVisible) };
  });
}

function visibleTools(tools: LoadedTools, isVisible: (name: string) => boolean): LoadedTools {
  return tools.flatMap((tool): LoadedTools => {
    if (tool.type === 'function') return isVisible(tool.name) ? [tool] : [];
    if (tool.type !== 'namespace') return [tool];
    const inside = tool.tools.filter(({ name }) => isVisible(name));
    return inside.length > 0 ? [{ ...tool, tools: inside }] : [];
  });
}

function namesIn(tools: LoadedTools): readonly string[] {
  return tools.flatMap((tool) => {
    if (tool.type === 'namespace') return tool.tools.map(({ name }) => name);
    return tool.type === 'function' ? [tool.name] : [];
  });
}
