import { canaryPosition, isShare } from '../../tool/canary.js';
import type { CatalogSnapshot } from '../../tool/snapshot/catalog-snapshot.js';
import type { ToolDefinition } from '../../tool/tool-definition.js';
import { ToolSearchError } from '../../tool/tool-search.error.js';
import type { ControlRecord } from '../control/control-store.js';
import { fieldsOf } from '../control/record-fields.js';
import type { QuarantineVerdicts } from '../quarantine/quarantine.js';

/** The share of a canary that an operator has set. It replaces the declared one. */
export interface StoredCanary {
  /** Canonical name. */
  readonly tool: string;
  /** Percent of the tenants, 0 to 100. */
  readonly sharePct: number;
  /** Hash of the canary definition that the share is for; `''` for none. For another one it can only be a maximum. */
  readonly definitionHash: string;
  readonly reason: string;
  readonly actor: string;
  /** Epoch milliseconds. */
  readonly changedAt: number;
  /** The control revision that wrote it. */
  readonly revision: number;
}

/** @throws ToolSearchError `INTERNAL` for a record that cannot be read */
export function storedCanaryOf({ value, revision }: Pick<ControlRecord, 'value' | 'revision'>): StoredCanary {
  const texts = ['tool', 'definitionHash', 'reason', 'actor'] as const;
  const fields = fieldsOf(value, texts, ['sharePct', 'changedAt']);
  if (isShare(fields.sharePct)) return { ...fields, revision };
  throw new ToolSearchError('INTERNAL', 'A stored share of a canary is no percentage.', {
    hint: 'A newer version may have written it: run the same version everywhere.',
  });
}

/** The shares of canaries that operators have set, of one control revision. Immutable. */
export class CanarySet {
  readonly #byTool: ReadonlyMap<string, StoredCanary>;

  constructor(stored: readonly StoredCanary[]) {
    this.#byTool = new Map(stored.map((each) => [each.tool, each]));
  }

  get size(): number {
    return this.#byTool.size;
  }

  has(tool: string): boolean {
    return this.#byTool.has(tool);
  }

  /** What an operator has set for a tool. */
  of(tool: string): StoredCanary | undefined {
    return this.#byTool.get(tool);
  }

  /**
   * Percent of the tenants that a canary is served to now; 0 for a tool that is none. A share that an operator set for
   * another definition narrows this one, and never widens it.
   */
  shareOf({ name, hash, canary }: ToolDefinition): number {
    if (!canary) return 0;
    const stored = this.#byTool.get(name);
    if (!stored) return canary.sharePct;
    return stored.definitionHash === hash ? stored.sharePct : Math.min(stored.sharePct, canary.sharePct);
  }

  /** Whether a tenant is in the share of a canary. A context without a tenant never is. */
  isChosen(canary: ToolDefinition, tenantId: string): boolean {
    return tenantId !== '' && canaryPosition(canary.name, tenantId) < this.shareOf(canary);
  }
}

/** No operator has set a share. */
export const NO_CANARIES = new CanarySet([]);

/** What operators decide that canaries depend on. */
export interface CanaryRules {
  readonly canaries: CanarySet;
  readonly quarantine: QuarantineVerdicts;
}

/**
 * The dense id of the definition that a tenant is served: that of the tool's canary for a tenant in its share, unless
 * the canary is held; otherwise the given id.
 *
 * @param id of a tool that is no canary
 * @param rules read only if the tool has a canary
 */
export function servedId(snapshot: CatalogSnapshot, id: number, tenantId: string, rules: () => CanaryRules): number {
  const canaryId = snapshot.canaryOf(id);
  if (canaryId === undefined) return id;
  const canary = snapshot.at(canaryId);
  const { canaries, quarantine } = rules();
  return canaries.isChosen(canary, tenantId) && !quarantine.refusal(canary) ? canaryId : id;
}

/** The dense ids of the definitions that a tenant is not served, each because it is served the other one of a tool. */
export function unservedIds(
  snapshot: CatalogSnapshot,
  tenantId: string,
  rules: () => CanaryRules,
): ReadonlySet<number> {
  const unserved = new Set<number>();
  for (const [tool, canary] of snapshot.canaries()) {
    unserved.add(servedId(snapshot, tool, tenantId, rules) === tool ? canary : tool);
  }
  return unserved;
}

/** A sentence for operators about the canary of a tool, as one tenant has it; undefined for a tool without one. */
export function canaryNote(
  snapshot: CatalogSnapshot,
  { name, canary: isCanary }: ToolDefinition,
  tenantId: string,
  rules: () => CanaryRules,
): string | undefined {
  const canary = snapshot.definitionsOf(name, tenantId).find((each) => each.canary);
  if (!canary) return undefined;
  const { canaries, quarantine } = rules();
  const held = quarantine.refusal(canary);
  if (held) return `Its canary is held, so every tenant is served the tool's own definition: ${held.reason}.`;
  const share = `${canaries.shareOf(canary)} % of the tenants`;
  const here = isCanary ? 'and to this one' : 'and not to this one';
  return `Its canary ${canary.hash.slice(0, 12)} is served to ${share}, ${here}.`;
}
