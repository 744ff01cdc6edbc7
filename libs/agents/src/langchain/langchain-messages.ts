import { type BaseMessage, HumanMessage, ToolMessage } from '@langchain/core/messages';

/** The newest text of the user, for hints. */
export function messagesText(messages: readonly BaseMessage[]): string {
  return messages.findLast((message) => HumanMessage.isInstance(message))?.text ?? '';
}

/** Texts of all tool results, oldest first. */
export function toolMessageTexts(messages: readonly BaseMessage[]): readonly string[] {
  return messages.filter((message) => ToolMessage.isInstance(message)).map(({ text }) => text);
}
