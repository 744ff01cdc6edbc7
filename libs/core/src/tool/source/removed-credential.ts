/** What stands in place of a credential that a source has removed from what its server sent. */
export const REMOVED = '[removed]';

/** Whether a text has the mark of a removed credential. */
export function hasRemoved(text: string): boolean {
  return text.includes(REMOVED);
}
