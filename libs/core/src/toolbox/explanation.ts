import type { ActivationRoom } from '../activation/tool-activations.js';
import type { CatalogReader } from '../catalog/catalog-reader.js';
import { type Decision, LAYERS, type LayerVerdict } from '../tool/decision.js';
import type { ToolDefinition } from '../tool/tool-definition.js';

/** Why a context may or may not use a tool: every layer, in the order of evaluation. For operators only. */
export interface Explanation {
  readonly tool: string;
  readonly outcome: Decision['outcome'];
  readonly layers: readonly LayerVerdict[];
}

export interface ToolStates {
  /** Health of the tool's source. */
  readonly source: string;
  readonly loading: 'always' | 'deferred';
  /** `listed` by exposure or loading, `activated`, `offered`, or `inactive`. */
  readonly activation: 'listed' | 'activated' | 'offered' | 'inactive';
  /** Whether the session or run has room for one more tool. */
  readonly room: ActivationRoom;
}

const PASSED = {
  source: 'the tool is in the catalog and open to the tenant',
  quarantine: 'nothing is suspicious about it, or an operator has approved it',
  policy: 'no policy refuses it',
  visibility: 'every visibility policy shows it',
  kill_switch: 'no kill switch turns it off',
  lifecycle: 'it is not deprecated',
  approval: 'no approval is needed',
  limit: 'no limit concerns it',
};

const ACTIVATION = {
  listed: 'it is listed without activation',
  activated: 'this run or session has activated it',
  offered: 'this run has found it, so it is listed',
  inactive: 'it is listed once it has been found, and activated by its first call',
};

const ROOM = {
  some: { verdict: 'pass', rule: 'default', reason: 'there is room for it' },
  by_tokens: { verdict: 'pass', rule: 'default', reason: 'there is room for it, unless it has too many tokens' },
  none: { verdict: 'deny', rule: 'limit', reason: 'the run or session holds as many tools as it may' },
} as const;

/**
 * @param limits what its limits hold, if they were asked
 * @param lifecycle what is said about its deprecation and its canary, if it has one
 */
export function explanationOf(
  tool: string,
  decision: Decision,
  states: ToolStates | undefined,
  limits: string = PASSED.limit,
  lifecycle: string = PASSED.lifecycle,
): Explanation {
  const passed = { ...PASSED, limit: limits, lifecycle };
  const decided = decision.outcome === 'allow' ? LAYERS.length : LAYERS.indexOf(decision.layer);
  const layers = LAYERS.map((layer, index): LayerVerdict => {
    if (index > decided) return { layer, ...NOT_REACHED };
    if (index < decided) {
      const health = layer === 'source' && states ? `; ${states.source}` : '';
      return { layer, verdict: 'pass', rule: 'default', reason: `${passed[layer]}${health}` };
    }
    const { outcome, rule, reason } = decision;
    return { layer, verdict: outcome === 'approve' ? 'approve' : 'deny', rule, reason };
  });
  return { tool, outcome: decision.outcome, layers: [...layers, ...stateLayers(decision, states)] };
}

const NOT_REACHED = { verdict: 'not_reached', rule: '', reason: '' } as const;

function stateLayers({ outcome }: Decision, states: ToolStates | undefined): readonly LayerVerdict[] {
  if (outcome === 'deny' || !states) {
    return (['loading', 'activation', 'budget'] as const).map((layer) => ({ layer, ...NOT_REACHED }));
  }
  const { loading, activation } = states;
  // The first call activates a deferred tool, even when it is already listed.
  const room = loading === 'deferred' && activation !== 'activated' ? states.room : 'some';
  return [
    {
      layer: 'loading',
      verdict: 'pass',
      rule: loading,
      reason: loading === 'always' ? 'it is always listed' : 'it is found on demand',
    },
    { layer: 'activation', verdict: 'pass', rule: activation, reason: ACTIVATION[activation] },
    { layer: 'budget', ...ROOM[room] },
  ];
}

/** The differences between two explanations of one tool. */
export interface ExplanationDiff {
  readonly left: Explanation;
  readonly right: Explanation;
  readonly isSame: boolean;
  /** The first layer that differs. */
  readonly partsAt?: LayerVerdict['layer'];
  readonly differences: readonly {
    readonly layer: LayerVerdict['layer'];
    readonly left: LayerVerdict;
    readonly right: LayerVerdict;
  }[];
}

/** Compares two explanations layer by layer. */
export function explanationDiff(left: Explanation, right: Explanation): ExplanationDiff {
  const differences = left.layers.flatMap((one, index) => {
    const other = right.layers[index];
    if (!other || (one.verdict === other.verdict && one.rule === other.rule)) return [];
    return [{ layer: one.layer, left: one, right: other }];
  });
  const [first] = differences;
  return { left, right, isSame: differences.length === 0, ...(first && { partsAt: first.layer }), differences };
}

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
