/** How a credential may be written. Each is found and removed in each place. */
export const ENCODINGS = {
  'as it is': (secret) => secret,
  'in JSON': (secret) => JSON.stringify(secret).slice(1, -1),
  'in JSON in JSON': (secret) => JSON.stringify(JSON.stringify(secret)).slice(1, -1),
  'in ASCII JSON': (secret) => hexOf(secret, (hex) => String.raw`\u00${hex}`),
  'in JSON of other languages': (secret) => secret.replaceAll('/', String.raw`\/`),
  'in a URL': (secret) => encodeURIComponent(secret),
  'in a URL in lower case': (secret) => encodeURIComponent(secret).replaceAll(/%../g, (escape) => escape.toLowerCase()),
  'in a URL in a URL': (secret) => encodeURIComponent(encodeURIComponent(secret)),
  'in a URL, every character': (secret) => hexOf(secret, (hex) => `%${hex}`),
  'in a URL in JSON': (secret) => encodeURIComponent(secret).replaceAll('%', String.raw`\u0025`),
  'in HTML': (secret) => secret.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('/', '&#x2F;'),
  'in HTML, every character': (secret) => hexOf(secret, (hex) => `&#x${hex};`),
  'in base64': (secret) => base64(`${secret} and more`),
  'in base64, after one character': (secret) => base64(`x${secret} and more`),
  'in base64, after two characters': (secret) => base64(`xx${secret} and more`),
  'in base64 of URLs': (secret) => Buffer.from(secret).toString('base64url'),
  'in hexadecimal': (secret) => Buffer.from(secret).toString('hex'),
  'in hexadecimal, upper case': (secret) => Buffer.from(secret).toString('hex').toUpperCase(),
} satisfies Record<string, (secret: string) => string>;

/** The name of one of {@link ENCODINGS}. */
export type Encoding = keyof typeof ENCODINGS;
export const ALL_ENCODINGS = Object.keys(ENCODINGS) as readonly Encoding[];

/** How a test hides nothing. */
export const PLAIN: Encoding = 'as it is';

const base64 = (text: string) => Buffer.from(text).toString('base64');
const hexOf = (text: string, written: (hex: string) => string) =>
  Array.from(Buffer.from(text), (byte) => written(byte.toString(16).padStart(2, '0'))).join('');

/** Texts within texts that are looked at. */
const MAX_LAYERS = 4;

/**
 * Whether a reader who decodes whatever can be decoded finds a text. Knows nothing of how the library searches: it decodes
 * the whole, not the credential.
 */
export function isReadableIn(text: string, sought: string): boolean {
  let seen = text;
  for (let layer = 0; layer < MAX_LAYERS; layer++) {
    if (seen.includes(sought) || bytesWithin(seen).some((bytes) => unescaped(bytes).includes(sought))) return true;
    const next = unescaped(seen);
    if (next === seen) return false;
    seen = next;
  }
  return false;
}

function unescaped(text: string): string {
  const of = (hex: string) => String.fromCodePoint(Number.parseInt(hex, 16));
  return text
    .replaceAll(/%([0-9a-f]{2})/gi, (_, hex: string) => of(hex))
    .replaceAll(/\\+u([0-9a-f]{4})/gi, (_, hex: string) => of(hex))
    .replaceAll(/&#x([0-9a-f]{1,5});/gi, (_, hex: string) => of(hex))
    .replaceAll('&quot;', '"')
    .replaceAll('&amp;', '&')
    .replaceAll(/\\+(["/\\])/g, '$1');
}

/** What base64 and hexadecimal within a text say, wherever their groups begin. */
function bytesWithin(text: string): readonly string[] {
  const digits = text.match(/[\w+/-]{8,}/g) ?? [];
  return digits.flatMap((run) => [
    ...[0, 1, 2, 3].map((start) => Buffer.from(run.slice(start), 'base64').toString('latin1')),
    ...[0, 1].map((start) => Buffer.from(run.slice(start), 'hex').toString('latin1')),
  ]);
}
