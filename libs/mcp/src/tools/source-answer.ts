import type { CallToolResult, ContentBlock } from '@modelcontextprotocol/client';
import type { JsonValue, SourceAnswer, ToolContent } from '@tool-search/core';
import { depthOf } from '@tool-search/core/source';

const MAX_DEPTH = 64;

/** A result that cannot be accepted, although the server reported success. */
export class UnusableResult extends Error {
  constructor(fault: string) {
    super(`the result of the tool ${fault}`);
    this.name = 'UnusableResult';
  }
}

/**
 * Converts a server's result. Results with structured content only also get it as text, because many models read only
 * text.
 *
 * @param fits checks structured content against the tool's output schema
 * @throws UnusableResult if structured content does not match the schema, is nested too deeply or contains `__proto__`
 * keys
 */
export function sourceAnswer(result: CallToolResult, fits: (structured: unknown) => boolean): SourceAnswer {
  const structured = checkedDepth(result.structuredContent);
  if (result.isError !== true && !fits(structured)) throw new UnusableResult('does not fit its output schema');
  const content = result.content.map(toolContent);
  return {
    content:
      content.length > 0 || structured === undefined ? content : [{ type: 'text', text: JSON.stringify(structured) }],
    ...(structured === undefined ? {} : { structured }),
    ...(result.isError === true ? { isError: true } : {}),
  };
}

function checkedDepth(structured: unknown): JsonValue | undefined {
  if (depthOf(structured, MAX_DEPTH) > MAX_DEPTH) throw new UnusableResult(`has more than ${MAX_DEPTH} levels`);
  // In JSON this text can only be a key: within a string its quotes would be escaped.
  if (structured !== undefined && JSON.stringify(structured).includes('"__proto__":'))
    throw new UnusableResult('has a key that could reach a prototype');
  return structured as JsonValue | undefined;
}

/** A block of a server in the form of the library, with nothing else that the server sent. */
export function toolContent(block: ContentBlock): ToolContent {
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
