import type { Asker } from '../../access/tool-gate.js';
import type { Decision } from '../../tool/decision.js';
import { principalOf } from '../../tool/principal.js';
import type { ToolContext } from '../../tool/tool-context.js';
import type { ToolDefinition } from '../../tool/tool-definition.js';
import { isLegalName } from '../../tool/tool-name.js';
import type { ToolSearchError } from '../../tool/tool-search.error.js';
import type { ToolExecutor } from '../../tool/tool-source.js';
import { type Explanation, explanationOf } from '../explanation.js';
import type { RunTools } from '../runs/run-tools.js';
import { sourceDetail } from '../tenants/source-detail.js';
import type { ToolboxServices } from '../toolbox-services.js';

/** A tool that waits for an approval, with the error for its caller. */
export interface WaitingTool {
  readonly name: string;
  readonly error: ToolSearchError;
}

/** A tool that may be called now, with its executor. */
export interface AdmittedTool {
  readonly tool: ToolDefinition;
  readonly executor: ToolExecutor;
  /** Checks on the newest state whether the tool may still run. @throws ToolSearchError `GATE_CLOSED` */
  readonly mayRun: () => boolean;
}

const WITHDRAWN: Decision = {
  outcome: 'deny',
  layer: 'source',
  rule: 'withdrawn',
  reason: 'the source has withdrawn or changed it meanwhile',
};

/** Authorizes calls of single tools through the gate and emits `tool.denied` for refusals. */
export class Admission {
  constructor(
    private readonly services: ToolboxServices,
    private readonly run: RunTools,
    /** The context before narrowing: sub-agents act for its session. */
    private readonly rootOf: () => Promise<ToolContext>,
  ) {}

  /**
   * The tool and its executor if it may be called now; otherwise undefined.
   *
   * @throws ToolSearchError `APPROVAL_…` or `SESSION_REQUIRED` when an approval is missing, `GATE_CLOSED`,
   *   `STORE_UNAVAILABLE`
   */
  async admitted(name: unknown, asker: Asker): Promise<AdmittedTool | undefined> {
    const { tool, executor, decision } = await this.#decided(name, asker);
    if (!tool || !executor || decision.outcome === 'deny') {
      // A text that is not a legal name may contain anything, including secrets and line breaks: keep it out of events.
      const asked = typeof name === 'string' && isLegalName(name) ? name : '(not a tool name)';
      this.#denied(asker, tool?.name ?? asked, decision);
      return undefined;
    }
    const missing = decision.outcome === 'approve' && (await this.#missingApproval(tool, decision, asker));
    if (missing) throw missing;
    return { tool, executor, mayRun: () => this.#mayRun(tool, asker, decision) };
  }

  /** Whether the tool needs an approval, granted or not. @throws ToolSearchError `GATE_CLOSED` */
  needsApproval(tool: ToolDefinition, asker: Asker): boolean {
    return this.services.gate.approvalOf(tool, asker) !== undefined;
  }

  /** Splits visible tools into approved and waiting ones; creates the missing approval requests. */
  async approved(tools: readonly ToolDefinition[], asker: Asker) {
    const approved: ToolDefinition[] = [];
    const waiting: WaitingTool[] = [];
    for (const tool of tools) {
      const decision = this.services.gate.approvalOf(tool, asker);
      const error = decision && (await this.#missingApproval(tool, decision, asker));
      if (error) waiting.push({ name: tool.name, error });
      else approved.push(tool);
    }
    return { approved, waiting };
  }

  /**
   * Explains the decision about a name, layer by layer.
   *
   * @param listsAll whether all visible tools are listed
   */
  async explain(name: string, asker: Asker, listsAll: boolean): Promise<Explanation> {
    const { reader } = this.services;
    const { tool, decision } = await this.#decided(name, asker);
    const isListed = tool?.loading === 'always' || listsAll;
    const states = tool && decision.outcome !== 'deny' ? await this.run.statesOf(tool, asker, isListed) : undefined;
    const detail = sourceDetail(decision, name, reader, asker.context.tenantId);
    const explanation = explanationOf(tool?.name ?? name, detail, states);
    this.services.events.emit({ type: 'tool.explained', ...principalOf(asker.context), ...explanation });
    return explanation;
  }

  // Checks what may have changed since the decision: the catalog, the operators' rules, and the need for an approval.
  #mayRun(tool: ToolDefinition, asker: Asker, decided: Decision): boolean {
    const { reader, gate } = this.services;
    const snapshot = reader.current(asker.context.tenantId);
    const id = snapshot.idOf(tool.name, asker.context.tenantId);
    const isThere = id !== undefined && snapshot.at(id).hash === tool.hash;
    const refusal =
      gate.refusalNow(tool, asker) ??
      (isThere ? undefined : WITHDRAWN) ??
      (decided.outcome === 'approve' ? undefined : gate.approvalOf(tool, asker));
    if (refusal) this.#denied(asker, tool.name, refusal);
    return !refusal;
  }

  // Uses the newest snapshot, not the listed one: a tool that was withdrawn a moment ago must not run.
  async #decided(name: unknown, asker: Asker) {
    const snapshot = this.services.reader.current(asker.context.tenantId);
    const id = typeof name === 'string' ? snapshot.idOf(name, asker.context.tenantId) : undefined;
    const tool = id === undefined ? undefined : snapshot.at(id);
    const executor = id === undefined ? undefined : snapshot.executorOf(id);
    return { tool, executor, decision: await this.services.gate.decide(tool, asker) };
  }

  async #missingApproval(tool: ToolDefinition, decision: Decision, asker: Asker): Promise<ToolSearchError | undefined> {
    const scope = this.run.approvalScope(await this.rootOf());
    const missing = await this.services.approvals.missing(tool, decision.rule, asker.context, scope);
    if (missing) this.#denied(asker, tool.name, decision);
    return missing;
  }

  #denied({ context }: Asker, tool: string, { layer, rule, reason }: Decision): void {
    this.services.events.emit({ type: 'tool.denied', ...principalOf(context), tool, layer, rule, reason });
  }
}
