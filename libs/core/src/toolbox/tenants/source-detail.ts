import type { CatalogReader } from '../../catalog/catalog-reader.js';
import type { Decision } from '../../tool/decision.js';
import type { ToolDefinition } from '../../tool/tool-definition.js';

/** How the source of a tool is doing, in words. */
export function sourceHealth({ source, owner }: ToolDefinition, catalog: CatalogReader): string {
  const status = catalog.sources(owner).find((each) => each.source === source && each.owner === owner);
  if (!status) return `its source ${source} is gone`;
  return `its source ${source} is ${status.state}${status.state === 'ready' ? '' : ': its last good tools stay'}`;
}

/** The decision about a name that no tool has, with what a source of the tenant, or of all, had to say about such a name. */
export function sourceDetail(decision: Decision, name: string, catalog: CatalogReader, tenantId: string): Decision {
  if (decision.layer !== 'source' || decision.rule !== 'unknown') return decision;
  const sources = catalog.sources(tenantId);
  for (const { source, refused } of sources) {
    const refusal = refused.find((each) => each.name === name || `${source}.${each.name}` === name);
    if (refusal)
      return {
        ...decision,
        rule: 'refused',
        reason: `source ${source} brought it and it was refused: ${refusal.reason}`,
      };
  }
  const down = sources.filter(({ state }) => state !== 'ready');
  if (down.length === 0) return decision;
  return { ...decision, reason: `no such tool; not ready: ${down.map(({ source }) => source).join(', ')}` };
}
