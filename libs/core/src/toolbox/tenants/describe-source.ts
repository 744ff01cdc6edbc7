import type { CatalogReader } from '../../catalog/catalog-reader.js';
import type { Decision } from '../../tool/decision.js';
import type { ToolDefinition } from '../../tool/tool-definition.js';

/** Describes the health of a tool's source, in words. */
export function sourceHealth({ source, owner }: ToolDefinition, catalog: CatalogReader): string {
  const status = catalog.sources(owner).find((each) => each.source === source && each.owner === owner);
  if (!status) return `its source ${source} is gone`;
  return `its source ${source} is ${status.state}${status.state === 'ready' ? '' : ': its last good tools stay'}`;
}

/** Adds to the decision about an unknown name why a source of the tenant, or a shared one, has no such tool. */
export function describeSource(decision: Decision, name: string, catalog: CatalogReader, tenantId: string): Decision {
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
