/** The body of a response, as much of it as may be read. */
export interface ResponseBody {
  readonly bytes: Buffer;
  /** The response was longer than the bound. */
  readonly cut: boolean;
}

/** Reads a body, unpacked, up to a bound; what is over ends the transfer. */
export async function boundedBody(response: Response, maxBytes: number): Promise<ResponseBody> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  // Leaving the loop cancels the stream, and with it the transfer.
  for await (const chunk of (response.body ?? []) as AsyncIterable<Uint8Array>) {
    const kept = chunk.subarray(0, maxBytes - bytes);
    chunks.push(kept);
    bytes += kept.length;
    if (kept.length < chunk.length) return { bytes: Buffer.concat(chunks), cut: true };
  }
  return { bytes: Buffer.concat(chunks), cut: false };
}

/** Bytes as text: UTF-8, with a replacement character for what is none, and without control characters but line breaks and tabs. */
export function textOf({ bytes, cut }: ResponseBody): string {
  // A character that the bound cuts in half goes.
  const text = new TextDecoder().decode(bytes, { stream: cut });
  return text.replace(CONTROL, '');
}

const CONTROL = /(?![\t\n\r])\p{Cc}/gu;
