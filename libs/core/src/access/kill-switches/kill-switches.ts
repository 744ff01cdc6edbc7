import { isOwnedBy } from '../../tool/snapshot/catalog-snapshot.js';
import type { ToolDefinition } from '../../tool/tool-definition.js';
import type { ToolEvents } from '../../tool/tool-event.js';
import { META_TOOL_NAMES } from '../../tool/tool-name.js';
import { ToolSearchError } from '../../tool/tool-search.error.js';
import type { AuditEntry } from '../control/audit-entry.js';
import type { ControlPlane } from '../control/control-plane.js';
import {
  invalidKillSwitch,
  type KillSwitch,
  killSwitchId,
  type KillSwitchTarget,
  killSwitchTarget,
  meetsEverything,
  targetMeets,
} from './kill-switch.js';
import { isLive } from './kill-switch-set.js';
import type { OperatorRequest } from '../control/operator-request.js';
import { StoredRecords } from '../control/stored-records.js';
import { killSwitchKind } from './kill-switch-kind.js';

/** A request to engage a kill switch. */
export interface EngageRequest extends OperatorRequest, Pick<KillSwitchTarget, 'kind' | 'value'> {
  /** @default all tenants */
  readonly tenantId?: string;
  /** Epoch milliseconds, at most a year ahead. @default until it is released */
  readonly expiresAt?: number;
  /** Abort running calls. @default false */
  readonly abortRunning?: boolean;
  /** `'all'` confirms a switch that turns every tool off. */
  readonly confirm?: string;
}

/** A switch that was engaged or released, and the control revision of that change. */
export interface KillSwitchReceipt {
  readonly killSwitch: KillSwitch;
  readonly revision: number;
}

const YEAR_MS = 366 * 86_400_000;
const MAX_LIVE = 10_000;
// One tenant's operators must not use up the room of the others.
const MAX_LIVE_OF_TENANT = 1000;
// Every decision tests all of them.
const MAX_LIVE_GLOBS = 200;

/** Turns tools off and on again at run time. */
export class KillSwitches {
  readonly #records;

  /** @param tools all tools, to count the ones that a switch matches */
  constructor(
    private readonly plane: ControlPlane,
    events: ToolEvents,
    private readonly tools: () => readonly ToolDefinition[],
    private readonly now: () => number = () => plane.now(),
    private readonly metaTools: readonly string[] = META_TOOL_NAMES,
  ) {
    this.#records = new StoredRecords(killSwitchKind, plane, events, now);
  }

  /** Switches that this process applies, newest first, including expired ones. @throws ToolSearchError `GATE_CLOSED` */
  list(): readonly KillSwitch[] {
    return this.plane
      .current()
      .of(killSwitchKind)
      .all.toSorted((a, b) => b.revision - a.revision);
  }

  /**
   * Turns off the target's tools. When this resolves, this process admits no more calls of them. If the target is off
   * already, the switch gets the new reason and expiry; an earlier expiry needs the switch's revision, like a release.
   *
   * @throws ToolSearchError `INVALID_REQUEST`, `CONFIRMATION_REQUIRED` for every tool, `REVISION_CONFLICT`,
   *   `STORE_UNAVAILABLE`
   */
  async engage(request: EngageRequest): Promise<KillSwitchReceipt> {
    const target = killSwitchTarget(request);
    const at = this.now();
    const { expiresAt = 0, abortRunning = false, confirm } = request;
    if (expiresAt !== 0 && !(Number.isSafeInteger(expiresAt) && expiresAt > at && expiresAt <= at + YEAR_MS)) {
      throw invalidKillSwitch('expiresAt must lie in the future, at most a year ahead (epoch milliseconds).');
    }
    if ((target.kind === 'tool' || target.kind === 'glob') && this.metaTools.includes(target.value)) {
      throw invalidKillSwitch(
        "meta tools cannot be switched off; turn off what they find, or everything with the glob '*'.",
      );
    }
    if (meetsEverything(target) && confirm !== 'all') {
      throw new ToolSearchError('CONFIRMATION_REQUIRED', 'This turns every tool off.', {
        hint: 'Nothing was changed. Send confirm: "all" if that is meant.',
      });
    }
    const id = killSwitchId(target);
    this.#checkRoom(target, id, at);
    const expectedRevision = request.expectedRevision ?? (await this.#unshortened(id, expiresAt, at));
    const { tenantId } = target;
    const isTheirs = (tool: ToolDefinition) => tenantId === '' || isOwnedBy(tool, tenantId);
    const matched = this.tools().filter((tool) => isTheirs(tool) && targetMeets(target, tool)).length;
    const killSwitch = await this.#records.put(
      {
        action: 'kill_switch.engaged',
        subject: subjectOf(target),
        tenantId,
        value: { ...target, id, expiresAt, abortRunning, matched },
        expiresAt,
      },
      { ...request, ...(expectedRevision !== undefined && { expectedRevision }) },
    );
    return { killSwitch, revision: killSwitch.revision };
  }

  /**
   * Removes one switch. Another switch may still keep its tools off.
   *
   * @throws ToolSearchError `INVALID_REQUEST` without `expectedRevision`, `REVISION_CONFLICT`, `NOT_FOUND`,
   *   `STORE_UNAVAILABLE`
   */
  async release(
    id: string,
    request: OperatorRequest & { readonly expectedRevision: number },
  ): Promise<KillSwitchReceipt> {
    if (request.expectedRevision === undefined)
      throw invalidKillSwitch('releasing needs expectedRevision, the revision of the switch.');
    const known = await this.#records.find(id);
    const { tenantId = '' } = known ?? {};
    const removal = {
      action: 'kill_switch.released',
      subject: known ? subjectOf(known) : id,
      tenantId,
      key: id,
    } as const;
    // A repeated release is recognized by its idempotency key. The switch is gone by then, but its audit entry holds
    // it.
    const isAbout = (entry: AuditEntry) => entry.before?.['id'] === id;
    const { before, revision } = await this.#records.remove(removal, request, { isAbout });
    return { killSwitch: killSwitchKind.parse({ value: before ?? {}, revision }), revision };
  }

  // Expired switches do not count, and a switch for every tool is always accepted.
  #checkRoom(target: KillSwitchTarget, id: string, at: number): void {
    const live = (this.#records.last()?.all ?? []).filter((each) => isLive(each, at));
    if (meetsEverything(target) || live.some((each) => each.id === id)) return;
    const isForAll = target.tenantId === '';
    // Those of tenants and those for everybody are counted apart: tenants must not hinder an operator of everything.
    const alike = live.filter(({ tenantId }) => (tenantId === '') === isForAll).length;
    const own = isForAll ? 0 : live.filter(({ tenantId }) => tenantId === target.tenantId).length;
    if (alike >= MAX_LIVE || own >= MAX_LIVE_OF_TENANT) {
      const [count, whose] = own >= MAX_LIVE_OF_TENANT ? [own, ' of this tenant'] : [MAX_LIVE, ''];
      throw invalidKillSwitch(`there are ${count}${whose} already; release some, or use a tag or a namespace.`);
    }
    const globs = live.filter(({ kind, tenantId }) => kind === 'glob' && tenantId === target.tenantId);
    if (target.kind === 'glob' && globs.length >= MAX_LIVE_GLOBS) {
      throw invalidKillSwitch(
        `there are ${MAX_LIVE_GLOBS} globs for the same tenants already; use a tag, namespace or fewer globs.`,
      );
    }
  }

  // An earlier expiry needs the revision: engaging a switch again for one second must not turn a tool back on.
  async #unshortened(id: string, expiresAt: number, at: number): Promise<number | undefined> {
    if (expiresAt === 0) return undefined;
    const known = await this.plane.guarded(() => this.plane.store.find(killSwitchKind.kind, id));
    if (!known) return 0;
    const { revision } = known;
    if (isLive(known, at) && (known.expiresAt === 0 || known.expiresAt > expiresAt)) {
      throw new ToolSearchError('REVISION_CONFLICT', `It is off for longer already, at revision ${revision}.`, {
        hint: 'Nothing was changed. To let it end earlier, send that revision as expectedRevision.',
      });
    }
    return revision;
  }

  /** Whether a switch has not expired, by the store's clock. */
  isLive(killSwitch: KillSwitch): boolean {
    return isLive(killSwitch, this.now());
  }
}

function subjectOf({ kind, value }: KillSwitchTarget): string {
  return `${kind}:${value}`;
}
