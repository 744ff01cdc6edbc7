import { type Decision, type Layer, LAYERS, type LayerVerdict } from '../../tool/decision.js';
import type { Evidence } from '../dry-run/dry-run-report.js';
import { explanationOf } from '../explanation.js';
import type { CallRecord } from '../record/call-record.js';

/** The verdict of one layer at a moment of the past; `unknown` exactly where the evidence is `not_recorded`. */
export interface PastLayer {
  readonly layer: Layer;
  readonly verdict: LayerVerdict['verdict'] | 'unknown';
  readonly rule: string;
  readonly reason: string;
  readonly evidence: Evidence;
}

/** Why a context might or might not use a tool at a moment of the past. For operators only. */
export interface PastExplanation {
  readonly tool: string;
  /** Epoch milliseconds. */
  readonly at: number;
  /** `unknown` if no known layer refused it, and not all are known. */
  readonly outcome: Decision['outcome'] | 'unknown';
  /** The id of the record, if the decision of this moment is recorded. */
  readonly record?: string;
  /** In the order in which they were asked. Limits are `unknown` unless recorded: what they held is not kept. */
  readonly layers: readonly PastLayer[];
}

/** The explanation of a recorded decision: exactly the one of its moment. */
export function recordedExplanation(call: CallRecord): PastExplanation {
  const { tool, at, id, decision: outcome, layer, rule, reason } = call;
  const decided = new Set<string>(LAYERS);
  const { layers } = explanationOf(tool, { outcome, layer, rule, reason }, undefined);
  return {
    tool,
    at,
    outcome,
    record: id,
    layers: layers
      .filter((each): each is LayerVerdict & { layer: Layer } => decided.has(each.layer))
      .map((each) => ({ ...each, evidence: 'recorded' })),
  };
}

/** Answer of one layer: a refusal or the need of an approval, `pass`, or why it cannot be known. */
export type LayerAnswer =
  | { readonly verdict: 'pass' }
  | { readonly verdict: 'deny' | 'approve'; readonly rule: string; readonly reason: string }
  | { readonly verdict: 'unknown'; readonly reason: string };

/** @param answers one for each layer; layers after a refusal are not reached */
export function recomputedExplanation(
  tool: string,
  at: number,
  answers: Readonly<Record<Layer, LayerAnswer>>,
): PastExplanation {
  let outcome: PastExplanation['outcome'] = 'allow';
  const layers = LAYERS.map((layer): PastLayer => {
    if (outcome === 'deny') return { layer, verdict: 'not_reached', rule: '', reason: '', evidence: 'recomputed' };
    const answer = answers[layer];
    if (answer.verdict === 'unknown') {
      // The limits alone do not make a decision unknown: they are asked after it.
      if (layer !== 'limit') outcome = 'unknown';
      return { layer, verdict: 'unknown', rule: '', reason: answer.reason, evidence: 'not_recorded' };
    }
    if (answer.verdict === 'pass') {
      return { layer, verdict: 'pass', rule: 'default', reason: 'nothing refused it', evidence: 'recomputed' };
    }
    if (answer.verdict === 'deny') outcome = 'deny';
    else if (outcome === 'allow') outcome = 'approve';
    return { layer, ...answer, evidence: 'recomputed' };
  });
  return { tool, at, outcome, layers };
}
