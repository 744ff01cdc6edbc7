import type { Instructions, ModelMessage } from 'ai';

/**
 * Adds prompt parts to the end of a step's instructions. The instructions of one step are the next step's input, so
 * texts added before are removed first: the parts are always current and never duplicated.
 */
export class StepInstructions {
  readonly #added = new Set<string>();

  without(instructions: Instructions | undefined): Instructions | undefined {
    if (instructions === undefined || this.#added.size === 0) return instructions;
    if (typeof instructions === 'string') {
      const added = [...this.#added].find((text) => instructions === text || instructions.endsWith(`\n\n${text}`));
      if (added === undefined) return instructions;
      return instructions === added ? undefined : instructions.slice(0, -added.length - 2);
    }
    if (!Array.isArray(instructions)) return instructions;
    return instructions.filter(({ content }) => !this.#added.has(content));
  }

  /** The instructions with the text at the end; undefined where both are empty. */
  with(instructions: Instructions | undefined, text: string): Instructions | undefined {
    if (text === '') return instructions;
    this.#added.add(text);
    if (instructions === undefined) return text;
    if (typeof instructions === 'string') return `${instructions}\n\n${text}`;
    return [...(Array.isArray(instructions) ? instructions : [instructions]), { role: 'system', content: text }];
  }
}

/** Adds a text after a step's messages. These are the next step's input, so texts added before are removed first. */
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
