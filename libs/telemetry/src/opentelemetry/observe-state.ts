import type { BatchObservableCallback, Meter } from '@opentelemetry/api';
import {
  type ControlPlane,
  DefinitionTokens,
  type KillSwitch,
  type Loading,
  type ToolCatalog,
  type ToolDefinition,
} from '@tool-search/core';
import { heldTools } from '../held-tools.js';

interface Size {
  readonly tools: number;
  readonly tokens: number;
}

/**
 * Gauges of what the application holds, read when they are collected: tools and tokens of the catalog by loading, which
 * sources are up and how many of their tools wait in quarantine, and how many kill switches are engaged. Tokens are estimated by length. Returns what stops it.
 */
export function observeState(catalog: ToolCatalog, control: ControlPlane, meter: Meter): () => void {
  const tools = meter.createObservableGauge('tool_search.catalog.tools', {
    unit: '{tool}',
    description: 'Tools of the catalog, of all tenants, by loading.',
  });
  const tokens = meter.createObservableGauge('tool_search.catalog.tokens', {
    unit: '{token}',
    description: 'Estimated tokens of their definitions.',
  });
  // Without a unit: a gauge of unit 1 would be renamed to a ratio.
  const up = meter.createObservableGauge('tool_search.source.up', {
    description: 'Whether all sources of this name answered their last load.',
  });
  const held = meter.createObservableGauge('tool_search.source.held', {
    unit: '{tool}',
    description: 'Tools of the sources of this name that are in quarantine.',
  });
  const switches = meter.createObservableGauge('tool_search.kill_switches.active', {
    unit: '{switch}',
    description: 'Kill switches that are engaged and have not expired, of all tenants.',
  });
  const sizes = catalogSizes();
  // A source that was taken out is down: left out, it would keep its last value.
  const known = new Set<string>();
  const observe: BatchObservableCallback = (result) => {
    for (const [state, size] of sizes(catalog.tools())) {
      result.observe(tools, size.tools, { state });
      result.observe(tokens, size.tokens, { state });
    }
    // Before the first look at the store nobody knows: no value, instead of a zero.
    const decided = control.snapshot();
    if (decided) result.observe(switches, decided.switches.all.filter(isLive).length);
    const now = sourcesUp(catalog);
    for (const source of now.keys()) known.add(source);
    const waiting = heldTools(catalog, control);
    for (const source of known) {
      result.observe(up, now.get(source) ? 1 : 0, { source });
      if (waiting) result.observe(held, waiting.get(source) ?? 0, { source });
    }
  };
  const gauges = [tools, tokens, up, held, switches];
  meter.addBatchObservableCallback(observe, gauges);
  return () => meter.removeBatchObservableCallback(observe, gauges);
}

function isLive({ expiresAt }: KillSwitch): boolean {
  return expiresAt === 0 || expiresAt > Date.now();
}

/** Sizes by loading; the tokens of a definition are counted once. */
function catalogSizes(): (tools: readonly ToolDefinition[]) => ReadonlyMap<Loading, Size> {
  const tokens = new DefinitionTokens();
  return (tools) => {
    const sizeOf = (loading: Loading): Size => {
      const held = tools.filter((tool) => tool.loading === loading);
      return { tools: held.length, tokens: tokens.sum(held) };
    };
    return new Map((['always', 'deferred'] as const).map((loading) => [loading, sizeOf(loading)]));
  };
}

/** By name alone: tenants have sources of their own of the same name, and are not told apart here. */
function sourcesUp(catalog: ToolCatalog): ReadonlyMap<string, boolean> {
  const up = new Map<string, boolean>();
  for (const { source, state } of catalog.sources()) up.set(source, (up.get(source) ?? true) && state === 'ready');
  return up;
}
