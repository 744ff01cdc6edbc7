import type { CallLimits } from '../../access/limits/call-limits.js';
import { canaryNote, servedId } from '../../access/canaries/canary-set.js';
import { errorOf } from '../../access/limits/limit-failure.js';
import type { ToolApprovals } from '../../access/approvals/tool-approvals.js';
import type { Caller, ToolGate } from '../../access/tool-gate.js';
import type { CatalogReader } from '../../catalog/catalog-reader.js';
import type { Decision } from '../../tool/decision.js';
import { eventIds } from '../../tool/tool-context.js';
import type { ToolDefinition } from '../../tool/tool-definition.js';
import type { ToolEvents } from '../../tool/tool-event.js';
import { isLegalName } from '../../tool/tool-name.js';
import { type Deprecation, deprecationNote } from '../../tool/deprecation.js';
import { ToolSearchError } from '../../tool/tool-search.error.js';
import type { ToolExecutor } from '../../tool/tool-source.js';
import { unavailableError } from './call-errors.js';
import { describeSource, type Explanation, explanationOf, sourceHealth } from '../explanation.js';
import type { CallTrace } from '../record/call-trace.js';
import type { RunTools } from '../runs/run-tools.js';
import type { ToolboxCaller } from '../toolbox-caller.js';

export interface AdmissionParts {
  readonly gate: ToolGate;
  /** The catalog that toolboxes read: the shared one, or one made for a single request. */
  readonly reader: CatalogReader;
  readonly approvals: ToolApprovals;
  readonly limits: CallLimits;
  readonly events: ToolEvents;
}

export interface WaitingTool {
  readonly name: string;
  readonly error: ToolSearchError;
}

/** A tool whose work an application does itself, and that counts as a call of it until `end()`. */
export interface HeldTool {
  readonly tool: ToolDefinition;
  /** Frees what counts only while the work is done. Never rejects; further calls have no effect. */
  readonly end: () => Promise<void>;
}

export interface AdmittedTool {
  readonly tool: ToolDefinition;
  readonly executor: ToolExecutor;
  /** Checks on the newest state whether the tool may still run. @throws ToolSearchError `GATE_CLOSED` */
  readonly mayRun: () => boolean;
}

const asIs = (name: string): string => name;

const WITHDRAWN: Decision = {
  outcome: 'deny',
  layer: 'source',
  rule: 'withdrawn',
  reason: 'the source has withdrawn or changed it meanwhile',
};

/** Authorizes calls of single tools through the gate and emits `tool.denied` for refusals. */
export class Admission {
  constructor(
    private readonly parts: AdmissionParts,
    private readonly run: RunTools,
    private readonly caller: ToolboxCaller,
  ) {}

  /**
   * The tool and its executor if it may be called now; otherwise undefined.
   *
   * @param trace takes the decision, and a later refusal
   * @param shown the caller's name for a tool
   * @throws ToolSearchError `TOOL_RETIRED` after the sunset of a deprecated tool, `APPROVAL_…` or `SESSION_REQUIRED` when an approval is missing, `GATE_CLOSED`,
   *   `STORE_UNAVAILABLE`
   */
  async admitted(name: unknown, caller: Caller, trace?: CallTrace, shown = asIs): Promise<AdmittedTool | undefined> {
    const { tool, executor, decision, catalogRevision } = await this.#decided(name, caller);
    // A text that is not a legal name may contain anything, including secrets and line breaks: keep it out of events.
    const asked = typeof name === 'string' && isLegalName(name) ? name : '(not a tool name)';
    trace?.decided({ tool, decision, asked, catalogRevision });
    if (!tool || !executor || decision.outcome === 'deny') {
      this.#denied(caller, tool?.name ?? asked, decision);
      // The layers before have shown the tool to the caller.
      if (tool && decision.layer === 'lifecycle') throw await this.#retired(tool, caller, shown);
      return undefined;
    }
    const missing = decision.outcome === 'approve' && (await this.#missingApproval(tool, decision, caller));
    if (missing) throw missing;
    return { tool, executor, mayRun: () => this.#mayRun(tool, caller, decision, trace) };
  }

  /**
   * Whether a result of this tool may be read on now. An approval is not asked for again: it was needed to call the tool.
   *
   * @throws ToolSearchError `GATE_CLOSED`
   */
  async mayRead(name: string, caller: Caller): Promise<boolean> {
    const { tool, decision } = await this.#decided(name, caller);
    if (tool && decision.outcome !== 'deny') return true;
    this.#denied(caller, name, decision);
    return false;
  }

  /**
   * Admits a tool and takes its limits.
   *
   * @throws ToolSearchError as {@link admitted}, and `LIMIT_REACHED`; `TOOL_NOT_AVAILABLE` for a tool that is not admitted
   */
  async held(name: string, caller: Caller, trace?: CallTrace): Promise<HeldTool> {
    const admitted = await this.admitted(name, caller, trace);
    if (!admitted) throw unavailableError();
    const { tool, executor, mayRun } = admitted;
    const { context, agentIds } = caller;
    const limits = this.parts.limits.of({ tool, context, agentIds }, executor.timeoutMs);
    const refused = await limits?.take();
    if (refused) throw errorOf(refused);
    // There is no later check before the work begins, and the decision took time.
    if (mayRun()) limits?.begin();
    else {
      await limits?.end(undefined);
      throw unavailableError();
    }
    return { tool, end: async () => limits?.end(undefined) };
  }

  /** Whether the tool needs an approval, granted or not. @throws ToolSearchError `GATE_CLOSED` */
  needsApproval(tool: ToolDefinition, caller: Caller): boolean {
    return this.parts.gate.approvalOf(tool, caller) !== undefined;
  }

  /** Splits visible tools into approved and waiting ones; creates the missing approval requests. */
  async approved(tools: readonly ToolDefinition[], caller: Caller) {
    const approved: ToolDefinition[] = [];
    const waiting: WaitingTool[] = [];
    for (const tool of tools) {
      const decision = this.parts.gate.approvalOf(tool, caller);
      const error = decision && (await this.#missingApproval(tool, decision, caller));
      if (error) waiting.push({ name: tool.name, error });
      else approved.push(tool);
    }
    return { approved, waiting };
  }

  /** Explains the decision about a name, layer by layer. @param listsAll whether all visible tools are listed */
  async explain(name: string, caller: Caller, listsAll: boolean): Promise<Explanation> {
    const { reader } = this.parts;
    const { tool, decision: decided } = await this.#decided(name, caller);
    const { tenantId } = caller.context;
    const limits = tool && decided.outcome === 'allow' ? await this.#limits(tool, caller) : undefined;
    const decision = limits?.refusal ?? decided;
    const isListed = tool?.loading === 'always' || listsAll;
    const states =
      tool && decision.outcome !== 'deny'
        ? { source: sourceHealth(tool, reader), ...(await this.run.statesOf(tool, caller, isListed)) }
        : undefined;
    const told = tool ? await this.parts.gate.explained(decision, tool, caller) : decision;
    const detail = describeSource(told, name, reader, tenantId);
    const deprecation = tool && this.parts.gate.lifecycle().deprecations.of(tool);
    const lifecycle = tool && deprecation && deprecationNote(tool.name, deprecation, deprecation.successor);
    const canary = tool && canaryNote(reader.current(tenantId), tool, tenantId, this.parts.gate.canaryRules);
    const said = [lifecycle, canary].filter((each) => each !== undefined).join(' ') || undefined;
    const explanation = explanationOf(tool?.name ?? name, detail, states, limits?.reason, said);
    this.parts.events.emit({ type: 'tool.explained', ...eventIds(caller.context), ...explanation });
    return explanation;
  }

  // What the limits of a call hold now. Counts nothing.
  async #limits(tool: ToolDefinition, { context, agentIds }: Caller) {
    const found = await this.parts.limits.peek({ tool, context, agentIds }).catch(() => undefined);
    if (!found) return { reason: 'its limits cannot be read at the moment' };
    if (found.length === 0) return { reason: 'no limit concerns it' };
    const reason = found.map(({ limit, usage: { used, max } }) => `${limit.id}: ${used} of ${max}`).join(', ');
    const reached = found.find(({ isReached }) => isReached);
    if (!reached) return { reason };
    const refusal: Decision = {
      outcome: 'deny',
      layer: 'limit',
      rule: reached.limit.id,
      reason: `it is reached (${reason})`,
    };
    return { reason, refusal };
  }

  // Checks what may have changed since the decision: the catalog, the operators' rules, and the need for an approval.
  #mayRun(tool: ToolDefinition, caller: Caller, decided: Decision, trace?: CallTrace): boolean {
    const { reader, gate } = this.parts;
    const snapshot = reader.current(caller.context.tenantId);
    const id = snapshot.idOf(tool.name, caller.context.tenantId);
    // Not the definition that the tenant is served by now: a call ends under the one that it was admitted under.
    const same = id !== undefined && tool.canary ? snapshot.canaryOf(id) : id;
    const isThere = same !== undefined && snapshot.at(same).hash === tool.hash;
    const refusal =
      gate.refusalNow(tool, caller) ??
      (isThere ? undefined : WITHDRAWN) ??
      (decided.outcome === 'approve' ? undefined : gate.approvalOf(tool, caller));
    if (refusal) {
      this.#denied(caller, tool.name, refusal);
      trace?.refused(refusal);
    }
    return !refusal;
  }

  // Uses the newest snapshot, not the listed one: a tool that was withdrawn a moment ago must not run.
  async #decided(name: unknown, caller: Caller) {
    const snapshot = this.parts.reader.current(caller.context.tenantId);
    const { tenantId } = caller.context;
    const found = typeof name === 'string' ? snapshot.idOf(name, tenantId) : undefined;
    const id = found === undefined ? undefined : servedId(snapshot, found, tenantId, this.parts.gate.canaryRules);
    const tool = id === undefined ? undefined : snapshot.at(id);
    const executor = id === undefined ? undefined : snapshot.executorOf(id);
    const decision = await this.parts.gate.decide(tool, caller);
    return { tool, executor, decision, catalogRevision: snapshot.revision };
  }

  async #missingApproval(
    tool: ToolDefinition,
    decision: Decision,
    caller: Caller,
  ): Promise<ToolSearchError | undefined> {
    // Sub-agents act for the session of the context before narrowing.
    const scope = this.run.approvalScope(await this.caller.root());
    const missing = await this.parts.approvals.missing(tool, decision.rule, caller.context, scope);
    if (missing) this.#denied(caller, tool.name, decision);
    return missing;
  }

  /**
   * A sentence about a tool that is deprecated; undefined for others. It names the successor only if the caller sees it.
   *
   * @param shown the caller's name for a tool
   * @throws ToolSearchError `GATE_CLOSED`
   */
  async deprecationNote(tool: ToolDefinition, caller: Caller, shown = asIs): Promise<string | undefined> {
    const deprecation = this.parts.gate.lifecycle().deprecations.of(tool);
    if (!deprecation) return undefined;
    return deprecationNote(shown(tool.name), deprecation, await this.#successor(deprecation, caller, shown));
  }

  async #retired(tool: ToolDefinition, caller: Caller, shown: (name: string) => string): Promise<ToolSearchError> {
    const deprecation = this.parts.gate.lifecycle().deprecations.of(tool) ?? {};
    const successor = await this.#successor(deprecation, caller, shown);
    return new ToolSearchError('TOOL_RETIRED', `This tool stopped on ${deprecation.sunset}.`, {
      hint: successor === undefined ? 'Use tool_search to find another tool.' : `Use ${successor} instead.`,
    });
  }

  async #successor({ successor }: Deprecation, caller: Caller, shown: (name: string) => string) {
    if (successor === undefined) return undefined;
    const [found] = (await this.caller.find(caller, [successor], 'search')).found;
    return found && shown(found.name);
  }

  #denied({ context }: Caller, tool: string, { layer, rule, reason }: Decision): void {
    this.parts.events.emit({ type: 'tool.denied', ...eventIds(context), tool, layer, rule, reason });
  }
}
