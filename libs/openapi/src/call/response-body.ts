/** A response body, up to the limit. */
export interface ResponseBody {
  readonly bytes: Buffer;
  /** Whether the response exceeded the limit. */
  readonly cut: boolean;
}

/** Reads a body up to a limit of decompressed bytes; beyond it, ends the transfer. */
export async function boundedBody(response: Response, maxBytes: number): Promise<ResponseBody> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  // Leaving the loop cancels the stream and ends the transfer.
  for await (const chunk of (response.body ?? []) as AsyncIterable<Uint8Array>) {
    const kept = chunk.subarray(0, maxBytes - bytes);
    chunks.push(kept);
    bytes += kept.length;
    if (kept.length < chunk.length) return { bytes: Buffer.concat(chunks), cut: true };
  }
  return { bytes: Buffer.concat(chunks), cut: false };
}

/** Decodes UTF-8; replaces invalid bytes and removes control characters except line breaks and tabs. */
export function textOf({ bytes, cut }: ResponseBody): string {
  // Drops a character that the limit cut in half.
  const text = new TextDecoder().decode(bytes, { stream: cut });
  return text.replace(CONTROL, '');
}

const CONTROL = /(?![\t\n\r])\p{Cc}/gu;
