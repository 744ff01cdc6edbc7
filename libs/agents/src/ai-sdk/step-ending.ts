import type { ModelMessage } from 'ai';

/**
 * Adds a text after the last message of a step. The messages of one step are the next step's input, so texts added
 * before are removed first.
 */
export class StepEnding {
  readonly #added = new Set<string>();

  /** The messages without the texts that this object added; the same array where there are none. */
  without(messages: ModelMessage[]): ModelMessage[] {
    const isOurs = ({ role, content }: ModelMessage) =>
      role === 'user' && typeof content === 'string' && this.#added.has(content);
    return messages.some(isOurs) ? messages.filter((message) => !isOurs(message)) : messages;
  }

  /** The messages with the text at the end. A reply that is to be continued stays last, without the text. */
  with(messages: ModelMessage[], text: string): ModelMessage[] {
    if (text === '' || messages.at(-1)?.role === 'assistant') return messages;
    this.#added.add(text);
    return [...messages, { role: 'user', content: text }];
  }
}
