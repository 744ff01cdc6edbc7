import type { JsonObject } from '../../json/json.js';
import type { ToolEvents } from '../../tool/tool-event.js';
import type { AuditEntry } from './audit-entry.js';
import type { DecisionAction, StoredKind } from './control-kind.js';
import type { ControlPlane } from './control-plane.js';
import type { Page } from './control-store.js';
import { invalidRequest } from './invalid-request.js';
import { type Decision, type DecisionRules, madeDecision } from './made-decision.js';
import { type OperatorRequest, operatorRequest } from './operator-request.js';

interface DecisionSubject<Action> {
  readonly action: Action;
  /** The target in words, for readers of the audit trail. */
  readonly subject: string;
  /** The tenant concerned. @default '' = all tenants */
  readonly tenantId?: string;
}

/** A decision that writes a record. */
export interface PutDecision<Action> extends DecisionSubject<Action> {
  /** The value without reason, actor and time, which are added. */
  readonly value: JsonObject;
  /** Epoch milliseconds. @default 0 = never */
  readonly expiresAt?: number;
}

/** A decision that removes a record. */
export interface RemoveDecision<Action> extends DecisionSubject<Action> {
  readonly key: string;
}

/** The records of one kind in the control store: reads them, and writes every decision about them. */
export class StoredRecords<Item, Part, Action extends DecisionAction> {
  constructor(
    private readonly kind: StoredKind<Item, Part, Action>,
    private readonly plane: ControlPlane,
    private readonly events: ToolEvents,
    /** Epoch milliseconds. */
    private readonly now: () => number = () => plane.now(),
  ) {}

  /**
   * The records that this process last read, fresh or not; undefined before the first read. Only for checks of requests:
   * decisions about tools use `ControlPlane.current`.
   */
  last(): Part | undefined {
    return this.plane.snapshot()?.of(this.kind);
  }

  /** Records by key, at most `limit` after `after`. @throws ToolSearchError `STORE_UNAVAILABLE` */
  async list(page: Page<string>, tenantId?: string): Promise<readonly Item[]> {
    const records = await this.plane.guarded(() => this.plane.store.list(this.kind.kind, page, tenantId));
    return records.map(this.kind.parse);
  }

  /** A record, or undefined. @throws ToolSearchError `STORE_UNAVAILABLE` */
  async find(key: string): Promise<Item | undefined> {
    const record = await this.plane.guarded(() => this.plane.store.find(this.kind.kind, key));
    return record && this.kind.parse(record);
  }

  /**
   * Writes a record. When this resolves, this process applies it.
   *
   * @throws ToolSearchError `INVALID_REQUEST`, also where there are too many records; `REVISION_CONFLICT`,
   *   `STORE_UNAVAILABLE`
   */
  async put(
    { action, subject, tenantId = '', value: given, expiresAt = 0 }: PutDecision<Action>,
    request: OperatorRequest,
  ): Promise<Item> {
    const common = operatorRequest(request);
    const { kind, keyOf, stampedAt, parse } = this.kind;
    const key = keyOf(given);
    this.#checkRoom(key);
    const at = this.now();
    const { actor, reason } = common;
    const value = { [stampedAt]: at, ...given, reason, actor };
    const put = { kind, key, tenantId, value, expiresAt };
    const { after, revision } = await this.#decide({ ...common, action, subject, tenantId, at, put });
    return parse({ value: after ?? {}, revision });
  }

  /**
   * Removes a record and returns the entry of the audit trail.
   *
   * @throws ToolSearchError `NOT_FOUND`, `INVALID_REQUEST`, `REVISION_CONFLICT`, `STORE_UNAVAILABLE`
   */
  async remove(
    { action, subject, tenantId = '', key }: RemoveDecision<Action>,
    request: OperatorRequest,
    rules?: DecisionRules,
  ): Promise<AuditEntry> {
    const remove = { kind: this.kind.kind, key };
    return this.#decide({ ...operatorRequest(request), action, subject, tenantId, at: this.now(), remove }, rules);
  }

  /** Writes a decision that changes no record. @throws ToolSearchError `INVALID_REQUEST`, `STORE_UNAVAILABLE` */
  async note(
    { action, subject, tenantId = '' }: DecisionSubject<Action>,
    request: OperatorRequest,
  ): Promise<AuditEntry> {
    return this.#decide({ ...operatorRequest(request), action, subject, tenantId, at: this.now() });
  }

  #decide(decision: Decision<Action>, rules?: DecisionRules): Promise<AuditEntry> {
    return madeDecision({ plane: this.plane, events: this.events }, this.kind, decision, rules);
  }

  #checkRoom(key: string): void {
    const { max = Infinity, noun } = this.kind;
    const known = this.plane.snapshot()?.revisionsOf(this.kind);
    if (!known || known.size < max || known.has(key)) return;
    throw invalidRequest(`The ${noun}`, `there are ${max} already; remove some.`);
  }
}
