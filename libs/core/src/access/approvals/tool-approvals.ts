import { object, type OptionsOf, type SettingsOf, whole } from '../../options/options.js';
import { safeText } from '../../json/safe-text.js';
import { type ToolContext, eventIds } from '../../tool/tool-context.js';
import type { ToolDefinition } from '../../tool/tool-definition.js';
import type { ToolEvents } from '../../tool/tool-event.js';
import { ToolSearchError } from '../../tool/tool-search.error.js';
import { ApprovalArguments, type AskedOnce } from './approval-arguments.js';
import { approvalConflict } from './approval-conflict.js';
import { approvalKind } from './approval-kind.js';
import {
  type Approval,
  approvalAnswer,
  approvalOf,
  approvalRecord,
  approvalRefusal,
  type ApprovalValue,
} from './approval.js';
import { type ApprovalScope, type CallInQuestion, callWish, sessionId, sessionWish } from './approval-wish.js';
import type { ControlPlane } from '../control/control-plane.js';
import type { ControlRecord } from '../control/control-store.js';
import { madeDecision } from '../control/made-decision.js';
import { operatorRequest } from '../control/operator-request.js';
import {
  approvedFor,
  type ApproveRequest,
  decidedApproval,
  type DecideRequest,
  MAX_FOR_MS,
} from './decided-approval.js';
import { earlierRequests, isEarlier, replacing } from './superseded.js';

/** An approval that allows a call now. */
export interface UsableApproval extends AskedOnce {
  readonly tool: string;
  /** Whether the call uses it up: see {@link ToolApprovals.claim}. */
  readonly isForOneCall: boolean;
  readonly revision: number;
  /** What the operator tells the model; `''` = nothing. */
  readonly note: string;
}

/** The name of an entry of `policy.approval`, after the level of its policy. */
const OF_ENTRY = /(^|:)approval:/;
/** The revision of a request that nobody has decided. */
const UNDECIDED = 0;

export const approvalOptions = object({
  /** Milliseconds that an approval holds when the operator gives no `forMs`. @default 3600000 (1 h) */
  approvedForMs: whole(1, MAX_FOR_MS).default(3_600_000),
  /** Milliseconds after which an undecided or refused request is forgotten. @default 86400000 (24 h) */
  askedForMs: whole(1, MAX_FOR_MS).default(86_400_000),
});

export interface ApprovalOptions extends OptionsOf<typeof approvalOptions> {}

export const approvalTuning = object({
  /** Undecided requests per tenant. @default 1000 */
  maxOpen: whole(1, 100_000).default(1000),
  /**
   * Undecided requests per user, so that one user cannot take the whole room of the tenant. It is also how often the arguments
   * of calls of a user that wait may change within ten minutes: each change asks anew.
   *
   * @default 20
   */
  maxOpenPerUser: whole(1, 100_000).default(20),
});

export interface ApprovalTuning extends OptionsOf<typeof approvalTuning> {}

export const approvalSchema = object({ ...approvalOptions.shape, ...approvalTuning.shape });

/**
 * Approvals by a second person. Each one holds for a limited time, and for one call with exactly the approved arguments, or
 * for all calls of a tool in one session or run.
 */
export class ToolApprovals {
  /** By id: calls at the same time ask once. */
  readonly #asking = new Map<string, Promise<ControlRecord | undefined>>();
  readonly #arguments: ApprovalArguments;

  constructor(
    private readonly plane: ControlPlane,
    private readonly events: ToolEvents,
    private readonly settings: SettingsOf<typeof approvalSchema>,
    private readonly now: () => number = () => plane.now(),
  ) {
    this.#arguments = new ApprovalArguments(plane, now);
  }

  /**
   * Returns undefined when every call of the tool is approved for this scope; otherwise the error for the caller. Creates the
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
    if (scope.ephemeral) return nameless(tool);
    const wish = sessionWish(tool, rule, context, scope, this.#dates());
    const known = await this.#find(wish.id);
    if (known) return approvalAnswer(approvalOf(known));
    const asked = await this.#ask(wish, context);
    if (asked === undefined) return tooMany();
    return asked === 'asked'
      ? approvalRefusal('APPROVAL_REQUIRED', tool.name, 'session')
      : approvalAnswer(approvalOf(asked));
  }

  /**
   * The approval of exactly this call, to be claimed just before the tool runs; otherwise the error for the caller. Creates
   * the request if there is none, in place of an undecided one for other arguments, unless they have changed too often.
   *
   * @param shown returns the arguments for the operator who decides, redacted and bounded; called only if they are asked for
   * @throws ToolSearchError `STORE_UNAVAILABLE`; what `shown` throws
   */
  async missingFor(
    call: CallInQuestion,
    shown: () => string | Promise<string>,
  ): Promise<UsableApproval | ToolSearchError> {
    const { tool, context, scope } = call;
    if (scope.ephemeral) return nameless(tool);
    const first = callWish(call, this.#dates());
    const known = await this.#find(first.id);
    if (known) return usable(known, true);
    const decided = await this.#decidedEarlier(call);
    if (decided) return usable(decided, false);
    const { replaced, changes } = await earlierRequests(this.plane, first);
    const { maxOpenPerUser } = this.settings;
    if (replaced.length > 0 && changes > maxOpenPerUser) return changedTooOften(maxOpenPerUser);
    const wish = replacing(replaced, first);
    const text = await shown();
    // First, so that it takes no room.
    await this.#remove(replaced, wish);
    await this.#arguments.keep(wish, text);
    const asked = await this.#ask(wish, context);
    if (asked === 'asked') {
      // Where several were asked for at once, the last one stays.
      if (await this.#find(wish.id)) await this.#removeEarlier(wish);
      return approvalRefusal('APPROVAL_REQUIRED', tool.name, 'call');
    }
    // Somebody else has asked, and kept them.
    if (asked?.value['askedAt'] !== wish.askedAt) await this.#arguments.remove(wish);
    return asked === undefined ? tooMany() : usable(asked, true);
  }

  /**
   * Uses up an approval, just before the tool runs. Of any number of repeats of the call, on all instances, exactly one
   * may run.
   *
   * @param callId absent for work that the application does itself
   * @returns false if another repeat has used it, or if it was changed or has expired meanwhile
   * @throws ToolSearchError `STORE_UNAVAILABLE`: then the tool must not run
   */
  async claim(approval: UsableApproval, context: ToolContext, callId?: string): Promise<boolean> {
    const { id, tool, revision } = approval;
    const claimed = await this.plane.guarded(() => this.plane.store.claim(approvalKind.kind, id, revision, this.now()));
    if (!claimed) return false;
    this.events.emit({
      type: 'approval.used',
      ...eventIds(context),
      id,
      tool,
      ...(callId !== undefined && { callId }),
    });
    // The call does not wait for it, and does not fail because of it: they expire.
    this.#arguments.remove(approval).catch(() => undefined);
    return true;
  }

  /**
   * The arguments of the one call that an approval is for, redacted and bounded; undefined if there are none, or none any
   * more.
   *
   * @throws ToolSearchError `STORE_UNAVAILABLE`
   */
  argumentsOf(approval: AskedOnce): Promise<string | undefined> {
    return this.#arguments.of(approval);
  }

  /**
   * Erases the arguments of calls that wait, of a tenant or of one of its users, and their undecided requests. Returns how
   * many.
   *
   * @throws ToolSearchError `STORE_UNAVAILABLE`
   */
  eraseArguments(whose: { readonly tenantId: string; readonly userId?: string }): Promise<number> {
    return this.#arguments.erase(whose);
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
    const records = await this.plane.guarded(() => this.plane.store.list(approvalKind.kind, page, tenantId));
    return records.map(approvalOf);
  }

  /**
   * Allows the call, or the session or run to call the tool, for a limited time, at most a week. `by` is the tenant and user of the
   * operator. Without it, the name in `actor` must differ from the requesting user's. To replace a decision, name its
   * revision as `expectedRevision`; without it, only an undecided request is decided.
   *
   * @throws ToolSearchError `FORBIDDEN` for the requesting user, and when the context named no user; `NOT_FOUND`,
   *   `REVISION_CONFLICT` with the name of who has decided meanwhile; `INVALID_REQUEST`, `STORE_UNAVAILABLE`
   */
  approve(id: string, request: ApproveRequest): Promise<Approval> {
    const forMs = approvedFor(request, this.settings.approvedForMs);
    return this.#decide(id, 'approved', forMs, request);
  }

  /**
   * Refuses the request, or withdraws its approval (with `expectedRevision`). Calls get `APPROVAL_REFUSED` until it is
   * forgotten.
   *
   * @throws as {@link approve}
   */
  refuse(id: string, request: DecideRequest): Promise<Approval> {
    return this.#decide(id, 'refused', this.settings.askedForMs, request);
  }

  async #decide(id: string, status: 'approved' | 'refused', forMs: number, request: ApproveRequest): Promise<Approval> {
    const common = operatorRequest(request);
    const now = this.now();
    const known = await this.plane.guarded(() => this.plane.store.find(approvalKind.kind, id));
    const decided = decidedApproval(known, { ...request, ...common }, { status, now, forMs });
    const action = status === 'approved' ? 'approval.approved' : 'approval.refused';
    const { tenantId, tool, scope, scopeId } = decided;
    // The session id comes from the caller and may hold control characters.
    const subject = safeText(`${tool} for ${scope} ${scopeId}`, 512);
    const about = { action, subject, tenantId, at: now } as const;
    // Two operators who both see it undecided must not overwrite each other.
    const change = { expectedRevision: UNDECIDED, ...common, ...about, put: approvalRecord(decided) };
    const conflict = (current: ControlRecord) => approvalConflict(approvalOf(current));
    const desk = { plane: this.plane, events: this.events };
    const { revision, after } = await madeDecision(desk, approvalKind, change, { conflict });
    const approval = approvalOf({ value: after ?? {}, revision });
    // The decision is made; what it is about can be read as long as it holds, if the store lets it.
    if (decided.covers === 'call') await this.#keepArguments(approval).catch(() => undefined);
    return approval;
  }

  async #keepArguments(approval: Approval): Promise<void> {
    await this.#arguments.keepUntil(approval);
    // It may have been used meanwhile.
    if (!(await this.#find(approval.id))) await this.#arguments.remove(approval);
  }

  /** An unexpired approval. */
  async #find(id: string): Promise<ControlRecord | undefined> {
    const known = await this.plane.guarded(() => this.plane.store.find(approvalKind.kind, id));
    return known && known.expiresAt > this.now() ? known : undefined;
  }

  /** A decision about the session that an earlier version wrote, which did not say what it covers: it keeps its meaning. */
  async #decidedEarlier({
    tool,
    context,
    scope,
    rule,
    hasOtherAskers,
  }: CallInQuestion): Promise<ControlRecord | undefined> {
    // Nobody decided then about what a rule on arguments or a call policy asks: there were none.
    if (hasOtherAskers || !OF_ENTRY.test(rule)) return undefined;
    const known = await this.#find(sessionId(tool, context, scope));
    return known && known.revision !== UNDECIDED && known.value['covers'] === undefined ? known : undefined;
  }

  /** Asks for an approval. Returns `asked` for the first caller, else what was known; undefined: too many are open. */
  async #ask(wish: ApprovalValue, context: ToolContext): Promise<'asked' | ControlRecord | undefined> {
    const { id, tool, askedAt } = wish;
    const { maxOpen: perTenant, maxOpenPerUser: perUser } = this.settings;
    const running = this.#asking.get(id);
    if (running) return running;
    const asking = this.plane
      .guarded(() => this.plane.store.ask(approvalRecord(wish), askedAt, { perTenant, perUser }))
      .finally(() => this.#asking.delete(id));
    this.#asking.set(id, asking);
    const asked = await asking;
    if (!asked) return undefined;
    const approval = approvalOf(asked);
    // Another instance may have asked first.
    if (approval.askedAt !== askedAt || approval.status !== 'pending') return asked;
    this.events.emit({ type: 'approval.asked', ...eventIds(context), id, tool });
    return 'asked';
  }

  async #removeEarlier(wish: ApprovalValue): Promise<void> {
    const { replaced } = await earlierRequests(this.plane, wish);
    await this.#remove(
      replaced.filter((other) => isEarlier(other, wish)),
      wish,
    );
  }

  /** Removes requests whose place another one takes. */
  async #remove(replaced: readonly ApprovalValue[], wish: ApprovalValue): Promise<void> {
    for (const other of replaced) {
      // Not if somebody decides about it at this moment.
      const isGone = await this.plane.guarded(() =>
        this.plane.store.claim(approvalKind.kind, other.id, UNDECIDED, wish.askedAt),
      );
      if (isGone) await this.#arguments.remove(other);
    }
  }

  #dates(): { readonly now: number; readonly expiresAt: number } {
    const now = this.now();
    return { now, expiresAt: now + this.settings.askedForMs };
  }
}

// Its id says whether it is for one call: an instance of an earlier version drops the members that it does not know.
function usable(record: ControlRecord, isForOneCall: boolean): UsableApproval | ToolSearchError {
  const approval = approvalOf(record);
  const { id, askedAt, tool, revision, note } = approval;
  return approvalAnswer(approval) ?? { id, askedAt, tool, isForOneCall, revision, note };
}

function nameless({ name }: ToolDefinition): ToolSearchError {
  return new ToolSearchError('SESSION_REQUIRED', `${name} needs an approval, which belongs to a session or run.`, {
    hint: 'Send a session id or a run id with the request.',
  });
}

function tooMany(): ToolSearchError {
  return new ToolSearchError('RATE_LIMITED', 'Too many approvals are waiting for a decision.', {
    hint: 'Wait until some have been decided.',
  });
}

function changedTooOften(times: number): ToolSearchError {
  const message = `The arguments of calls that wait for an approval have changed ${times} times within ten minutes.`;
  return new ToolSearchError('RATE_LIMITED', `${message} Nobody was asked about this one.`, {
    hint: 'The call before it still waits: later repeat that one, with the same arguments. Or try again in ten minutes.',
  });
}
