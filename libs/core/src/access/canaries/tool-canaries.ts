import { isShare } from '../../tool/canary.js';
import { isLegalName } from '../../tool/tool-name.js';
import type { ToolDefinition } from '../../tool/tool-definition.js';
import type { ToolEvents } from '../../tool/tool-event.js';
import type { ControlPlane } from '../control/control-plane.js';
import { invalidRequest } from '../control/invalid-request.js';
import { madeChange } from '../control/made-change.js';
import { type OperatorRequest, operatorRequest } from '../control/operator-request.js';
import { type StoredCanary, storedCanaryOf } from './canary-set.js';

const MAX_STORED = 10_000;
const HASH = /^[0-9a-f]{64}$/;

/** A share that an operator sets. */
export interface CanaryShare {
  /** Percent of the tenants, 0 to 100. 0 stops the canary: from then on every tenant has the tool's own definition. */
  readonly sharePct: number;
  /** Hash of the canary definition that the operator has seen. Required above 0. */
  readonly definitionHash?: string;
}

/** A canary of the catalog, and how it is served now. */
export interface CanaryStatus {
  readonly tool: ToolDefinition;
  /** Percent of the tenants that are served it, by the newest decisions of operators. */
  readonly sharePct: number;
  /** Set while the quarantine holds it, so that no tenant is served it. */
  readonly held?: string;
  /** What an operator has set. */
  readonly stored?: StoredCanary;
}

/** Shares of canaries that operators set at run time. Each replaces the share that the source declares. */
export class ToolCanaries {
  constructor(
    private readonly plane: ControlPlane,
    private readonly events: ToolEvents,
    /** The definitions of the catalog, canaries included. */
    private readonly definitions: () => readonly ToolDefinition[],
    private readonly now: () => number = () => plane.now(),
  ) {}

  /** All canaries of the catalog, by owner and tool. @throws ToolSearchError `GATE_CLOSED` */
  current(): readonly CanaryStatus[] {
    const { canaries, quarantine } = this.plane.current();
    return this.definitions().flatMap((tool) => {
      if (!tool.canary) return [];
      const held = quarantine.refusal(tool)?.reason;
      const stored = canaries.of(tool.name);
      const sharePct = canaries.shareOf(tool);
      return [{ tool, sharePct, ...(held !== undefined && { held }), ...(stored && { stored }) }];
    });
  }

  /** Stored shares by tool, at most `limit` after the tool `after`. @throws ToolSearchError `STORE_UNAVAILABLE` */
  async list(page: { readonly after?: string; readonly limit: number }): Promise<readonly StoredCanary[]> {
    const records = await this.plane.guarded(() => this.plane.store.list('canary', page));
    return records.map(storedCanaryOf);
  }

  /**
   * Sets the share of a tool's canary. When this resolves, this process applies it. Calls that were admitted before end
   * under the definition that they were admitted under.
   *
   * @param tool its canonical name
   * @throws ToolSearchError `INVALID_REQUEST`, `REVISION_CONFLICT`, `STORE_UNAVAILABLE`
   */
  async set(tool: string, given: CanaryShare, request: OperatorRequest): Promise<StoredCanary> {
    const common = operatorRequest(request);
    const { sharePct, definitionHash = '' } = checked(tool, given);
    const known = this.plane.snapshot()?.canaries;
    if (known && known.size >= MAX_STORED && !known.has(tool)) {
      throw invalid(`there are ${MAX_STORED} stored shares already; remove some.`);
    }
    const { actor, reason } = common;
    const stored = { tool, sharePct, definitionHash, reason, actor, changedAt: this.now() };
    const record = { kind: 'canary' as const, key: tool, tenantId: '', value: stored, expiresAt: 0 };
    const said = { action: 'canary.set', subject: tool, tenantId: '', at: stored.changedAt };
    const { entry, isNew } = await madeChange(this.plane, { ...common, ...said, put: record }, 'the share');
    if (isNew) this.events.emit({ type: 'canary.set', tool, sharePct, actor, revision: entry.revision });
    return storedCanaryOf({ value: entry.after ?? {}, revision: entry.revision });
  }

  /**
   * Removes a stored share; the one that the source declares applies again. Returns the control revision of the change.
   *
   * @throws ToolSearchError `INVALID_REQUEST`, `NOT_FOUND`, `REVISION_CONFLICT`, `STORE_UNAVAILABLE`
   */
  async remove(tool: string, request: OperatorRequest): Promise<number> {
    const common = operatorRequest(request);
    if (!isLegalName(tool)) throw invalid('the tool must be a canonical name.');
    const said = { action: 'canary.removed', subject: tool, tenantId: '', at: this.now() };
    const change = { ...common, ...said, remove: { kind: 'canary' as const, key: tool } };
    const { entry, isNew } = await madeChange(this.plane, change, 'the share');
    const { revision } = entry;
    if (isNew) this.events.emit({ type: 'canary.removed', tool, actor: common.actor, revision });
    return revision;
  }
}

function checked(tool: string, given: CanaryShare): CanaryShare {
  if (!isLegalName(tool)) throw invalid('the tool must be a canonical name.');
  const { sharePct, definitionHash } = given;
  if (!isShare(sharePct)) throw invalid('sharePct must be a number from 0 to 100.');
  const isHash = typeof definitionHash === 'string' && HASH.test(definitionHash);
  if (definitionHash !== undefined && !isHash) throw invalid('definitionHash must be a SHA-256 in hex.');
  if (sharePct > 0 && definitionHash === undefined) {
    throw invalid('above 0 it needs definitionHash, the hash of the canary that it is for.');
  }
  return given;
}

const invalid = (message: string) => invalidRequest('The share of the canary', message);
