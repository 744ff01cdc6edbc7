import type { BatchObservableCallback, Meter } from '@opentelemetry/api';
import type { ControlPlane, ToolCatalog, ToolDefinition } from '@tool-search/core';
import { killSwitchKind } from '@tool-search/core/operators';
import { DefinitionTokens, type KillSwitch, type Loading } from '@tool-search/core/internal';
import { heldTools, reportedTools } from '../held-tools.js';

interface Size {
  readonly tools: number;
  readonly tokens: number;
}

/**
 * Observable gauges: tools and tokens in the catalog by loading, sources that are up, quarantined tools, and engaged
 * kill switches. Tokens are estimated from length.
 *
 * @returns a function that removes the gauges
 */
export function observeState(catalog: ToolCatalog, control: ControlPlane, meter: Meter): () => void {
  const gauge = (name: string, unit: string, description: string) =>
    meter.createObservableGauge(`tool_search.${name}`, { unit: `{${unit}}`, description });
  const tools = gauge('catalog.tools', 'tool', 'Tools of the catalog, of all tenants, by loading.');
  const tokens = gauge('catalog.tokens', 'token', 'Estimated tokens of their definitions.');
  // Without a unit: exporters would rename a gauge of unit 1 to a ratio.
  const up = meter.createObservableGauge('tool_search.source.up', {
    description: 'Whether all sources of this name answered their last load.',
  });
  const heldGauge = gauge('source.held', 'tool', 'Tools of the sources of this name that are in quarantine.');
  const reported = gauge(
    'source.reported',
    'tool',
    'Usable tools of the sources of this name that an inspector suspects and no operator has decided on.',
  );
  const switches = gauge(
    'kill_switches.active',
    'switch',
    'Kill switches that are engaged and have not expired, of all tenants.',
  );
  const sizes = catalogSizes();
  // A removed source is reported as down; without a value, exporters would repeat its last one.
  const known = new Set<string>();
  const observe: BatchObservableCallback = (result) => {
    for (const [state, size] of sizes(catalog.tools())) {
      result.observe(tools, size.tools, { state });
      result.observe(tokens, size.tokens, { state });
    }
    // Before the first read of the store the number is unknown: no value instead of 0.
    const decided = control.snapshot();
    if (decided) result.observe(switches, decided.of(killSwitchKind).all.filter(isLive).length);
    const now = sourcesUp(catalog);
    for (const source of now.keys()) known.add(source);
    const waiting = heldTools(catalog, control);
    const suspected = reportedTools(catalog, control);
    for (const source of known) {
      result.observe(up, now.get(source) ? 1 : 0, { source });
      if (waiting) result.observe(heldGauge, waiting.get(source) ?? 0, { source });
      if (suspected) result.observe(reported, suspected.get(source) ?? 0, { source });
    }
  };
  const gauges = [tools, tokens, up, heldGauge, reported, switches];
  meter.addBatchObservableCallback(observe, gauges);
  return () => meter.removeBatchObservableCallback(observe, gauges);
}

function isLive({ expiresAt }: KillSwitch): boolean {
  return expiresAt === 0 || expiresAt > Date.now();
}

/** Sizes by loading. The tokens of each definition are counted once. */
function catalogSizes(): (tools: readonly ToolDefinition[]) => ReadonlyMap<Loading, Size> {
  const tokens = new DefinitionTokens();
  return (tools) => {
    const sizeOf = (loading: Loading): Size => {
      const ofLoading = tools.filter((tool) => tool.loading === loading);
      return { tools: ofLoading.length, tokens: tokens.sum(ofLoading) };
    };
    return new Map((['always', 'deferred'] as const).map((loading) => [loading, sizeOf(loading)]));
  };
}

/** By name only: sources of the same name that belong to different tenants count as one. */
function sourcesUp(catalog: ToolCatalog): ReadonlyMap<string, boolean> {
  const up = new Map<string, boolean>();
  for (const { source, state } of catalog.sources()) up.set(source, (up.get(source) ?? true) && state === 'ready');
  return up;
}
