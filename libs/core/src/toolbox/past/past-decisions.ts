import type { AuditTrail } from '../../access/control/audit-trail.js';
import type { ControlSnapshot } from '../../access/control/control-snapshot.js';
import type { ToolPolicies } from '../../access/policies/tool-policies.js';
import { callerOf, type Caller } from '../../access/tool-gate.js';
import type { CatalogReader } from '../../catalog/catalog-reader.js';
import { servedId } from '../../access/canaries/canary-set.js';
import { type CatalogSnapshot, isOwnedBy } from '../../tool/snapshot/catalog-snapshot.js';
import { type ToolContext, toolContext } from '../../tool/tool-context.js';
import type { ToolDefinition } from '../../tool/tool-definition.js';
import { ToolSearchError } from '../../tool/tool-search.error.js';
import type { ToolCallRecords } from '../record/tool-call-records.js';
import type { CatalogHistory } from './catalog-history.js';
import { controlAt } from './control-history.js';
import {
  type LayerAnswer,
  type PastExplanation,
  recomputedExplanation,
  recordedExplanation,
} from './past-explanation.js';

export interface PastParts {
  readonly records: Pick<ToolCallRecords, 'list'>;
  readonly trail: Pick<AuditTrail, 'entries'>;
  readonly policies: ToolPolicies;
  readonly history: CatalogHistory;
  readonly reader: CatalogReader;
  /** Whether the application has visibility policies. */
  readonly hasVisibility: () => boolean;
  /** Whether tenants may have sources of their own, whose tools are in no kept snapshot. */
  readonly hasTenantSources: boolean;
  readonly now: () => number;
}

const PASS: LayerAnswer = { verdict: 'pass' };

/** Explains decisions of the past. What is neither recorded nor can be computed again is marked, never guessed. */
export class PastDecisions {
  constructor(private readonly parts: PastParts) {}

  /**
   * Explains why a context might or might not use a tool at a moment. If the record has a call of exactly this context
   * (tenant, user, agent, session, run) that began in this millisecond, the explanation is that of its decision.
   *
   * @param name canonical name
   * @throws ToolSearchError `INVALID_REQUEST` for a time that is not in the past, `INVALID_CONTEXT`, `STORE_UNAVAILABLE`
   */
  async explain(name: string, context: ToolContext, { at }: { readonly at: number }): Promise<PastExplanation> {
    if (!Number.isSafeInteger(at) || at < 0 || at > this.parts.now()) {
      throw new ToolSearchError('INVALID_REQUEST', 'at must be a moment of the past, in epoch milliseconds.', {
        hint: 'Take it from a record of GET calls, or explain without at for now.',
      });
    }
    const checked = toolContext(context);
    return (await this.#recorded(name, checked, at)) ?? this.#recomputed(name, callerOf(checked), at);
  }

  async #recorded(tool: string, context: ToolContext, at: number): Promise<PastExplanation | undefined> {
    const { tenantId, userId = '', sessionId = '', runId = '', agentId } = context;
    const filter = { kind: 'call', tool, tenantId, userId, sessionId, runId, since: at, until: at + 1 } as const;
    const found = await this.parts.records.list(filter, { limit: 200 });
    const call = found.find(({ agentIds, narrowed }) => agentIds[0] === agentId && !narrowed);
    return call && recordedExplanation(call);
  }

  async #recomputed(name: string, caller: Caller, at: number): Promise<PastExplanation> {
    const control = await controlAt(this.parts.trail, at);
    const definition = await this.#definitionAt(name, caller.context.tenantId, at, control);
    const samePolicies = await this.#hadSamePolicies(caller.context.tenantId, at);
    const unknownTool = unknown('the definition of that moment is not kept');
    const tool = definition.tool;
    const decided = (answer: (control: ControlSnapshot, tool: ToolDefinition) => LayerAnswer): LayerAnswer => {
      if (!tool) return unknownTool;
      return control ? answer(control, tool) : unknown('the audit trail is too long to be replayed');
    };
    const { tenantId } = caller.context;
    return recomputedExplanation(tool?.name ?? name, at, {
      source: definition.source,
      quarantine: decided((of, it) => answerOf('deny', of.quarantine.refusal(it))),
      policy: decided((of, it) => this.#policy(of, it, caller, samePolicies)),
      visibility: this.#visibility(at),
      kill_switch: decided((of, it) => {
        const off = of.switches.meeting(it, tenantId, at);
        return off ? { verdict: 'deny', rule: off.id, reason: off.reason } : PASS;
      }),
      lifecycle: decided((of, it) => {
        if (!of.deprecations.isRetired(it, at)) return PASS;
        return { verdict: 'deny', rule: 'sunset', reason: `it stopped on ${of.deprecations.of(it)?.sunset}` };
      }),
      approval: decided((of, it) => this.#approval(of, it, caller, samePolicies)),
      limit: unknown('what limits held is not kept'),
    });
  }

  #policy(control: ControlSnapshot, tool: ToolDefinition, caller: Caller, samePolicies: boolean): LayerAnswer {
    const { tenantId } = caller.context;
    if (samePolicies) {
      const own = this.parts.policies.refusal(tool, tenantId);
      return answerOf('deny', own ?? control.policies.refusal(tool, tenantId, caller.agentIds));
    }
    // Policies only narrow, so a refusal by one that is known holds, whatever the others said.
    const stored = control.policies.refusal(tool, tenantId, caller.agentIds);
    return stored ? answerOf('deny', stored) : unknown("the application's policy of that moment is not kept");
  }

  #approval(control: ControlSnapshot, tool: ToolDefinition, caller: Caller, samePolicies: boolean): LayerAnswer {
    const { tenantId } = caller.context;
    const stored = control.policies.approval(tool, tenantId, caller.agentIds);
    const rule = (samePolicies ? this.parts.policies.approval(tool, tenantId) : undefined) ?? stored;
    if (rule !== undefined) return { verdict: 'approve', rule, reason: 'a second person must approve it' };
    return samePolicies ? PASS : unknown("the application's policy of that moment is not kept");
  }

  #visibility(at: number): LayerAnswer {
    // Code does not change while a process runs.
    if (this.parts.history.at(at) && !this.parts.hasVisibility()) return PASS;
    return unknown("an application's visibility rule is code and cannot be replayed");
  }

  async #definitionAt(
    name: string,
    tenantId: string,
    at: number,
    control: ControlSnapshot | undefined,
  ): Promise<{ tool?: ToolDefinition; source: LayerAnswer }> {
    const { history, reader, records } = this.parts;
    const current = reader.current(tenantId).definitionsOf(name, tenantId);
    const snapshot = history.at(at);
    const then = snapshot && servedThen(snapshot, name, tenantId, control);
    if (then) return { tool: then, source: sourceOf(then, tenantId) };
    if (snapshot && current.length === 0 && !this.parts.hasTenantSources) {
      return { source: { verdict: 'deny', rule: 'unknown', reason: 'no such tool' } };
    }
    const [last] = await records.list({ kind: 'call', tool: name, tenantId, until: at + 1 }, { limit: 1 });
    // It was this definition before, and it is now.
    const same = current.find(({ hash }) => hash === last?.definitionHash);
    if (same) return { tool: same, source: sourceOf(same, tenantId) };
    return { source: unknown('the definition of that moment is not kept') };
  }

  async #hadSamePolicies(tenantId: string, at: number): Promise<boolean> {
    const { history, policies, records } = this.parts;
    if (history.hasSamePolicies(at)) return true;
    const [last] = await records.list({ tenantId, until: at + 1 }, { limit: 1 });
    return last?.policyHash === policies.digestOf(tenantId);
  }
}

function servedThen(
  snapshot: CatalogSnapshot,
  name: string,
  tenantId: string,
  control: ControlSnapshot | undefined,
): ToolDefinition | undefined {
  const id = snapshot.idOf(name, tenantId);
  // Which definition the tenant was served is not known without the decisions of that moment.
  if (id === undefined || (!control && snapshot.canaryOf(id) !== undefined)) return undefined;
  return snapshot.at(control ? servedId(snapshot, id, tenantId, () => control) : id);
}

function sourceOf(tool: ToolDefinition, tenantId: string): LayerAnswer {
  if (isOwnedBy(tool, tenantId)) return PASS;
  return { verdict: 'deny', rule: 'owner', reason: 'the tool belongs to another tenant' };
}

function answerOf(
  verdict: 'deny',
  refusal: { readonly rule: string; readonly reason: string } | undefined,
): LayerAnswer {
  return refusal ? { verdict, rule: refusal.rule, reason: refusal.reason } : PASS;
}

function unknown(reason: string): LayerAnswer {
  return { verdict: 'unknown', reason };
}
