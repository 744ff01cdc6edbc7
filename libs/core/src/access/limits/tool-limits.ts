import type { JsonObject } from '../../json/json.js';
import { isSafeId } from '../../json/safe-text.js';
import { ToolSearchError } from '../../tool/tool-search.error.js';
import type { ToolEvents } from '../../tool/tool-event.js';
import type { AuditEntry } from '../control/audit-entry.js';
import type { ControlPlane } from '../control/control-plane.js';
import { invalidRequest } from '../control/invalid-request.js';
import type { OperatorRequest } from '../control/operator-request.js';
import { StoredRecords } from '../control/stored-records.js';
import type { LimitUsage } from './call-limits.js';
import { usedOf } from './counter.js';
import { checkCountable, type GivenLimit, type StoredLimit, toolLimit, type ToolLimit } from './limit.js';
import { limitKind } from './limit-kind.js';
import { countedLimit, counterKeyOf, type LimitSet, type NamedCounter } from './limit-set.js';
import type { LimitStore } from './limit-store.js';

/** Every decision reads the limits for all tenants, and those of its tenant. */
const MAX_EACH = 100;

/** A limit of the application, or of operators (`stored`), with what its counter holds. */
export interface LimitStatus {
  readonly limit: ToolLimit;
  /** Absent for a limit in code. */
  readonly stored?: Omit<StoredLimit, 'limit'>;
  /** Absent if the limit has many counters and the request names none. */
  readonly usage?: LimitUsage;
}

export interface ToolLimitParts {
  readonly plane: ControlPlane;
  readonly store: LimitStore;
  /** The limits in code. */
  readonly own: LimitSet;
  /** Units of cost that this process knows. */
  readonly units: readonly string[];
  /** Tokens that a budget reserves for one call. */
  readonly resultTokens: number;
  readonly events: ToolEvents;
  readonly now: () => number;
}

/** Limits that operators set at run time. They apply in addition to the limits in code and never widen them. */
export class ToolLimits {
  readonly #records;

  constructor(private readonly parts: ToolLimitParts) {
    this.#records = new StoredRecords(limitKind, parts.plane, parts.events, parts.now);
  }

  /**
   * The limits in code, then the stored ones by id, at most `limit` after the one with the key `after`, with what their
   * counters hold now.
   *
   * @param counter which counter to read of limits that have one for each tenant, user, …; their own `match` counts too
   * @throws ToolSearchError `STORE_UNAVAILABLE`
   */
  async list(
    page: { readonly after?: string; readonly limit: number },
    counter: NamedCounter = {},
  ): Promise<readonly LimitStatus[]> {
    const { own } = this.parts;
    const { after = '', limit } = page;
    const inCode = own.all
      .toSorted((a, b) => (a.id < b.id ? -1 : 1))
      .filter((each) => limitKey({ limit: each }) > after)
      .slice(0, limit);
    const room = limit - inCode.length;
    const from = after.startsWith(STORED) ? { after: after.slice(STORED.length) } : {};
    const records = room > 0 ? await this.#records.list({ limit: room, ...from }) : [];
    const statuses = [
      ...inCode.map((each) => ({ limit: each })),
      ...records.map(({ limit: each, ...stored }) => ({ limit: each, stored })),
    ];
    return this.#withUsage(statuses, counter);
  }

  /** A stored limit, or undefined. @throws ToolSearchError `STORE_UNAVAILABLE` */
  find(id: string): Promise<StoredLimit | undefined> {
    return this.#records.find(id);
  }

  /**
   * Sets a limit under its id. When this resolves, this process applies it. What was counted under the id goes on
   * counting unless the limit now counts something else.
   *
   * @throws ToolSearchError `INVALID_REQUEST`, `REVISION_CONFLICT`, `STORE_UNAVAILABLE`
   */
  async set(given: GivenLimit, request: OperatorRequest): Promise<StoredLimit> {
    const limit = toolLimit(given);
    const { id, match } = limit;
    checkCountable(limit, this.parts.units, this.parts.resultTokens, 'INVALID_REQUEST');
    this.#checkRoom(limit);
    const value = { id, limit: JSON.parse(JSON.stringify(limit)) as JsonObject };
    return this.#records.put({ action: 'limit.set', subject: id, tenantId: match.tenantId ?? '', value }, request);
  }

  /**
   * Removes a stored limit. Returns the control revision of the change.
   *
   * @throws ToolSearchError `NOT_FOUND`, `INVALID_REQUEST`, `REVISION_CONFLICT`, `STORE_UNAVAILABLE`; `STATIC_POLICY` for
   *   a limit in code
   */
  async remove(id: string, request: OperatorRequest): Promise<number> {
    if (!isSafeId(id, 64)) throw invalid('id must be 1 to 64 visible characters.');
    const { plane, own } = this.parts;
    const record = await plane.guarded(() => plane.store.find(limitKind.kind, id));
    if (!record && own.all.some((limit) => limit.id === id)) {
      throw new ToolSearchError('STATIC_POLICY', 'This limit is in the code of the application.', {
        hint: 'Change the option limits.rules and deploy; operators can only add limits.',
      });
    }
    const removal = { action: 'limit.removed', subject: id, key: id, tenantId: record?.tenantId ?? '' } as const;
    // A repeated removal finds no record, so it does not know the tenant.
    const isAbout = ({ subject }: AuditEntry) => subject === id;
    const { revision } = await this.#records.remove(removal, request, { isAbout });
    return revision;
  }

  #checkRoom({ id, match }: ToolLimit): void {
    const known = this.#records.last();
    if (!known) return;
    const before = known.all.find((each) => each.id === id);
    if (before && before.match.tenantId === match.tenantId) return;
    if (known.sizeFor(match.tenantId) >= MAX_EACH) {
      const whose = match.tenantId === undefined ? 'all tenants' : 'this tenant';
      throw invalid(`there are ${MAX_EACH} for ${whose} already; let one limit have several counters with \`per\`.`);
    }
  }

  async #withUsage(
    statuses: readonly Omit<LimitStatus, 'usage'>[],
    counter: NamedCounter,
  ): Promise<readonly LimitStatus[]> {
    const counted = statuses.map(({ limit, stored }) => countedLimit(limit, stored ? 'stored' : 'code'));
    const keys = counted.map((each) => counterKeyOf(each, counter));
    const { store, plane } = this.parts;
    const { states, now } = await plane.guarded(() => store.peek(keys.flatMap((key) => key ?? [])));
    let at = 0;
    return statuses.map((status, index) => {
      const each = counted[index];
      if (!each || keys[index] === undefined) return status;
      const { max } = each.rule;
      const used = usedOf(each.rule, states[at++], now);
      return { ...status, usage: { used, max, remaining: Math.max(0, max - used) } };
    });
  }
}

const [CODE, STORED] = ['0:', '1:'];

/** The place of a limit in the list, for paging. */
export function limitKey({ limit, stored }: Pick<LimitStatus, 'limit' | 'stored'>): string {
  return `${stored ? STORED : CODE}${limit.id}`;
}

const invalid = (message: string) => invalidRequest('The limit', message);
