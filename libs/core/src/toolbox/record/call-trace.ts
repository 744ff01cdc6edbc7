import type { Caller } from '../../access/tool-gate.js';
import type { Decision } from '../../tool/decision.js';
import type { ToolDefinition } from '../../tool/tool-definition.js';
import { failureOf, type ToolResult } from '../../tool/tool-result.js';
import type { CallRecord } from './call-record.js';

/** Facts about a call that the recorder receives when it is decided. */
export interface DecidedCall {
  readonly tool: ToolDefinition | undefined;
  readonly decision: Decision;
  /** The name to record if no tool has it. */
  readonly asked: string;
  readonly catalogRevision: number;
}

/** Facts about a call that the runner knows. */
export interface RunFacts {
  readonly callId: string;
  /** The checked arguments; absent if they were refused. */
  readonly given?: { readonly value: unknown; readonly bytes: number };
  readonly cached: boolean;
}

/** The parts of a record that are known before the call. */
export type CallStart = Pick<
  CallRecord,
  'kind' | 'tenantId' | 'userId' | 'sessionId' | 'runId' | 'agentIds' | 'step' | 'narrowed'
>;

export function startOf(kind: CallRecord['kind'], { context, agentIds, lineage }: Caller, step: number): CallStart {
  const { tenantId, userId = '', sessionId = '', runId = '' } = context;
  return { kind, tenantId, userId, sessionId, runId, agentIds, step, narrowed: lineage.length > 0 };
}

/** Collects what is known about one call while it runs. */
export class CallTrace {
  readonly #started = performance.now();
  #decided: DecidedCall | undefined;
  #revision = 0;
  #waiting: RunFacts['given'];
  #facts: RunFacts | undefined;

  constructor(
    /** The id of the record, made at the start, so that ids have the order in which calls began. */
    readonly id: string,
    readonly at: number,
    readonly start: CallStart,
    private readonly controlRevision: () => number,
    private readonly onEnd: (trace: CallTrace, result: ToolResult) => void,
  ) {}

  /** The last decision counts: a tool may be turned off after it was admitted. */
  decided(decided: DecidedCall): void {
    this.#decided = decided;
    this.#revision = this.controlRevision();
  }

  /** A later decision about the tool that was decided about: a refusal, or an approval that its arguments need. */
  redecided(decision: Decision): void {
    if (this.#decided) this.decided({ ...this.#decided, decision });
  }

  /** The arguments of a call that waits for an approval: a second person may want to read them. */
  waits(given: NonNullable<RunFacts['given']>): void {
    this.#waiting = given;
  }

  /** The call has ended, however it did. */
  ran(facts: RunFacts): void {
    this.#facts = facts;
  }

  /** Whether the tool was called: the gate let it through, and its time began. */
  get hasRun(): boolean {
    return this.#facts !== undefined;
  }

  /** The checked arguments, or those that wait for an approval. */
  get given(): RunFacts['given'] {
    return this.#facts?.given ?? this.#waiting;
  }

  ended(result: ToolResult): ToolResult {
    this.onEnd(this, result);
    return result;
  }

  failed(error: unknown): void {
    this.onEnd(this, failureOf(error));
  }

  get tool(): ToolDefinition | undefined {
    return this.#decided?.tool;
  }

  /** Everything but the policy's hash and the content. */
  recordOf(result: ToolResult): Omit<CallRecord, 'policyHash'> {
    const { tool, decision, asked = '', catalogRevision = 0 } = this.#decided ?? {};
    const isLimited = !result.ok && result.code === 'LIMIT_REACHED';
    const { outcome, layer, rule, reason } = isLimited
      ? ({ outcome: 'deny', layer: 'limit', rule: result.limit ?? '', reason: 'it is reached' } as const)
      : (decision ?? UNDECIDED);
    return {
      id: this.id,
      at: this.at,
      ...this.start,
      callId: this.#facts?.callId ?? '',
      tool: tool?.name ?? asked,
      definitionHash: tool?.hash ?? '',
      decision: outcome,
      layer,
      rule,
      reason,
      outcome: result.ok ? 'ok' : result.code,
      controlRevision: this.#revision,
      catalogRevision,
      ms: Math.round((performance.now() - this.#started) * 1000) / 1000,
      argumentBytes: this.given?.bytes ?? 0,
      resultBytes: bytesOf(result),
      cached: this.#facts?.cached ?? false,
      tools: [],
      toolCount: 0,
    };
  }
}

// A call that failed before the gate decided, for example because the operators' decisions cannot be read.
const UNDECIDED: Decision = {
  outcome: 'deny',
  layer: 'source',
  rule: 'undecided',
  reason: 'it failed before a decision',
};

function bytesOf({ content = [] }: ToolResult): number {
  let bytes = 0;
  for (const block of content) {
    if (block.type === 'text') bytes += Buffer.byteLength(block.text);
    else if ('data' in block && typeof block.data === 'string') bytes += block.data.length;
  }
  return bytes;
}
