import type { ModelMessage } from 'ai';
import { staleText } from '../wire/tool-references.js';
import type { ModelOutput } from './model-output.js';

type Block = Extract<ModelOutput, { type: 'content' }>['value'][number];

/** A reference in the form `@ai-sdk/anthropic` sends as `tool_reference`. */
export function referenceBlock(toolName: string): Block {
  return { type: 'custom', providerOptions: { anthropic: { type: 'tool-reference', toolName } } };
}

export function referencedNames(messages: readonly ModelMessage[]): ReadonlySet<string> {
  const names = outputsIn(messages).flatMap((output) => (output.type === 'content' ? output.value.map(nameIn) : []));
  return new Set(names.filter((name) => name !== undefined));
}

/**
 * Replaces references that the provider would refuse by text. Returns the same array where there are none.
 *
 * @param deferred names that may be referenced
 * @param listed names of all tools of the step
 */
export function withoutStaleReferences(
  messages: ModelMessage[],
  deferred: ReadonlySet<string>,
  listed: ReadonlySet<string>,
): ModelMessage[] {
  if ([...referencedNames(messages)].every((name) => deferred.has(name))) return messages;
  const cleaned = (block: Block): Block => {
    const name = nameIn(block);
    return name === undefined || deferred.has(name) ? block : { type: 'text', text: staleText(name, listed.has(name)) };
  };
  return messages.map((message) =>
    message.role !== 'tool'
      ? message
      : {
          ...message,
          content: message.content.map((part) =>
            part.type === 'tool-result' && part.output.type === 'content'
              ? { ...part, output: { ...part.output, value: part.output.value.map(cleaned) } }
              : part,
          ),
        },
  );
}

export function toolResultTexts(messages: readonly ModelMessage[]): readonly string[] {
  return outputsIn(messages).flatMap((output) => {
    switch (output.type) {
      case 'text':
      case 'error-text':
        return [output.value];
      case 'json':
      case 'error-json':
        return [JSON.stringify(output.value)];
      case 'content':
        return output.value.flatMap((block) => (block.type === 'text' ? [block.text] : []));
      default:
        return [];
    }
  });
}

function outputsIn(messages: readonly ModelMessage[]): readonly ModelOutput[] {
  return messages.flatMap(({ role, content }) =>
    (role === 'tool' || role === 'assistant') && typeof content !== 'string'
      ? content.flatMap((part) => (part.type === 'tool-result' ? [part.output] : []))
      : [],
  );
}

function nameIn(block: Block): string | undefined {
  if (block.type !== 'custom') return undefined;
  const { type, toolName } = block.providerOptions?.['anthropic'] ?? {};
  return type === 'tool-reference' && typeof toolName === 'string' ? toolName : undefined;
}
