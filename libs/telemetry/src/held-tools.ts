import type { ControlPlane, ToolCatalog } from '@tool-search/core';

/** Tools in quarantine by their source's name, tenants not told apart; undefined while nobody knows what operators decided. */
export function heldTools(catalog: ToolCatalog, control: ControlPlane): ReadonlyMap<string, number> | undefined {
  const decided = control.snapshot();
  if (!decided) return undefined;
  const held = new Map<string, number>();
  for (const tool of catalog.tools()) {
    if (decided.quarantine.refusal(tool)) held.set(tool.source, (held.get(tool.source) ?? 0) + 1);
  }
  return held;
}
