import type { ContentBlock, GetPromptResult, ReadResourceResult } from '@modelcontextprotocol/client';
import type { SourceAnswer, ToolContent } from '@tool-search/core';
import { toolContent } from '../tools/source-answer.js';

/** The content of a resource, one block for each part. */
export function resourceAnswer({ contents }: ReadResourceResult): SourceAnswer {
  return { content: contents.map((each) => toolContent({ type: 'resource', resource: each } as ContentBlock)) };
}

/** The messages of a prompt, one block for each, with their roles. */
export function promptAnswer({ messages, description }: GetPromptResult): SourceAnswer {
  const content = messages.map((message): ToolContent => toolContent(message.content as ContentBlock));
  const roles = messages.map(({ role }) => role);
  return { content, structured: { roles, ...(description !== undefined && { description }) } };
}
