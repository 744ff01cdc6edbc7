import type { ToolSource } from '../../tool/tool-source.js';

const OWN = new WeakSet<ToolSource>();

/** Marks a source as the application's own code; not for others to say of themselves. */
export function markOwnCode(source: ToolSource): void {
  OWN.add(source);
}

/**
 * Whether a source is the application's own code: nobody else's words are in it, so what they tell a model is meant. What a
 * reader would not see is a fault even there.
 */
export function isOwnCode(source: ToolSource): boolean {
  return OWN.has(source);
}
