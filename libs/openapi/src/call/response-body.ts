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

/**
 * Decodes a body by its charset: that of a byte order mark, of the media type, or of an XML or HTML page's own
 * declaration, else UTF-8. Text without a charset that is no UTF-8 is read as windows-1252, as browsers do. Replaces
 * invalid bytes and removes control characters except line breaks and tabs.
 *
 * @param mediaType the value of `Content-Type`
 */
export function textOf({ bytes, cut }: ResponseBody, mediaType: string): string {
  const named = markOf(bytes) ?? CHARSET.exec(mediaType)?.[1] ?? declaredCharset(bytes, mediaType);
  // Drops a character that the limit cut in half.
  const decoded = (charset: string) => new TextDecoder(charset).decode(bytes, { stream: cut });
  const known = named === undefined ? undefined : decoderOf(named, bytes);
  const text = decoded(known ?? 'utf-8');
  const isOther = known === undefined && text.includes('\ufffd') && !OTHER_CHARACTER.test(text);
  const isWestern = isOther || known === 'windows-1252';
  return (isWestern ? withWindowsCharacters(decoded('windows-1252')) : text).replace(CONTROL, '');
}

// Node decodes windows-1252 as latin1 in some versions: these bytes become control characters.
function withWindowsCharacters(text: string): string {
  return text.replace(/[\x80-\x9f]/g, (character) => WINDOWS[character.charCodeAt(0) - 0x80] ?? character);
}

const WINDOWS = '€\x81‚ƒ„…†‡ˆ‰Š‹Œ\x8dŽ\x8f\x90‘’“”•–—˜™š›œ\x9džŸ';

const CONTROL = /(?![\t\n\r])\p{Cc}/gu;
const CHARSET = /;\s*charset\s*=\s*"?([\w.:+-]{1,40})/i;
const XML_ENCODING = /^\s*<\?xml[^>]{0,200}\bencoding\s*=\s*["']([\w.:+-]{1,40})["']/i;
const HTML_CHARSET = /<meta[^>]{0,200}\bcharset\s*=\s*["']?([\w.:+-]{1,40})/i;
const MAX_DECLARATION = 1024;
/** What valid UTF-8 has beside what is broken. */
const OTHER_CHARACTER = /[\u0080-\ufffc]|[\u{10000}-\u{10ffff}]/u;

function markOf(bytes: Buffer): string | undefined {
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return 'utf-16be';
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le';
  return bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? 'utf-8' : undefined;
}

/** The name under which a charset is decoded; undefined if it is not known. */
function decoderOf(charset: string, bytes: Buffer): string | undefined {
  // By RFC 2781, UTF-16 without a mark begins with the high byte; browsers expect the low one. Text shows which is zero.
  if (/^utf-?16$/i.test(charset)) return bytes[0] === 0 || (bytes[1] !== 0 && bytes[0] !== 0) ? 'utf-16be' : 'utf-16le';
  try {
    return new TextDecoder(charset).encoding;
  } catch {
    return undefined;
  }
}

function declaredCharset(bytes: Buffer, mediaType: string): string | undefined {
  if (!/[/+](xml|html)\b/i.test(mediaType)) return undefined;
  const head = bytes.subarray(0, MAX_DECLARATION).toString('latin1');
  const declared = (XML_ENCODING.exec(head) ?? HTML_CHARSET.exec(head))?.[1];
  // A declaration that could be read as ASCII is not UTF-16, whatever it says.
  return declared === undefined || /^utf-?16/i.test(declared) ? undefined : declared;
}
