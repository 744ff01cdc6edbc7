import { object, type OptionsOf, type SettingsOf, whole, withDefaults } from '../../options/options.js';
import { safeText } from '../../json/safe-text.js';
import { stableHash } from '../../json/stable-hash.js';
import { type ToolContext, eventIds } from '../../tool/tool-context.js';
import type { ToolDefinition } from '../../tool/tool-definition.js';
import type { ToolEvents } from '../../tool/tool-event.js';
import { ToolSearchError } from '../../tool/tool-search.error.js';
import { type Approval, approvalAnswer, approvalOf, approvalRecord, approvalRefusal } from './approval.js';
import type { ControlPlane } from '../control/control-plane.js';
import { madeChange } from '../control/made-change.js';
import { type OperatorRequest, operatorRequest } from '../control/operator-request.js';

export interface ApprovalScope {
  readonly scope: 'run' | 'session';
  readonly scopeId: string;
  /** No later request can name this scope again. */
  readonly ephemeral: boolean;
}

const WEEK_MS = 7 * 86_400_000;

export const approvalOptions = object({
  /** Milliseconds that an approval holds when the operator gives no `forMs`. @default 3600000 (1 h) */
  approvedForMs: whole(1, WEEK_MS).default(3_600_000),
  /** Milliseconds after which an undecided or refused request is forgotten. @default 86400000 (24 h) */
  askedForMs: whole(1, WEEK_MS).default(86_400_000),
  /** Undecided requests per tenant. @default 1000 */
  maxOpen: whole(1, 100_000).default(1000),
  /** Undecided requests per user, so that one user cannot take the whole room of the tenant. @default 20 */
  maxOpenPerUser: whole(1, 100_000).default(20),
});

export interface ApprovalOptions extends OptionsOf<typeof approvalOptions> {}

type DecideRequest = OperatorRequest & {
  /** Decides only a request of this tenant; others do not exist. @default any tenant's */
  readonly tenantId?: string;
};

type ApproveRequest = DecideRequest & {
  readonly forMs?: number;
  readonly by?: Pick<ToolContext, 'tenantId' | 'userId'>;
};

/** Approvals by a second person: each one holds for one session or run, and for a limited time. */
export class ToolApprovals {
  readonly #asking = new Set<string>();
  readonly #settings: SettingsOf<typeof approvalOptions>;

  constructor(
    private readonly plane: ControlPlane,
    private readonly events: ToolEvents,
    given: ApprovalOptions = {},
    private readonly now: () => number = () => plane.now(),
  ) {
    this.#settings = withDefaults(approvalOptions, given);
  }

  /**
   * Returns undefined when the tool is approved for this scope; otherwise the error for the caller. Creates the
   * approval request if there is none.
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
        { hint: 'Send a session id or a run id with the request.' },
      );
    }
    const now = this.now();
    const wish = this.#wish(tool, rule, context, scope, now);
    const known = await this.plane.guarded(() => this.plane.store.find('approval', wish.id));
    if (known && known.expiresAt > now) return approvalAnswer(approvalOf(known));
    const { maxOpen: perTenant, maxOpenPerUser: perUser } = this.#settings;
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
    // Two concurrent calls create one request.
    if (isSecond || approval.askedAt !== wish.askedAt || approval.status !== 'pending') return approvalAnswer(approval);
    this.events.emit({ type: 'approval.asked', ...eventIds(context), id: wish.id, tool: tool.name });
    return approvalRefusal('APPROVAL_REQUIRED', tool.name);
  }

  /**
   * Approval requests by id, at most `limit` after `after`; expired ones may be among them.
   *
   * @throws ToolSearchError `STORE_UNAVAILABLE`
   */
  async list(
    page: { readonly after?: string; readonly limit: number },
    tenantId?: string,
  ): Promise<readonly Approval[]> {
    const records = await this.plane.guarded(() => this.plane.store.list('approval', page, tenantId));
    return records.map(approvalOf);
  }

  /**
   * Allows the session or run to call the tool for a limited time, at most a week. `by` is the tenant and user of the
   * operator. Without it, the name in `actor` must differ from the requesting user's.
   *
   * @throws ToolSearchError `FORBIDDEN` for the requesting user, and when the context named no user; `NOT_FOUND`,
   *   `REVISION_CONFLICT`, `INVALID_REQUEST`, `STORE_UNAVAILABLE`
   */
  approve(id: string, request: ApproveRequest): Promise<Approval> {
    const forMs = request.forMs ?? this.#settings.approvedForMs;
    if (!Number.isSafeInteger(forMs) || forMs < 1 || forMs > WEEK_MS) {
      throw new ToolSearchError(
        'INVALID_REQUEST',
        `forMs must be a whole number of milliseconds from 1 to ${WEEK_MS}.`,
      );
    }
    return this.#decide(id, 'approved', forMs, request);
  }

  /** Refuses the request. Calls get `APPROVAL_REFUSED` until it is forgotten. @throws as {@link approve} */
  refuse(id: string, request: DecideRequest): Promise<Approval> {
    return this.#decide(id, 'refused', this.#settings.askedForMs, request);
  }

  async #decide(id: string, status: 'approved' | 'refused', forMs: number, request: ApproveRequest): Promise<Approval> {
    const common = operatorRequest(request);
    const now = this.now();
    const known = await this.plane.guarded(() => this.plane.store.find('approval', id));
    const isMeant = request.tenantId === undefined || known?.tenantId === request.tenantId;
    if (!known || known.expiresAt <= now || !isMeant) {
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
    // The session id comes from the caller and may hold control characters.
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
    const expiresAt = now + this.#settings.askedForMs;
    const whose = { id, tenantId, userId, scope, scopeId, tool: name, hash, rule };
    return { ...whose, status: 'pending' as const, askedAt: now, expiresAt, actor: '', reason: '' };
  }
}

function isTheirs(wish: Pick<Approval, 'tenantId' | 'userId'>, actor: string, by: ApproveRequest['by']): boolean {
  if (!by) return personOf(wish.userId) === personOf(actor);
  return wish.tenantId === by.tenantId && personOf(wish.userId) === personOf(by.userId ?? '');
}

// Directories compare names without regard to case.
function personOf(name: string): string {
  return name.normalize('NFKC').trim().toUpperCase().toLowerCase();
}
