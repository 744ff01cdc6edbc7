import type { CallToolResult } from '@modelcontextprotocol/server';
import type { ToolContent, ToolFailure, ToolResult } from '@tool-search/core';
import { failureObject } from '@tool-search/core/adapter';
import { isAppAddress, isObject, lossNotes } from '@tool-search/core/internal';

/** `_meta` key of the library's error code in a failed result. */
const CODE_META_KEY = 'tool-search/code';
/** In the place of a block that a host could take for the page of another source. */
const NO_PAGE = '[1 block of this result was left out: its URI is one that only a page can have]';

/**
 * The answer of a meta tool that answers by itself. It has no output schema, and some clients show their model both the
 * text and the structured content, so it has the text only.
 */
export function metaAnswer(result: ToolResult): CallToolResult {
  const { structuredContent: _repeated, ...answer } = toolAnswer(result);
  return answer;
}

/** A result in the form of MCP. A failure is a result with `isError`, because a model can act on it. */
export function toolAnswer(result: ToolResult): CallToolResult {
  if (!result.ok) return failedAnswer(result);
  const { content, structured, receipt } = result;
  const notes = [...lossNotes(result), ...(receipt === undefined ? [] : [receipt])];
  return {
    content: [...content.map(blockOf), ...notes.map(textBlock)],
    ...(structured !== undefined && { structuredContent: isObject(structured) ? structured : { result: structured } }),
  };
}

/** A failure with the tool's own words if it has any, otherwise as JSON with code and hint. */
export function failedAnswer(failure: ToolFailure): CallToolResult {
  const own = failure.content?.map(blockOf) ?? [];
  const notes = failure.note === undefined ? [] : [textBlock(failure.note)];
  const content = own.length > 0 ? [...own, ...notes] : [textBlock(JSON.stringify(failureObject(failure)))];
  return { content, isError: true, _meta: { [CODE_META_KEY]: failure.code } };
}

function textBlock(text: string): { readonly type: 'text'; readonly text: string } {
  return { type: 'text', text };
}

/** A content block in the form of MCP. No result has or names a page: the list of tools does, and a read of its address. */
export function blockOf(block: ToolContent): CallToolResult['content'][number] {
  if (isAppAddress(uriOf(block))) return textBlock(NO_PAGE);
  // The protocol requires a name of a link.
  if (block.type === 'resource_link') return { ...block, name: block.name ?? block.uri };
  if (block.type !== 'resource') return block;
  const { uri, mimeType, text, blob } = block.resource;
  const common = { uri, ...(mimeType !== undefined && { mimeType }) };
  return { type: 'resource', resource: blob === undefined ? { ...common, text: text ?? '' } : { ...common, blob } };
}

function uriOf(block: ToolContent): string {
  if (block.type === 'resource') return block.resource.uri;
  return block.type === 'resource_link' ? block.uri : '';
}
