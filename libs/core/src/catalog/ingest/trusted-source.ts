import type { ToolSource } from '../../tool/tool-source.js';

const OWN = new WeakSet<ToolSource>();

/** Marks a source as the application's own code. Kept outside the source, so that a source cannot claim it itself. */
export function markTrustedSource(source: ToolSource): void {
  OWN.add(source);
}

/** Whether a source is the application's own code, whose instructions to a model are intended; hidden text is not. */
export function isTrustedSource(source: ToolSource): boolean {
  return OWN.has(source);
}
