import type { ControlPlane, ToolCatalog } from '@tool-search/core';

/** Number of quarantined tools by source name, over all tenants; undefined before operators' decisions are known. */
export function heldTools(catalog: ToolCatalog, control: ControlPlane): ReadonlyMap<string, number> | undefined {
  const decided = control.snapshot();
  if (!decided) return undefined;
  const held = new Map<string, number>();
  for (const tool of catalog.tools()) {
    if (decided.quarantine.refusal(tool)) held.set(tool.source, (held.get(tool.source) ?? 0) + 1);
  }
  return held;
}
