import type { CatalogReader } from '../../catalog/catalog-reader.js';
import { isOwnedBy } from '../../tool/snapshot/catalog-snapshot.js';
import type { ToolDefinition } from '../../tool/tool-definition.js';
import { globTest } from '../../tool/tool-name.js';
import { ToolSearchError } from '../../tool/tool-search.error.js';
import type { Explanation } from '../explanation.js';

/** Whether a needed tool can be called: see {@link Preflight}. */
export type Readiness = 'ready' | 'needs_approval' | 'retry' | 'blocked' | 'unknown';

/** One tool that an agent needs. For operators: hidden facts are in it. */
export interface NeededTool {
  /** Canonical name; the name or glob itself where it matches no tool. */
  readonly tool: string;
  readonly state: Readiness;
  /**
   * The layer that decided, for a tool that is not ready; `arguments` or `call_policy` for one whose calls it may refuse, or
   * ask about.
   */
  readonly layer?: string;
  readonly rule?: string;
  readonly reason?: string;
}

/**
 * Which of the tools that an agent needs can be called now. The outcome is the worst of:
 *
 * - `ready`: every tool can be called;
 * - `retry`: waiting may help, for example until a source has loaded;
 * - `blocked`: a person has to act: a rule refuses a tool, or each session needs an approval for it;
 * - `unknown`: there is no such tool.
 */
export interface Preflight {
  readonly outcome: 'ready' | 'retry' | 'blocked' | 'unknown';
  /** In the order of the needs, each tool once. */
  readonly tools: readonly NeededTool[];
}

/** Parts of a toolbox that a preflight uses. */
export interface PreflightParts {
  readonly reader: CatalogReader;
  readonly tenantId: string;
  /** Whether a tool that a glob matches counts: not one that the toolbox was narrowed by on purpose. */
  readonly isIncluded: (tool: ToolDefinition) => boolean;
  /** @throws ToolSearchError `GATE_CLOSED`, `STORE_UNAVAILABLE` */
  readonly explain: (name: string) => Promise<Explanation>;
}

const NEED = /^[A-Za-z0-9_.*?-]{1,256}$/;
const MAX_NEEDS = 1000;
/** Tools of one preflight: each is a decision with all of its layers. */
const MAX_TOOLS = 2000;
const OUTCOMES = ['ready', 'retry', 'blocked', 'unknown'] as const;

/**
 * Finds out which needed tools can be called. Calls no tool and no source; asks for no approval; counts nothing.
 *
 * @param needs names, and globs that stand for all tools that match, except those that the toolbox is narrowed by
 * @throws ToolSearchError `INVALID_REQUEST` for no needs, too many, or one that is neither a name nor a glob
 */
export async function preflight(needs: readonly string[], parts: PreflightParts): Promise<Preflight> {
  if (needs.length === 0) {
    throw wrong('nothing says which tools are needed', 'Name tools, or set needs or allow of the profile.');
  }
  if (needs.length > MAX_NEEDS) throw wrong(`it names more than ${MAX_NEEDS} tools and globs`, 'Split it.');
  if (!needs.every((need) => NEED.test(need))) throw wrong('a need is neither a name nor a glob', 'Correct it.');
  const tools = new Map<string, NeededTool>();
  for (const need of new Set(needs)) {
    const names = namesOf(need, parts);
    if (tools.size + names.length > MAX_TOOLS) throw wrong(`it needs more than ${MAX_TOOLS} tools`, 'Split it.');
    for (const name of names) {
      const explanation = await parts.explain(name);
      if (!tools.has(explanation.tool)) tools.set(explanation.tool, neededTool(explanation, parts));
    }
    if (names.length === 0) tools.set(need, missing(need, 'no tool that is allowed here matches', parts));
  }
  const worst = Math.max(0, ...[...tools.values()].map(({ state }) => OUTCOMES.indexOf(outcomeOf(state))));
  return { outcome: OUTCOMES[worst] ?? 'unknown', tools: [...tools.values()] };
}

function namesOf(need: string, { reader, tenantId, isIncluded }: PreflightParts): readonly string[] {
  if (!/[*?]/.test(need)) return [need];
  const matches = globTest(need);
  return reader
    .current(tenantId)
    .tools.filter((tool) => isOwnedBy(tool, tenantId) && matches(tool.name) && isIncluded(tool))
    .map(({ name }) => name);
}

function neededTool(explanation: Explanation, parts: PreflightParts): NeededTool {
  const { tool, outcome, layers } = explanation;
  const decided = layers.find(({ verdict }) => verdict === 'deny' || verdict === 'approve');
  if (decided) {
    const { layer, rule, reason } = decided;
    if (layer === 'source' && rule === 'unknown') return missing(tool, reason, parts);
    if (outcome !== 'allow') return { tool, state: refusedState(outcome, layer, rule), layer, rule, reason };
  }
  const source = sourceOf(tool, parts);
  if (!source || source.state === 'ready') return { tool, state: 'ready', ...dependsOn(layers) };
  const { source: name, state, code } = source;
  return {
    tool,
    state: 'retry',
    layer: 'source',
    rule: state,
    reason: `its source ${name} is ${state}${code === undefined ? '' : ` (${code})`}`,
  };
}

/**
 * The rules on arguments, or else the call policies, that may refuse single calls of a tool that is ready, or ask for an
 * approval of them.
 */
function dependsOn(layers: Explanation['layers']): Pick<NeededTool, 'layer' | 'rule' | 'reason'> {
  const found = layers.find(
    ({ layer, rule }) => (layer === 'arguments' || layer === 'call_policy') && rule !== 'default',
  );
  return found ? { layer: found.layer, rule: found.rule, reason: found.reason } : {};
}

function refusedState(outcome: Explanation['outcome'], layer: string, rule: string): Readiness {
  if (outcome === 'approve') return 'needs_approval';
  // A limit counts anew, and a visibility policy that failed may answer the next time.
  return layer === 'limit' || (layer === 'visibility' && rule === 'fault') ? 'retry' : 'blocked';
}

/** A name that no tool has. It may get one if a source that is not ready could bring it. */
function missing(need: string, reason: string, { reader, tenantId }: PreflightParts): NeededTool {
  const layer = 'source';
  const sources = reader.sources(tenantId);
  const [namespace = ''] = need.split('.', 1);
  const neighbour = reader
    .current(tenantId)
    .tools.find((tool) => isOwnedBy(tool, tenantId) && tool.name.startsWith(`${namespace}.`));
  const owner = neighbour?.source ?? namespace;
  const known = sources.filter(({ source }) => source === owner);
  const awaited = (known.length > 0 ? known : sources).filter(({ state }) => state !== 'ready');
  if (awaited.length === 0) return { tool: need, state: 'unknown', layer, rule: 'unknown', reason };
  const names = awaited.map(({ source, state }) => `${source} is ${state}`).join(', ');
  return { tool: need, state: 'retry', layer, rule: 'unknown', reason: `it is not there yet: ${names}` };
}

function sourceOf(name: string, { reader, tenantId }: PreflightParts) {
  const snapshot = reader.current(tenantId);
  const holder = [snapshot, snapshot.items].find((each) => each?.idOf(name, tenantId) !== undefined);
  const tool = holder?.at(holder.idOf(name, tenantId) ?? -1);
  return tool && reader.sources(tenantId).find(({ source, owner }) => source === tool.source && owner === tool.owner);
}

function outcomeOf(state: Readiness): Preflight['outcome'] {
  return state === 'needs_approval' ? 'blocked' : state;
}

function wrong(message: string, hint: string): ToolSearchError {
  return new ToolSearchError('INVALID_REQUEST', `The preflight cannot run: ${message}.`, { hint });
}
