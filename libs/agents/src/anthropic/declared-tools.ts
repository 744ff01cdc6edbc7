import type {
  BetaMessageParam,
  BetaRequestToolAdditionBlock,
  BetaRequestToolRemovalBlock,
  BetaSystemMessageParam,
  BetaTool,
  BetaToolUnion,
} from '@anthropic-ai/sdk/resources/beta/messages';
import { isObject } from '@tool-search/core/internal';

/** A block that makes a tool available, or withdraws one, from its place in the conversation on. */
export type ToolChange = BetaRequestToolAdditionBlock | BetaRequestToolRemovalBlock;

type Conversation = readonly BetaMessageParam[];

/**
 * The tools that a conversation has declared to the model: `tools` of its requests, then every change in its messages.
 * The state is read from the conversation alone, so a conversation can go on in another process.
 */
export class DeclaredTools {
  /** The definition that the model knows for a name, in a form that can be compared. */
  readonly #known = new Map<string, string>();
  readonly #offered = new Set<string>();

  /** @param tools of the requests, without tools that Anthropic runs */
  constructor(tools: readonly BetaToolUnion[]) {
    for (const tool of tools) {
      if (!('input_schema' in tool)) continue;
      this.#known.set(tool.name, comparable(tool));
      if (tool.defer_loading !== true) this.#offered.add(tool.name);
    }
  }

  /**
   * Reads the changes in a conversation. Leaves out changes that the API would refuse: of a tool that was not declared,
   * and in a message that no reply follows. Other messages stay the same objects.
   */
  read(messages: Conversation): BetaMessageParam[] {
    return messages.flatMap((message, index): BetaMessageParam[] => {
      const { content } = message;
      if (!Array.isArray(content)) return [message];
      if (message.role === 'system') {
        const next = messages[index + 1];
        return this.#readSystem(message, next === undefined || next.role === 'assistant');
      }
      for (const block of content) {
        // A summary stands for the changes of the messages that it replaces.
        if (block.type === 'compaction') for (const change of block.tool_changes ?? []) this.#apply(change);
      }
      return [message];
    });
  }

  /** The changes after which the model has exactly these tools: withdrawn ones first, then new ones in their order. */
  changesTo(tools: readonly BetaTool[]): ToolChange[] {
    const wanted = new Set(tools.map(({ name }) => name));
    const gone = [...this.#offered].filter((name) => !wanted.has(name));
    return [
      ...gone.map((name) => ({ type: 'tool_removal' as const, tool: { type: 'tool_reference' as const, name } })),
      ...tools.flatMap((definition): ToolChange[] => {
        const { name } = definition;
        const isSame = this.#known.get(name) === comparable(definition);
        if (isSame && this.#offered.has(name)) return [];
        const tool = isSame
          ? { type: 'tool_reference' as const, name }
          : { type: 'tool_definition' as const, definition: { ...definition } };
        return [{ type: 'tool_addition', tool }];
      }),
    ];
  }

  #readSystem(message: BetaSystemMessageParam, isFollowedByReply: boolean): BetaSystemMessageParam[] {
    const { content } = message;
    if (!Array.isArray(content)) return [message];
    const kept = content.filter((block) => block.type === 'text' || (isFollowedByReply && this.#apply(block)));
    if (kept.length === content.length) return [message];
    return kept.length === 0 ? [] : [{ ...message, content: kept }];
  }

  // Returns whether the API accepts the change.
  #apply({ type, tool }: Pick<ToolChange, 'type' | 'tool'>): boolean {
    if (tool.type === 'tool_definition') {
      const { definition } = tool;
      if (!('input_schema' in definition)) return true;
      this.#known.set(definition.name, comparable(definition));
      this.#offered.add(definition.name);
      return true;
    }
    // Tools of Anthropic's own MCP connector are the application's.
    if (tool.type !== 'tool_reference') return true;
    if (!this.#known.has(tool.name)) return false;
    if (type === 'tool_addition') this.#offered.add(tool.name);
    else this.#offered.delete(tool.name);
    return true;
  }
}

/** Adds changes to the end of a conversation; a reply that is to be continued must stay the last message. */
export function withToolChanges(messages: Conversation, changes: readonly ToolChange[]): BetaMessageParam[] {
  const last = messages.at(-1);
  if (changes.length === 0 || last === undefined || last.role === 'assistant') return [...messages];
  if (last.role === 'user') return [...messages, { role: 'system', content: [...changes] }];
  const { content = [] } = last;
  const blocks = typeof content === 'string' ? [{ type: 'text' as const, text: content }] : content;
  return [...messages.slice(0, -1), { ...last, content: [...blocks, ...changes] }];
}

// The order of keys does not count, because some databases do not keep it. A cache mark is no part of a tool.
function comparable({ name, description = '', input_schema, allowed_callers = [] }: ComparedTool): string {
  return JSON.stringify([name, description, input_schema, allowed_callers], (_key, value: unknown) =>
    isObject(value) ? Object.fromEntries(Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1))) : value,
  );
}

interface ComparedTool extends Pick<BetaTool, 'name' | 'description' | 'allowed_callers'> {
  readonly input_schema: object;
}
