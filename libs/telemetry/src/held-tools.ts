import type { ControlPlane, ToolCatalog, ToolDefinition } from '@tool-search/core';
import { type ControlSnapshot, verdictKind } from '@tool-search/core/internal';

type Counts = ReadonlyMap<string, number>;

/** Number of quarantined tools by source name, over all tenants; undefined before operators' decisions are known. */
export function heldTools(catalog: ToolCatalog, control: ControlPlane): Counts | undefined {
  return counted(catalog, control, (tool, decided) => decided.of(verdictKind).refusal(tool) !== undefined);
}

/** Number of reported tools that no operator has decided on, as {@link heldTools}. */
export function reportedTools(catalog: ToolCatalog, control: ControlPlane): Counts | undefined {
  return counted(catalog, control, (tool, decided) => tool.finding !== undefined && !decided.of(verdictKind).of(tool));
}

function counted(
  catalog: ToolCatalog,
  control: ControlPlane,
  counts: (tool: ToolDefinition, decided: ControlSnapshot) => boolean,
): Counts | undefined {
  const decided = control.snapshot();
  if (!decided) return undefined;
  const found = new Map<string, number>();
  for (const tool of catalog.definitions()) {
    if (counts(tool, decided)) found.set(tool.source, (found.get(tool.source) ?? 0) + 1);
  }
  return found;
}
