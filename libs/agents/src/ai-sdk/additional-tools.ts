import type { ModelMessage } from 'ai';
import type { WireStep, WireTool } from '../wire/wire-toolbox.js';

type ToolMessage = Extract<ModelMessage, { role: 'tool' }>;
type ToolResultPart = Extract<ToolMessage['content'][number], { type: 'tool-result' }>;

/**
 * Attaches deferred tools to the first result that found them, in the form that `@ai-sdk/openai` sends as
 * `additional_tools`. Computed at each step: withdrawn tools disappear and changed tools are current. The list of tools
 * stays unchanged, and with it the prompt cache.
 *
 * @param tools none for a provider that does not load tools through messages
 * @param found tool names in results, by the ids of their calls
 * @returns also the names of the loaded tools, which the request must not declare again
 */
export function withAdditionalTools(
  messages: ModelMessage[],
  tools: WireStep['tools'],
  found: ReadonlyMap<string, ReadonlySet<string>>,
): { readonly messages: ModelMessage[]; readonly loaded: ReadonlySet<string> } {
  if (found.size === 0) return { messages, loaded: new Set() };
  const waiting = new Map(tools.flatMap((tool) => (tool.isDeferred ? [[tool.name, tool] as const] : [])));
  const loaded = new Set<string>();
  const partOf = (part: ToolResultPart): ToolResultPart => {
    const names = found.get(part.toolCallId);
    if (!names) return part;
    const here = [...names].flatMap((name) => {
      const tool = waiting.get(name);
      if (!tool || loaded.has(name)) return [];
      loaded.add(name);
      return [functionOf(tool)];
    });
    return loading(part, here);
  };
  const rewritten = messages.map((message) => {
    if (message.role !== 'tool') return message;
    const content = message.content.map((part) => (part.type === 'tool-result' ? partOf(part) : part));
    return content.every((part, index) => part === message.content[index]) ? message : { ...message, content };
  });
  return { messages: rewritten, loaded };
}

// A step's messages are the next step's input, so they may contain tools loaded before.
function loading(part: ToolResultPart, additionalTools: readonly object[]): ToolResultPart {
  const { providerOptions = {} } = part;
  const { additionalTools: before, ...openai } = providerOptions['openai'] ?? {};
  if (before === undefined && additionalTools.length === 0) return part;
  const options = additionalTools.length > 0 ? { ...openai, additionalTools } : openai;
  return { ...part, providerOptions: { ...providerOptions, openai: options } as typeof providerOptions };
}

function functionOf({ name, description, inputSchema }: WireTool): object {
  return { type: 'function', name, description, parameters: inputSchema, strict: false };
}
