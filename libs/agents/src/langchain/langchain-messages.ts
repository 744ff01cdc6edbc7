import { type BaseMessage, HumanMessage, ToolMessage } from '@langchain/core/messages';

/** The user's newest words, which hints are found for. */
export function messagesText(messages: readonly BaseMessage[]): string {
  return messages.findLast((message) => HumanMessage.isInstance(message))?.text ?? '';
}

/** What tools have answered, oldest first. */
export function toolMessageTexts(messages: readonly BaseMessage[]): readonly string[] {
  return messages.filter((message) => ToolMessage.isInstance(message)).map(({ text }) => text);
}
