import type { CallToolResult, ContentBlock } from '@modelcontextprotocol/client';
import type { JsonValue, SourceAnswer, ToolContent } from '@tool-search/core';

/**
 * A server's result as the toolbox knows it. A result that is structured only also becomes text, because many models
 * read nothing else.
 */
export function sourceAnswer(result: CallToolResult): SourceAnswer {
  const structured = result.structuredContent as JsonValue | undefined;
  const content = result.content.map(toolContent);
  return {
    content:
      content.length > 0 || structured === undefined ? content : [{ type: 'text', text: JSON.stringify(structured) }],
    ...(structured === undefined ? {} : { structured }),
    ...(result.isError === true ? { isError: true } : {}),
  };
}

function toolContent(block: ContentBlock): ToolContent {
  switch (block.type) {
    case 'text':
      return { type: 'text', text: block.text };
    case 'image':
    case 'audio':
      return { type: block.type, data: block.data, mimeType: block.mimeType };
    case 'resource_link':
      return { type: 'resource_link', uri: block.uri, name: block.name, ...mimeTypeOf(block) };
    case 'resource': {
      const { resource } = block;
      const body = 'text' in resource ? { text: resource.text } : { blob: resource.blob };
      return { type: 'resource', resource: { uri: resource.uri, ...mimeTypeOf(resource), ...body } };
    }
  }
}

function mimeTypeOf({ mimeType }: { mimeType?: string | undefined }): { mimeType?: string } {
  return mimeType === undefined ? {} : { mimeType };
}
