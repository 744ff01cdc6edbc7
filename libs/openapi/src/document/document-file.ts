import { createReadStream } from 'node:fs';
import { ToolSearchError } from '@tool-search/core';

/**
 * Reads the bytes of a document's file. Reads at most one byte more than allowed, so that the limit also holds for pipes,
 * devices and growing files.
 *
 * @throws ToolSearchError `SOURCE_UNAVAILABLE` (unreadable), `SOURCE_LIMIT` (too large); the signal's reason when
 * aborted
 */
export async function documentFile(
  path: string,
  maxBytes: number,
  signal: AbortSignal,
): Promise<readonly Uint8Array[]> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  try {
    for await (const chunk of createReadStream(path, { end: maxBytes, signal })) {
      chunks.push(chunk as Buffer);
      bytes += (chunk as Buffer).length;
    }
  } catch (error) {
    signal.throwIfAborted();
    throw new ToolSearchError('SOURCE_UNAVAILABLE', `The document ${path} cannot be read.`, {
      hint: 'Check that the file exists and that the application may read it.',
      cause: error,
    });
  }
  if (bytes > maxBytes) throw tooLarge(`The document ${path}`, maxBytes);
  return chunks;
}

export function tooLarge(what: string, maxBytes: number): ToolSearchError {
  return new ToolSearchError('SOURCE_LIMIT', `${what} is larger than ${maxBytes} bytes.`, {
    hint: 'Raise maxDocumentBytes for this source, or cut the document down.',
  });
}
