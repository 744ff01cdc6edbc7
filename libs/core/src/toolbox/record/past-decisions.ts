import { type Decision, type Layer, LAYERS, type LayerVerdict } from '../../tool/decision.js';
import { type ToolContext, toolContext } from '../../tool/tool-context.js';
import { ToolSearchError } from '../../tool/tool-search.error.js';
import { explanationOf } from '../explanation.js';
import type { CallRecord } from './call-record.js';
import type { ToolCallRecords } from './tool-call-records.js';

/** The verdict of one layer of the gate on a recorded call. */
export interface PastLayer extends LayerVerdict {
  readonly layer: Layer;
}

/** How a recorded call was decided. For operators only. */
export interface PastExplanation {
  readonly tool: string;
  /** Epoch milliseconds. */
  readonly at: number;
  readonly outcome: Decision['outcome'];
  /** The id of the record. */
  readonly record: string;
  /** Whether a profile or a narrowing of the toolbox took part in the decision. */
  readonly narrowed: boolean;
  /** In the order in which they were asked. */
  readonly layers: readonly PastLayer[];
}

const GATE: ReadonlySet<string> = new Set(LAYERS);

/** Explains decisions of the past from the record of calls, and from nothing else. */
export class PastDecisions {
  constructor(
    private readonly records: Pick<ToolCallRecords, 'list' | 'isOn'>,
    private readonly now: () => number = Date.now,
  ) {}

  /**
   * Explains the decision about the call of exactly this context (tenant, user, agent, session, run) that began in this
   * millisecond.
   *
   * @param name canonical name
   * @throws ToolSearchError `NOT_FOUND` if no such call is recorded, `INVALID_REQUEST` for a time that is not in the
   *   past, `INVALID_CONTEXT`, `STORE_UNAVAILABLE`
   */
  async explain(name: string, context: ToolContext, { at }: { readonly at: number }): Promise<PastExplanation> {
    if (!Number.isSafeInteger(at) || at < 0 || at > this.now()) {
      throw new ToolSearchError('INVALID_REQUEST', 'at must be a moment of the past, in epoch milliseconds.', {
        hint: 'Take it from a record of GET calls, or explain without at for now.',
      });
    }
    const call = await this.#call(name, toolContext(context), at);
    if (call) return explanationOfCall(call);
    throw new ToolSearchError('NOT_FOUND', 'No call of this tool and context that began at this moment is recorded.', {
      hint: this.records.isOn
        ? 'Take tool, context and at from a record of GET calls, while it is kept. Explain without at for now.'
        : 'The application records no calls: set its option record. Explain without at for now.',
    });
  }

  async #call(tool: string, context: ToolContext, at: number): Promise<CallRecord | undefined> {
    const { tenantId, userId = '', sessionId = '', runId = '', agentId } = context;
    const filter = { kind: 'call', tool, tenantId, userId, sessionId, runId, since: at, until: at + 1 } as const;
    const found = await this.records.list(filter, { limit: 200 });
    const calls = found.filter(({ agentIds }) => agentIds[0] === agentId);
    return calls.find(({ narrowed }) => !narrowed) ?? calls[0];
  }
}

function explanationOfCall(call: CallRecord): PastExplanation {
  const { tool, at, id: record, decision: outcome, layer, rule, reason, narrowed } = call;
  const { layers } = explanationOf(tool, { outcome, layer, rule, reason }, undefined);
  // Without the layers after the gate: the record does not hold whether the tool was listed.
  return { tool, at, outcome, record, narrowed, layers: layers.filter(isOfGate) };
}

function isOfGate(verdict: LayerVerdict): verdict is PastLayer {
  return GATE.has(verdict.layer);
}
