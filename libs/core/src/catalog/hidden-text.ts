// Escape sequences and other controls, bidirectional overrides and isolates, and tag characters: a person who reviews the
// tool does not see them, a model may obey what they spell.
const HIDDEN = /[\p{Cc}\u202a-\u202e\u2066-\u2069\u{e0000}-\u{e007f}]/u;
const LAYOUT = /[\t\n\r]/g;

/** Whether a text holds characters that hide something from whoever reads it. Tabs and line breaks are layout. */
export function hidesText(text: string): boolean {
  return HIDDEN.test(text.replace(LAYOUT, ''));
}
