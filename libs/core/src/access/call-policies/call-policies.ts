import { DeadlineError, withDeadline } from '../../async/deadline.js';
import { TenantFairLru } from '../../collections/tenant-fair-lru.js';
import { isObject } from '../../json/json.js';
import { safeText } from '../../json/safe-text.js';
import { stableHash, stableJson } from '../../json/stable-hash.js';
import type { Decision } from '../../tool/decision.js';
import type { ToolContext } from '../../tool/tool-context.js';
import type { ToolDefinition } from '../../tool/tool-definition.js';
import type { NamedCallPolicy, PolicyCall } from './tool-call-policy.js';

/** Called with the policy that failed and its error. The caller only reads that nobody could decide. */
export type CallPolicyFaultReport = (policy: string, error: unknown) => void;

export interface CallPolicyParts {
  readonly policies: () => readonly NamedCallPolicy[];
  /** Milliseconds for each policy. */
  readonly deadlineMs: number;
  /** @default faults are not reported */
  readonly report?: CallPolicyFaultReport | undefined;
  /** Milliseconds of any clock, for remembered answers. @default a monotonic one */
  readonly now?: (() => number) | undefined;
}

/** A call, and every context that its policies must allow: the caller's, and those of the agents above. */
export interface CallQuestion extends Omit<PolicyCall, 'context' | 'signal'> {
  readonly contexts: readonly ToolContext[];
}

/** A refusal by a call policy. */
export interface CallPolicyRefusal extends Decision {
  /** Whether the policy failed, so that nobody has decided. */
  readonly isFault: boolean;
  /** The cause of a fault that was not reported yet. */
  readonly cause?: Error;
}

/** What all policies together say: the first refusal, or else who asks for an approval of the call. */
export interface PolicyVerdict {
  readonly refusal?: CallPolicyRefusal;
  readonly asking: readonly Decision[];
}

type PolicyDecision = 'allowed' | CallPolicyRefusal | (Decision & { readonly outcome: 'approve' });

interface Remembered {
  readonly decision: PolicyDecision;
  readonly until: number;
}

/** Remembered answers of one policy, shared between tenants. */
const MAX_REMEMBERED = 1000;
const MAX_WORDS = 500;
export const NOBODY_ASKS: readonly Decision[] = [];

/** Asks the application's call policies, each within its time, and remembers what may be remembered. */
export class CallPolicies {
  readonly #remembered = new WeakMap<NamedCallPolicy, TenantFairLru<Remembered>>();
  readonly #now: () => number;

  constructor(private readonly parts: CallPolicyParts) {
    this.#now = parts.now ?? (() => performance.now());
  }

  /** The policies that decide about calls of a tool. */
  on(tool: Pick<ToolDefinition, 'name' | 'aliases'>): readonly NamedCallPolicy[] {
    const policies = this.parts.policies();
    return policies.length === 0 ? policies : policies.filter(({ isFor }) => isFor(tool));
  }

  /**
   * What the policies say about a call. A policy that fails is a refusal.
   *
   * @param signal of the call
   * @throws the reason of the call's signal, if it aborts
   */
  async decide({ contexts, ...call }: CallQuestion, signal: AbortSignal): Promise<PolicyVerdict> {
    const policies = this.on(call.tool);
    const decisions = await Promise.all(
      contexts.flatMap((context) => policies.map((policy) => this.#ask(policy, { ...call, context }, signal))),
    );
    const refusal = decisions.find((each): each is CallPolicyRefusal => each !== 'allowed' && each.outcome === 'deny');
    if (refusal) return { refusal, asking: NOBODY_ASKS };
    const asking = decisions.filter((each) => each !== 'allowed');
    return { asking: asking.filter(({ rule }, index) => asking.findIndex((each) => each.rule === rule) === index) };
  }

  async #ask(policy: NamedCallPolicy, call: Omit<PolicyCall, 'signal'>, signal: AbortSignal): Promise<PolicyDecision> {
    const { deadlineMs, report } = this.parts;
    try {
      return await withDeadline(
        deadlineMs,
        (own) => this.#decision(policy, Object.freeze({ ...call, signal: own })),
        signal,
      );
    } catch (error) {
      // The call has ended, whatever the policy makes of it.
      if (signal.aborted) throw error;
      const fault = error instanceof DeadlineError ? `took longer than ${deadlineMs} ms` : 'failed';
      report?.(policy.name, error);
      return refusalByPolicy('fault', `call policy ${policy.name} ${fault}`, true);
    }
  }

  async #decision(policy: NamedCallPolicy, call: PolicyCall): Promise<PolicyDecision> {
    const { tenantId } = call.context;
    const key = await keyOf(policy, call);
    const known = key === undefined ? undefined : this.#remembered.get(policy)?.get(tenantId, key);
    if (known && known.until > this.#now()) return known.decision;
    const decision = decisionOf(await policy.policy.decide(call), policy.name);
    const mayBeRemembered = decision === 'allowed' || decision.outcome === 'deny';
    if (key !== undefined && mayBeRemembered && !call.signal.aborted) {
      this.#answersOf(policy).set(tenantId, key, { decision, until: this.#now() + policy.cacheMs });
    }
    return decision;
  }

  #answersOf(policy: NamedCallPolicy): TenantFairLru<Remembered> {
    let answers = this.#remembered.get(policy);
    if (!answers) this.#remembered.set(policy, (answers = new TenantFairLru(MAX_REMEMBERED)));
    return answers;
  }
}

/** A refusal by the layer of call policies. */
export function refusalByPolicy(rule: string, reason: string, isFault: boolean, message?: string): CallPolicyRefusal {
  return { outcome: 'deny', layer: 'call_policy', rule, reason, isFault, ...(message !== undefined && { message }) };
}

// Hashed, so that a long key takes no more room than a short one.
async function keyOf({ policy }: NamedCallPolicy, call: PolicyCall): Promise<string | undefined> {
  try {
    const key: unknown = await policy.cacheKey?.(call);
    return typeof key === 'string' ? stableHash([call.tool.name, call.tool.hash, key]) : undefined;
  } catch {
    return undefined;
  }
}

/** @throws TypeError for what is no answer */
function decisionOf(answer: unknown, policy: string): PolicyDecision {
  const { outcome, reason, message } = isObject(answer) ? answer : {};
  if (outcome === 'allow') return 'allowed';
  if (outcome !== 'deny' && outcome !== 'approve') {
    throw new TypeError('decide() returned no answer; return { outcome: "allow" }, "deny" or "approve"');
  }
  const words = wordsOf(reason);
  if (words === undefined) throw new TypeError(`decide() returned ${outcome} without a reason`);
  if (outcome === 'deny') return refusalByPolicy(policy, words, false, wordsOf(message));
  // Not bound to the words of the reason: the repeat of the approved call may get other ones.
  const content = stableJson({ callPolicy: policy });
  return { outcome, layer: 'approval', rule: `call_policy:${policy}`, scope: 'call', content, reason: words };
}

function wordsOf(text: unknown): string | undefined {
  return typeof text === 'string' && text.trim() !== '' ? safeText(text, MAX_WORDS) : undefined;
}
