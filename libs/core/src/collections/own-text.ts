/** A copy of a text. In V8, a slice of over 12 characters keeps the text that it was cut from in memory. */
export function ownText(slice: string): string {
  return Buffer.from(slice, 'utf16le').toString('utf16le');
}
