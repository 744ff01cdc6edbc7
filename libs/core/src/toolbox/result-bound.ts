import type { ToolContent, ToolOutput } from '../tool/tool-definition.js';

/** Output that fits the bound; `truncated` says that something was cut or dropped. */
export interface BoundedOutput extends ToolOutput {
  readonly truncated: boolean;
}

/**
 * Cuts a tool's output to `maxBytes`: text is cut at the end, binary blocks and structured content that do not fit are
 * dropped.
 */
export function boundOutput(output: ToolOutput, maxBytes: number): BoundedOutput {
  let room = maxBytes;
  let truncated = false;
  const content: ToolContent[] = [];
  for (const block of output.content) {
    const size = sizeOf(block);
    if (size <= room) {
      content.push(block);
      room -= size;
      continue;
    }
    truncated = true;
    if (block.type === 'text' && room > 0) {
      // A cut in the middle of a character leaves a replacement character behind.
      const cut = Buffer.from(block.text).subarray(0, room).toString().replace(/\uFFFD+$/, '');
      content.push({ type: 'text', text: cut });
      room = 0;
    }
  }
  if (output.structured === undefined) return { content, truncated };
  const fits = Buffer.byteLength(JSON.stringify(output.structured)) <= maxBytes;
  return fits ? { content, structured: output.structured, truncated } : { content, truncated: true };
}

function sizeOf(block: ToolContent): number {
  return block.type === 'text' ? Buffer.byteLength(block.text) : Buffer.byteLength(JSON.stringify(block));
}
