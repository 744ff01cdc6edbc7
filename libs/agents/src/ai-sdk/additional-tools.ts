import type { ModelMessage } from 'ai';
import type { WireStep, WireTool } from '../wire/wire-toolbox.js';

type ToolMessage = Extract<ModelMessage, { role: 'tool' }>;
type ToolResultPart = Extract<ToolMessage['content'][number], { type: 'tool-result' }>;

/** A conversation with tools loaded where they were found. */
export interface LoadedConversation {
  readonly messages: ModelMessage[];
  /** Names of what is loaded: not to be declared in the request as well. */
  readonly loaded: ReadonlySet<string>;
}

/** The conversation as a provider reads it that loads nothing. */
export function withoutAdditionalTools(
  messages: ModelMessage[],
  found: ReadonlyMap<string, ReadonlySet<string>>,
): ModelMessage[] {
  return withAdditionalTools(messages, { tools: [] }, found).messages;
}

/**
 * Puts tools that the provider is to hold back behind the results that found them first, in the form which
 * `@ai-sdk/openai` sends as `additional_tools`. Written anew at each step: what was withdrawn is not there, what has
 * changed is as it is now. The list of tools stays as it is, and with it the prompt cache.
 *
 * @param found names that results hold, by the ids of their calls
 */
export function withAdditionalTools(
  messages: ModelMessage[],
  { tools }: Pick<WireStep, 'tools'>,
  found: ReadonlyMap<string, ReadonlySet<string>>,
): LoadedConversation {
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
  const said = messages.map((message) => {
    if (message.role !== 'tool') return message;
    const content = message.content.map((part) => (part.type === 'tool-result' ? partOf(part) : part));
    return content.every((part, index) => part === message.content[index]) ? message : { ...message, content };
  });
  return { messages: said, loaded };
}

// A step's messages become the next one's, so that what was loaded before stands there.
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
