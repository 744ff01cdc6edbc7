import { type Deprecation, DEPRECATION_KEYS, isDeprecation } from '../../tool/deprecation.js';
import { isLegalName } from '../../tool/tool-name.js';
import type { ToolEvents } from '../../tool/tool-event.js';
import type { ControlPlane } from '../control/control-plane.js';
import { invalidRequest } from '../control/invalid-request.js';
import { madeChange } from '../control/made-change.js';
import { type OperatorRequest, operatorRequest } from '../control/operator-request.js';
import { type StoredDeprecation, storedDeprecationOf } from './deprecation-set.js';

const MAX_STORED = 10_000;

/** Deprecations that operators set at run time. Each replaces the one in the tool's definition, for all tenants. */
export class ToolDeprecations {
  constructor(
    private readonly plane: ControlPlane,
    private readonly events: ToolEvents,
    private readonly now: () => number = () => plane.now(),
  ) {}

  /** By tool, at most `limit` after the tool `after`. @throws ToolSearchError `STORE_UNAVAILABLE` */
  async list(page: { readonly after?: string; readonly limit: number }): Promise<readonly StoredDeprecation[]> {
    const records = await this.plane.guarded(() => this.plane.store.list('deprecation', page));
    return records.map(storedDeprecationOf);
  }

  /** A tool's stored deprecation, or undefined. @throws ToolSearchError `STORE_UNAVAILABLE` */
  async find(tool: string): Promise<StoredDeprecation | undefined> {
    const record = await this.plane.guarded(() => this.plane.store.find('deprecation', tool));
    return record && storedDeprecationOf(record);
  }

  /**
   * Deprecates a tool. When this resolves, this process applies it. The tool need not exist yet.
   *
   * @param tool its canonical name
   * @throws ToolSearchError `INVALID_REQUEST`, `REVISION_CONFLICT`, `STORE_UNAVAILABLE`
   */
  async set(tool: string, given: Deprecation, request: OperatorRequest): Promise<StoredDeprecation> {
    const common = operatorRequest(request);
    const deprecation = checked(tool, given);
    const known = this.plane.snapshot()?.deprecations;
    if (known && known.size >= MAX_STORED && !known.has(tool)) {
      throw invalid(`there are ${MAX_STORED} stored deprecations already; remove some.`);
    }
    const { actor, reason } = common;
    const stored = { tool, deprecation, reason, actor, changedAt: this.now() };
    const record = { kind: 'deprecation' as const, key: tool, tenantId: '', value: stored, expiresAt: 0 };
    const said = { action: 'deprecation.set', subject: tool, tenantId: '', at: stored.changedAt };
    const { entry, isNew } = await madeChange(this.plane, { ...common, ...said, put: record }, 'the deprecation');
    if (isNew) this.events.emit({ type: 'deprecation.set', tool, actor, revision: entry.revision });
    return storedDeprecationOf({ value: entry.after ?? {}, revision: entry.revision });
  }

  /**
   * Removes a stored deprecation; that of the tool's definition applies again. Returns the control revision of the
   * change.
   *
   * @throws ToolSearchError `INVALID_REQUEST`, `NOT_FOUND`, `REVISION_CONFLICT`, `STORE_UNAVAILABLE`
   */
  async remove(tool: string, request: OperatorRequest): Promise<number> {
    const common = operatorRequest(request);
    if (!isLegalName(tool)) throw invalid('the tool must be a canonical name.');
    const said = { action: 'deprecation.removed', subject: tool, tenantId: '', at: this.now() };
    const change = { ...common, ...said, remove: { kind: 'deprecation' as const, key: tool } };
    const { entry, isNew } = await madeChange(this.plane, change, 'the deprecation');
    const { revision } = entry;
    if (isNew) this.events.emit({ type: 'deprecation.removed', tool, actor: common.actor, revision });
    return revision;
  }
}

// Unknown members are refused: with a misspelt `sunset` the tool would never stop.
function checked(tool: string, given: Deprecation): Record<string, string> {
  if (!isLegalName(tool)) throw invalid('the tool must be a canonical name.');
  if (!isDeprecation(given)) {
    throw invalid('since and sunset must be dates or times of ISO 8601, and successor a canonical name.');
  }
  const unknown = Object.keys(given).find((key) => !DEPRECATION_KEYS.some((each) => each === key));
  if (unknown !== undefined) {
    throw invalid(`it has the unknown member ${JSON.stringify(unknown)}; known: ${DEPRECATION_KEYS.join(', ')}.`);
  }
  if (given.successor === tool) throw invalid('a tool cannot be its own successor.');
  return Object.fromEntries(DEPRECATION_KEYS.flatMap((key) => (given[key] === undefined ? [] : [[key, given[key]]])));
}

const invalid = (message: string) => invalidRequest('The deprecation', message);
