import type { SourceAnswer, ToolContent } from '@tool-search/core';
import { toOutput } from '@tool-search/core/adapter';
import type { ModelOutput } from './model-output.js';

type Block = Extract<ModelOutput, { type: 'content' }>['value'][number];
type File = Extract<Block, { type: 'file' }>;

/** Converts an AI SDK tool's output for the model to a source's answer: the inverse of `modelOutput`. */
export function answerOfModelOutput(output: ModelOutput): SourceAnswer {
  switch (output.type) {
    case 'text':
      return { content: [textOf(output.value)] };
    case 'json':
      return toOutput(output.value);
    case 'error-text':
      return { content: [textOf(output.value)], isError: true };
    case 'error-json':
      return { ...toOutput(output.value), isError: true };
    case 'execution-denied':
      return { content: [textOf(output.reason ?? 'The tool refused this call.')], isError: true };
    case 'content':
      return { content: output.value.map(contentOf) };
  }
}

function contentOf(block: Block): ToolContent {
  switch (block.type) {
    case 'text':
      return textOf(block.text);
    case 'file':
      return fileOf(block);
    case 'file-data':
    case 'image-data':
      return bytesOf(block.data, block.mediaType);
    case 'file-url':
    case 'image-url':
      return { type: 'resource_link', uri: block.url };
    default:
      // A file that only its provider can read, or another provider-specific block.
      return textOf(`[${block.type}]`);
  }
}

function fileOf({ data, mediaType, filename }: File): ToolContent {
  switch (data.type) {
    case 'text':
      return textOf(data.text);
    case 'url':
      return { type: 'resource_link', uri: String(data.url), mimeType: mediaType, ...(filename && { name: filename }) };
    case 'data':
      return bytesOf(data.data, mediaType, filename);
    default:
      return textOf('[file]');
  }
}

function bytesOf(data: string | Uint8Array | ArrayBuffer, mimeType: string, filename = 'file'): ToolContent {
  const base64 = typeof data === 'string' ? data : Buffer.from(data as Uint8Array).toString('base64');
  if (/^image(\/|$)/.test(mimeType)) return { type: 'image', data: base64, mimeType };
  if (/^audio(\/|$)/.test(mimeType)) return { type: 'audio', data: base64, mimeType };
  return { type: 'resource', resource: { uri: `attachment:${encodeURIComponent(filename)}`, mimeType, blob: base64 } };
}

function textOf(text: string): ToolContent {
  return { type: 'text', text };
}
