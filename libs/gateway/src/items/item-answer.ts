import {
  type GetPromptResult,
  type PromptMessage,
  ProtocolError,
  ProtocolErrorCode,
  type ReadResourceResult,
} from '@modelcontextprotocol/server';
import type { ToolContent, ToolDefinition, ToolFailure, ToolResult } from '@tool-search/core';
import { appPageOf, isAppAddress, isObject } from '@tool-search/core/internal';
import { refusalOf } from '../protocol-error.js';
import { blockOf } from '../tools/tool-answer.js';

/** The content of a resource in the form of MCP. @throws ProtocolError for a failure */
export function resourceAnswer(
  result: ToolResult,
  uri: string,
  { appPage }: Pick<ToolDefinition, 'appPage'>,
): ReadResourceResult {
  if (!result.ok) throw readRefusal(result, uri);
  const contents = result.content.flatMap((block) => contentsOf(block, uri));
  if (!appPage) return { contents };
  // An interceptor may have changed it.
  const ui = appPageOf(isObject(result.structured) ? result.structured['ui'] : undefined);
  // Also where that is nothing: a host takes what the list says of a page whose content says nothing.
  return { contents: contents.map((content) => ({ ...content, uri, _meta: { ui } })) };
}

/** A prompt's messages in the form of MCP. @throws ProtocolError for a failure */
export function promptAnswer(result: ToolResult): GetPromptResult {
  if (!result.ok) throw promptRefusal(result);
  const structured = isObject(result.structured) ? result.structured : {};
  const roles: readonly unknown[] = Array.isArray(structured['roles']) ? structured['roles'] : [];
  const { description } = structured;
  return {
    ...(typeof description === 'string' && { description }),
    messages: result.content.map((block, index): PromptMessage => ({
      role: roles[index] === 'assistant' ? 'assistant' : 'user',
      content: blockOf(block) as PromptMessage['content'],
    })),
  };
}

/** The answer for a hidden, refused or unknown resource, and for one that its server does not have. */
export function unknownResource(uri: string): ProtocolError {
  return new ProtocolError(ProtocolErrorCode.InvalidParams, 'Resource not found.', { uri });
}

/** The answer for a hidden, refused or unknown prompt. */
export function unknownPrompt(): ProtocolError {
  return new ProtocolError(ProtocolErrorCode.InvalidParams, 'Prompt not found.');
}

function readRefusal(failure: ToolFailure, uri: string): ProtocolError {
  if (isUnknown(failure)) return unknownResource(uri);
  return refusalOf(failure, ProtocolErrorCode.InternalError);
}

function promptRefusal(failure: ToolFailure): ProtocolError {
  if (isUnknown(failure)) return unknownPrompt();
  const isArguments = failure.code === 'INVALID_ARGUMENTS' || failure.code === 'ARGUMENTS_TOO_LARGE';
  return refusalOf(failure, isArguments ? ProtocolErrorCode.InvalidParams : ProtocolErrorCode.InternalError);
}

/** Whether a refusal says that there is no such item for the caller. */
export function isUnknown({ code }: Pick<ToolFailure, 'code'>): boolean {
  return code === 'TOOL_NOT_AVAILABLE' || code === 'NOT_FOUND';
}

// A source of the application may answer with a text or an image of its own.
function contentsOf(block: ToolContent, uri: string): ReadResourceResult['contents'] {
  if (block.type === 'text') return [{ uri, mimeType: 'text/plain', text: block.text }];
  if (block.type === 'image' || block.type === 'audio') {
    return [{ uri, mimeType: block.mimeType, blob: block.data }];
  }
  if (block.type !== 'resource') return [];
  const { uri: own, mimeType, text, blob } = block.resource;
  // Hosts may keep contents by their own URI: that of a page is for the page alone.
  const common = { uri: isAppAddress(own) ? uri : own, ...(mimeType !== undefined && { mimeType }) };
  return [blob === undefined ? { ...common, text: text ?? '' } : { ...common, blob }];
}
