import { stableHash } from '../../json/stable-hash.js';
import type { ToolContext } from '../../tool/tool-context.js';
import type { ToolDefinition } from '../../tool/tool-definition.js';
import type { ApprovalValue } from './approval.js';

/** Whose approvals they are. */
export interface ApprovalScope {
  readonly scope: 'run' | 'session';
  readonly scopeId: string;
  /** No later request can name this scope again. */
  readonly ephemeral: boolean;
}

/** A use of a tool that needs an approval of its own: everything that the approval is bound to. */
export interface CallInQuestion {
  readonly tool: ToolDefinition;
  /** The rule that asks, and the rule itself as canonical JSON. */
  readonly rule: string;
  readonly content: string;
  /** Whether others ask too, to whom `content` binds the approval as well. @default false */
  readonly hasOtherAskers?: boolean;
  readonly context: ToolContext;
  readonly agentIds: readonly string[];
  readonly scope: ApprovalScope;
  /** Hash of the checked arguments as canonical JSON. */
  readonly digest: string;
}

interface Dates {
  readonly now: number;
  readonly expiresAt: number;
}

/** The id of an approval that covers a run or session. It does not depend on the rule that asks. */
export function sessionId(
  { name, hash }: ToolDefinition,
  { tenantId, userId = '' }: ToolContext,
  { scope, scopeId }: ApprovalScope,
): string {
  return idOf([tenantId, userId, scope, scopeId, name, hash]);
}

export function sessionWish(
  tool: ToolDefinition,
  rule: string,
  context: ToolContext,
  scope: ApprovalScope,
  dates: Dates,
): ApprovalValue {
  const id = sessionId(tool, context, scope);
  return { ...wish(id, tool, rule, context, scope, dates), covers: 'session', agents: '', digest: '' };
}

/** The request for one call. Its id is a hash of everything that it is bound to, so an equal repeat has the same one. */
export function callWish(
  { tool, rule, content, context, agentIds, scope, digest }: CallInQuestion,
  dates: Dates,
): ApprovalValue {
  const { tenantId, userId = '' } = context;
  const agents = stableHash(agentIds);
  const bound = [tenantId, userId, scope.scope, scope.scopeId, agents, tool.name, tool.hash, rule, content, digest];
  return { ...wish(idOf(bound), tool, rule, context, scope, dates), covers: 'call', agents, digest };
}

function idOf(bound: readonly string[]): string {
  return `ap_${stableHash(bound).slice(0, 32)}`;
}

function wish(
  id: string,
  { name, hash }: ToolDefinition,
  rule: string,
  { tenantId, userId = '' }: ToolContext,
  { scope, scopeId }: ApprovalScope,
  { now, expiresAt }: Dates,
) {
  const whose = { id, tenantId, userId, scope, scopeId, tool: name, hash, rule };
  const undecided = { status: 'pending' as const, actor: '', reason: '', note: '' };
  return { ...whose, ...undecided, askedAt: now, expiresAt, changes: 0, changesSince: now };
}
