import { isObject } from '../../json/json.js';
import type { ToolContent, ToolDefinition, ToolOutput } from '../../tool/tool-definition.js';
import { failure, type ToolFailure, type ToolResult } from '../../tool/tool-result.js';
import { ToolSearchError } from '../../tool/tool-search.error.js';
import type { ShortenedOutput } from '../results/shortened-results.js';
import type { CallsSettings } from './call-options.js';

const MAX_BLOCKS = 1000;

/** Output within the limit; `truncated` is true when content was cut or dropped. */
export interface BoundedOutput extends ToolOutput {
  readonly truncated: boolean;
}

/**
 * Limits a tool's output to `maxBytes` in total and to 1,000 blocks. Text is cut at the end; binary blocks and
 * structured content that do not fit are dropped.
 *
 * @throws TypeError when a source returns something other than a list of content blocks
 */
export function boundOutput(output: ToolOutput, maxBytes: number): BoundedOutput {
  const blocks: unknown = output.content;
  if (!Array.isArray(blocks) || !blocks.every(isBlock)) {
    throw new TypeError('the source did not answer with a list of content');
  }
  let room = maxBytes;
  let truncated = output.content.length > MAX_BLOCKS;
  const content: ToolContent[] = [];
  for (const block of output.content.slice(0, MAX_BLOCKS)) {
    const size = sizeOf(block);
    if (size <= room) {
      // Only the text was measured, so the block's other properties are dropped.
      content.push(block.type === 'text' ? { type: 'text', text: block.text } : block);
      room -= size;
      continue;
    }
    truncated = true;
    if (block.type === 'text' && room > 0) {
      // A cut inside a multi-byte character decodes to a replacement character.
      const cut = Buffer.from(block.text)
        .subarray(0, room)
        .toString()
        .replace(/\uFFFD+$/, '');
      content.push({ type: 'text', text: cut });
      room = 0;
    }
  }
  if (output.structured === undefined) return { content, truncated };
  const fits = Buffer.byteLength(JSON.stringify(output.structured)) <= room;
  return fits ? { content, structured: output.structured, truncated } : { content, truncated: true };
}

function isBlock(block: unknown): boolean {
  if (!isObject(block) || typeof block['type'] !== 'string') return false;
  const { type, resource } = block;
  if (type === 'resource_link') return typeof block['uri'] === 'string';
  return type !== 'resource' || (isObject(resource) && typeof resource['uri'] === 'string');
}

/**
 * Refuses a resource or prompt that was cut: its reader could not tell that a part of it is missing.
 *
 * @throws ToolSearchError `UPSTREAM_TOO_LARGE`
 */
export function refuseCutItem({ kind, name }: ToolDefinition, { truncated }: BoundedOutput, maxBytes: number): void {
  if (kind === undefined || !truncated) return;
  throw new ToolSearchError('UPSTREAM_TOO_LARGE', `The content of ${name} has more than ${maxBytes} bytes.`, {
    hint: 'An operator can raise calls.maxResultBytes.',
  });
}

/** The result of a tool that has answered. @param isError the tool reported an error */
export function resultOf({ name }: ToolDefinition, output: ShortenedOutput, isError: boolean): ToolResult {
  if (!isError) return succeeded(output);
  const failed = failure(
    'TOOL_FAILED',
    `${name} reported an error.`,
    'Read its content, correct the call and try again.',
  );
  return { ...failed, content: output.content, ...notesOf(output) };
}

/** The answer of a meta tool as a result, within the limits of every result. */
export function boundedResult(output: ToolOutput, { maxResultBytes }: CallsSettings): ToolResult {
  return succeeded(boundOutput(output, maxResultBytes));
}

function succeeded(output: ShortenedOutput): ToolResult {
  const { content, structured, truncated } = output;
  const whole = { ...(structured !== undefined && { structured }), ...(truncated && { truncated }) };
  return { ok: true, content, ...whole, ...notesOf(output) };
}

function notesOf({ handle, note }: ShortenedOutput): Pick<ToolFailure, 'handle' | 'note'> {
  return { ...(handle !== undefined && { handle }), ...(note !== undefined && { note }) };
}

function sizeOf(block: ToolContent): number {
  return block.type === 'text' ? Buffer.byteLength(block.text) : Buffer.byteLength(JSON.stringify(block));
}
