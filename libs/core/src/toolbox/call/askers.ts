import { strictest } from '../../access/policies/approval-rule.js';
import { stableJson } from '../../json/stable-hash.js';
import type { Decision } from '../../tool/decision.js';
import type { Admission } from './call-types.js';

/** Whether each call needs an approval of its own, which nobody asks for before its arguments are known. */
export function needsOwnApproval({ outcome, scope }: Decision): boolean {
  return outcome === 'approve' && scope === 'call';
}

/**
 * The decisions by which a use needs an approval that it does not have yet: of an entry of `policy.approval`, of a rule on
 * arguments, of call policies. None of them is a refusal.
 *
 * @param onArguments what the rules on arguments ask for
 * @param onPolicies what call policies ask for. @default nothing
 */
export function askersOf(
  { decision, isApproved }: Pick<Admission, 'decision' | 'isApproved'>,
  onArguments: Decision | undefined,
  onPolicies: readonly Decision[] = [],
): readonly Decision[] {
  const later = onArguments ? [onArguments, ...onPolicies] : onPolicies;
  if (decision.outcome !== 'approve') return later;
  // An approval of the session does not depend on who asks for it.
  return isApproved ? later.filter(needsOwnApproval) : [decision, ...later];
}

/**
 * One decision for all who ask, so that one request asks for all of them: for one call if one of them asks for that, else
 * for the session. If several ask, it is bound to each of them; undefined if nobody does.
 */
export function jointDecision(asked: readonly Decision[]): Decision | undefined {
  const first = strictest(asked);
  if (!first || asked.length === 1) return first;
  return { ...first, content: stableJson(asked.map(({ rule, content = '' }) => [rule, content])) };
}

/**
 * Whether what needs an approval now has it.
 *
 * @param asked who asked for the approval that the use has got
 */
export function isCovered(
  needed: Decision,
  { decision, isApproved }: Pick<Admission, 'decision' | 'isApproved'>,
  asked: readonly Decision[],
): boolean {
  if (asked.some(({ rule, content }) => rule === needed.rule && content === needed.content)) return true;
  if (needed.scope !== 'session') return false;
  // An approval of the session covers the tool, whichever rule asks for one: its id does not depend on the rule.
  const ofSession = isApproved && decision.outcome === 'approve';
  return ofSession || jointDecision(asked)?.scope === 'session';
}
