/** Whether one of the texts contains the words, whatever their case. */
export function containsText(words: string, ...texts: readonly string[]): boolean {
  const wanted = words.toLowerCase();
  return texts.some((text) => text.toLowerCase().includes(wanted));
}
