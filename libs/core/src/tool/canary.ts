import { createHash } from 'node:crypto';
import type { ToolDeclaration } from './tool-definition.js';

/**
 * The members in which a canary may differ from its tool. What access depends on stays the tool's: name, aliases, tags,
 * side effects, scopes, loading, deprecation.
 */
export type CanaryMembers = Partial<
  Pick<
    ToolDeclaration,
    | 'title'
    | 'description'
    | 'inputSchema'
    | 'outputSchema'
    | 'examples'
    | 'exampleQueries'
    | 'costHint'
    | 'latencyHintMs'
    | 'safetyNotes'
    | 'annotations'
    | 'extra'
    | 'timeoutMs'
    | 'validate'
  >
>;

/** A new definition of a tool, for a share of the tenants. */
export interface CanaryDeclaration {
  /** Percent of the tenants, 0 to 100, until an operator sets another share. A tenant stays in a share that grows. */
  readonly sharePct: number;
  /** The members that differ. With an `inputSchema`, `validate` and `examples` are not taken from the tool. */
  readonly definition: CanaryMembers;
}

/** The number of different positions: as many as six bytes have values. */
const POSITIONS = 2 ** 48;

/**
 * Where a tenant stands for the canary of a tool: from 0 to below 100, evenly spread. It is served the canary while the
 * share is above its position, so a share that grows keeps the tenants that it has. The position is the first six bytes
 * of SHA-256 over the JSON list of tool and tenant: the same on every instance and after every restart, and another one
 * for each tool.
 *
 * @param tool its canonical name
 */
export function canaryPosition(tool: string, tenantId: string): number {
  const digest = createHash('sha256')
    .update(JSON.stringify([tool, tenantId]))
    .digest();
  return (digest.readUIntBE(0, 6) / POSITIONS) * 100;
}

/** Whether a value is a share in percent: 0 to 100, parts of a percent included. */
export function isShare(value: unknown): value is number {
  return typeof value === 'number' && value >= 0 && value <= 100;
}
