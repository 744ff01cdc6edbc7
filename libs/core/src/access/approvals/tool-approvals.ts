import { principalOf } from '../../tool/principal.js';
import { safeText } from '../../json/safe-text.js';
import { stableHash } from '../../json/stable-hash.js';
import type { ToolContext } from '../../tool/tool-context.js';
import type { ToolDefinition } from '../../tool/tool-definition.js';
import type { ToolEvents } from '../../tool/tool-event.js';
import { ToolSearchError } from '../../tool/tool-search.error.js';
import { type Approval, approvalAnswer, approvalOf, approvalRecord, approvalRefusal } from './approval.js';
import type { ControlPlane } from '../control/control-plane.js';
import { madeChange } from '../control/made-change.js';
import { type OperatorRequest, operatorRequest } from '../control/operator-request.js';

/** The session or run that wants to call a tool. */
export interface ApprovalScope {
  readonly scope: 'run' | 'session';
  readonly scopeId: string;
  /** Nobody could name it again. */
  readonly ephemeral: boolean;
}

/** How long wishes and answers last. */
export interface ApprovalOptions {
  /** Milliseconds an approval holds when the one who approves says nothing else. @default 3600000 (1 h) */
  readonly approvedForMs?: number;
  /** Milliseconds after which a wish or a refusal is forgotten. @default 86400000 (24 h) */
  readonly askedForMs?: number;
  /** Undecided wishes a tenant may have. @default 1000 */
  readonly maxOpen?: number;
  /** Undecided wishes one user of a tenant may have, so that nobody takes the others' room. @default 20 */
  readonly maxOpenPerUser?: number;
}

type ApproveRequest = OperatorRequest & {
  readonly forMs?: number;
  readonly by?: Pick<ToolContext, 'tenantId' | 'userId'>;
};

const WEEK_MS = 7 * 86_400_000;

/** Calls that need a second person's approval, for one session or run and for a time. */
export class ToolApprovals {
  readonly #asking = new Set<string>();

  constructor(
    private readonly plane: ControlPlane,
    private readonly events: ToolEvents,
    private readonly options: ApprovalOptions = {},
    private readonly now: () => number = () => plane.now(),
  ) {}

  /**
   * Resolves to undefined when the tool is approved for this scope; otherwise to the error that says what the caller has to
   * wait for, having asked for the approval if nobody had.
   *
   * @throws ToolSearchError `STORE_UNAVAILABLE`
   */
  async missing(
    tool: ToolDefinition,
    rule: string,
    context: ToolContext,
    scope: ApprovalScope,
  ): Promise<ToolSearchError | undefined> {
    if (scope.ephemeral) {
      return new ToolSearchError(
        'SESSION_REQUIRED',
        `${tool.name} needs an approval, which belongs to a session or run.`,
        {
          hint: 'Send a session id or a run id with the request.',
        },
      );
    }
    const now = this.now();
    const wish = this.#wish(tool, rule, context, scope, now);
    const known = await this.plane.guarded(() => this.plane.store.find('approval', wish.id));
    if (known && known.expiresAt > now) return approvalAnswer(approvalOf(known));
    const { maxOpen: perTenant = 1000, maxOpenPerUser: perUser = 20 } = this.options;
    const isSecond = this.#asking.has(wish.id);
    this.#asking.add(wish.id);
    const asked = await this.plane
      .guarded(() => this.plane.store.ask(approvalRecord(wish), now, { perTenant, perUser }))
      .finally(() => this.#asking.delete(wish.id));
    if (!asked) {
      return new ToolSearchError('RATE_LIMITED', 'Too many approvals are waiting for a decision.', {
        hint: 'Wait until some have been decided.',
      });
    }
    const approval = approvalOf(asked);
    // Two calls at once are one wish.
    if (isSecond || approval.askedAt !== wish.askedAt || approval.status !== 'pending') return approvalAnswer(approval);
    this.events.emit({ type: 'approval.asked', ...principalOf(context), id: wish.id, tool: tool.name });
    return approvalRefusal('APPROVAL_REQUIRED', tool.name);
  }

  /** Wishes by id, at most `limit` after `after`; those that have expired may be among them. */
  async list(
    page: { readonly after?: string; readonly limit: number },
    tenantId?: string,
  ): Promise<readonly Approval[]> {
    const records = await this.plane.guarded(() => this.plane.store.list('approval', page, tenantId));
    return records.map(approvalOf);
  }

  /**
   * Lets the session or run call the tool for a time, at most a week. `by` is who decides as their context names them;
   * without it, the actor must be none who is named like the one who asked.
   *
   * @throws ToolSearchError `FORBIDDEN` for the one who asked, and where the context named no user; `NOT_FOUND`, `REVISION_CONFLICT`, `INVALID_REQUEST`, `STORE_UNAVAILABLE`
   */
  approve(id: string, request: ApproveRequest): Promise<Approval> {
    const forMs = request.forMs ?? this.options.approvedForMs ?? 3_600_000;
    if (!Number.isSafeInteger(forMs) || forMs < 1 || forMs > WEEK_MS) {
      throw new ToolSearchError(
        'INVALID_REQUEST',
        `forMs must be a whole number of milliseconds from 1 to ${WEEK_MS}.`,
      );
    }
    return this.#decide(id, 'approved', forMs, request);
  }

  /** Refuses the wish; the caller is told so until it is forgotten. @throws as {@link approve} */
  refuse(id: string, request: OperatorRequest): Promise<Approval> {
    return this.#decide(id, 'refused', this.options.askedForMs ?? 86_400_000, request);
  }

  async #decide(id: string, status: 'approved' | 'refused', forMs: number, request: ApproveRequest): Promise<Approval> {
    const common = operatorRequest(request);
    const now = this.now();
    const known = await this.plane.guarded(() => this.plane.store.find('approval', id));
    if (!known || known.expiresAt <= now) {
      throw new ToolSearchError('NOT_FOUND', 'Nobody waits for this approval.', { hint: 'List the approvals anew.' });
    }
    const { revision: seen, ...wish } = approvalOf(known);
    if (status === 'approved' && wish.userId.trim() === '') {
      throw new ToolSearchError('FORBIDDEN', 'Nobody knows who asked, so nobody can be a second person.', {
        hint: 'Let the context name its user (userId) where tools need an approval.',
      });
    }
    if (status === 'approved' && isTheirs(wish, common.actor, request.by)) {
      throw new ToolSearchError('FORBIDDEN', 'Nobody approves what they asked for themselves.', {
        hint: 'Ask a second person.',
      });
    }
    const decided = { ...wish, status, actor: common.actor, reason: common.reason, expiresAt: now + forMs };
    const type = status === 'approved' ? 'approval.approved' : 'approval.refused';
    const { tenantId, tool } = wish;
    // A session id is the caller's own text.
    const subject = safeText(`${tool} for ${wish.scope} ${wish.scopeId}`, 512);
    const said = { action: type, subject, tenantId, at: now };
    const change = { expectedRevision: seen, ...common, ...said, put: approvalRecord(decided) };
    const { entry, isNew } = await madeChange(this.plane, change, 'the approval');
    const { revision, after } = entry;
    if (isNew) this.events.emit({ type, tenantId, id, tool, actor: common.actor, revision });
    return approvalOf({ value: after ?? {}, revision });
  }

  #wish(
    { name, hash }: ToolDefinition,
    rule: string,
    context: ToolContext,
    { scope, scopeId }: ApprovalScope,
    now: number,
  ) {
    const { tenantId, userId = '' } = context;
    const id = `ap_${stableHash([tenantId, userId, scope, scopeId, name, hash]).slice(0, 32)}`;
    const expiresAt = now + (this.options.askedForMs ?? 86_400_000);
    const whose = { id, tenantId, userId, scope, scopeId, tool: name, hash, rule };
    return { ...whose, status: 'pending' as const, askedAt: now, expiresAt, actor: '', reason: '' };
  }
}

function isTheirs(wish: Pick<Approval, 'tenantId' | 'userId'>, actor: string, by: ApproveRequest['by']): boolean {
  if (!by) return personOf(wish.userId) === personOf(actor);
  return wish.tenantId === by.tenantId && personOf(wish.userId) === personOf(by.userId ?? '');
}

// Directories take a name in any case for the same person.
function personOf(name: string): string {
  return name.normalize('NFKC').trim().toUpperCase().toLowerCase();
}
