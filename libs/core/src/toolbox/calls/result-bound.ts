import { isObject } from '../../json/json.js';
import type { ToolContent, ToolOutput } from '../../tool/tool-definition.js';

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
  if (!Array.isArray(blocks) || !blocks.every((block) => isObject(block) && typeof block['type'] === 'string')) {
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

function sizeOf(block: ToolContent): number {
  return block.type === 'text' ? Buffer.byteLength(block.text) : Buffer.byteLength(JSON.stringify(block));
}
