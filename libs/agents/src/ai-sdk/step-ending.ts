import type { ModelMessage } from 'ai';

/**
 * Adds a text behind the last message of a step. Messages of one step become the next step's, so what was added before is
 * taken off first.
 */
export class StepEnding {
  readonly #added = new Set<string>();

  /** The messages without what this object has added; the same array where that is nothing. */
  without(messages: ModelMessage[]): ModelMessage[] {
    const isOurs = ({ role, content }: ModelMessage) =>
      role === 'user' && typeof content === 'string' && this.#added.has(content);
    return messages.some(isOurs) ? messages.filter((message) => !isOurs(message)) : messages;
  }

  /** The messages with the text at their end; a reply that is to be continued stays the last. */
  with(messages: ModelMessage[], text: string): ModelMessage[] {
    if (text === '' || messages.at(-1)?.role === 'assistant') return messages;
    this.#added.add(text);
    return [...messages, { role: 'user', content: text }];
  }
}
