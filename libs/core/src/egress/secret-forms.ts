/** Bytes from which a credential is searched in base64 and hexadecimal. Fewer would be found by chance. */
const MIN_ENCODED_BYTES = 8;
const BITS_OF_BYTE = 8;
const BITS_OF_DIGIT = 6;

/** How a credential may be written, without the escapes of URLs, JSON and HTML. */
export function formsOf(secret: string): ReadonlySet<string> {
  const bytes = Buffer.from(secret);
  const forms = new Set([secret, inJson(secret), inJson(inJson(secret)), bytes.toString('latin1')]);
  // As forms write blanks.
  if (secret.includes(' ')) forms.add(secret.replaceAll(' ', '+'));
  if (/^[0-9a-f-]+$/i.test(secret)) forms.add(secret.toLowerCase()).add(secret.toUpperCase());
  if (bytes.length < MIN_ENCODED_BYTES) return forms;
  const hex = bytes.toString('hex');
  forms.add(hex).add(hex.toUpperCase());
  for (const before of [0, 1, 2]) {
    const digits = digitsOf(bytes, before);
    forms.add(digits).add(digits.replaceAll('+', '-').replaceAll('/', '_'));
  }
  return forms;
}

/** The base64 digits that depend on these bytes alone, where `before` other bytes begin their group of three. */
function digitsOf(bytes: Buffer, before: number): string {
  const encoded = Buffer.concat([Buffer.alloc(before), bytes]).toString('base64');
  const first = Math.ceil((before * BITS_OF_BYTE) / BITS_OF_DIGIT);
  return encoded.slice(first, Math.floor(((before + bytes.length) * BITS_OF_BYTE) / BITS_OF_DIGIT));
}

/** A text as it is written between the quotation marks of JSON. */
export function inJson(text: string): string {
  return JSON.stringify(text).slice(1, -1);
}
