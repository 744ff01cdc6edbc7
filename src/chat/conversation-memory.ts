import type { ToolContext } from '@tool-search/core';
import type { ModelMessage } from 'ai';
import { LRUCache } from 'lru-cache';

export interface ConversationMemoryLimits {
  /** The least recently used beyond this are forgotten. @default 1000 */
  readonly maxConversations?: number;
  /** Of each conversation. @default 40 */
  readonly maxMessages?: number;
  /** Of each conversation, as UTF-8 JSON. @default 65536 */
  readonly maxBytes?: number;
}

/**
 * The newest messages of each conversation, by tenant, user and session, in memory only. A context without a session has no
 * conversation. What is kept begins with a user's message, so that no result stands without its call.
 */
export class ConversationMemory {
  readonly #conversations: LRUCache<string, readonly ModelMessage[]>;
  readonly #maxMessages: number;
  readonly #maxBytes: number;

  constructor({ maxConversations = 1000, maxMessages = 40, maxBytes = 65_536 }: ConversationMemoryLimits = {}) {
    this.#conversations = new LRUCache({ max: maxConversations });
    this.#maxMessages = maxMessages;
    this.#maxBytes = maxBytes;
  }

  recall(context: ToolContext): readonly ModelMessage[] {
    const key = keyOf(context);
    return key === undefined ? [] : (this.#conversations.get(key) ?? []);
  }

  /** Keeps the end of a conversation, which replaces what was kept of it. */
  remember(context: ToolContext, messages: readonly ModelMessage[]): void {
    const key = keyOf(context);
    if (key === undefined) return;
    const starts = messages.flatMap(({ role }, index) => (role === 'user' ? [index] : []));
    const kept = starts.map((start) => messages.slice(start)).find((end) => this.#fits(end));
    // A turn too large for all its calls is still worth its question and its answer.
    const short = [messages.findLast(({ role }) => role === 'user'), messages.at(-1)].filter(
      (one) => one !== undefined,
    );
    this.#conversations.set(key, kept ?? (this.#fits(short) && messages.at(-1)?.role === 'assistant' ? short : []));
  }

  #fits(messages: readonly ModelMessage[]): boolean {
    return messages.length <= this.#maxMessages && Buffer.byteLength(JSON.stringify(messages)) <= this.#maxBytes;
  }
}

function keyOf({ tenantId, userId, sessionId }: ToolContext): string | undefined {
  return sessionId === undefined ? undefined : JSON.stringify([tenantId, userId ?? null, sessionId]);
}
