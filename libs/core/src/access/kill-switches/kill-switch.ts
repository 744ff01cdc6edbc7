import { z } from 'zod';
import { SIDE_EFFECTS, type SideEffects, type ToolDefinition } from '../../tool/tool-definition.js';
import { isSafeId } from '../../json/safe-text.js';
import { stableHash } from '../../json/stable-hash.js';
import { checkGlob, globMatches, isLegalName } from '../../tool/tool-name.js';
import type { ReadRecord } from '../control/control-kind.js';
import { invalidRequest } from '../control/invalid-request.js';
import { readFields } from '../control/record-fields.js';

/** The kinds of targets of a kill switch. */
export const KILL_SWITCH_KINDS = ['tool', 'glob', 'namespace', 'tag', 'side_effects'] as const;

/** The tools that a kill switch turns off, and for which tenant. */
export interface KillSwitchTarget {
  readonly kind: (typeof KILL_SWITCH_KINDS)[number];
  /** A canonical name, a glob (`*` crosses dots), a namespace with those below it, a tag, or a side-effect class. */
  readonly value: string;
  /** `''` = all tenants. */
  readonly tenantId: string;
}

const storedKillSwitch = z.object({
  /** Derived from the target: the same target has the same id. */
  id: z.string(),
  reason: z.string(),
  actor: z.string(),
  /** Epoch milliseconds. */
  engagedAt: z.number(),
  // Also one that is no time, such as NaN: the switch then never ends.
  /** Epoch milliseconds; 0 = never. */
  expiresAt: z.number().or(z.nan()),
  /** Running calls are aborted too. */
  abortRunning: z.boolean().catch(false),
  /** Number of matching tools when it was engaged. 0 is valid: the switch also applies to tools added later. */
  matched: z.number(),
});

/** Turns tools off from its engagement until it is released or expires. It overrides every rule that allows them. */
export interface KillSwitch extends KillSwitchTarget, Readonly<z.output<typeof storedKillSwitch>> {
  /** The control revision that wrote it. */
  readonly revision: number;
}

type RawTarget = { readonly [K in keyof KillSwitchTarget]?: unknown };

/** Returns the id of a kill switch: equal targets and tenants have equal ids. */
export function killSwitchId({ kind, value, tenantId }: KillSwitchTarget): string {
  return `ks_${stableHash([kind, value, tenantId]).slice(0, 24)}`;
}

/** Validates a target. @throws ToolSearchError `INVALID_REQUEST` */
export function killSwitchTarget(raw: RawTarget): KillSwitchTarget {
  const target = targetOf(raw);
  // Control characters could forge lines of the audit trail, and a switch for " acme" would not affect the tenant acme.
  if (!isSafeId(target.value, 256))
    throw invalidKillSwitch('value must have no invisible characters and no blanks around it.');
  if (target.tenantId !== '' && !isSafeId(target.tenantId, 256)) {
    throw invalidKillSwitch('tenantId must have no invisible characters and no blanks around it.');
  }
  return target;
}

// Also reads stored records, so it accepts all characters: one unreadable record would close the gate for every tool.
function targetOf(raw: RawTarget): KillSwitchTarget {
  const { kind, value, tenantId = '' } = raw;
  const known = KILL_SWITCH_KINDS.find((each) => each === kind);
  if (!known) throw invalidKillSwitch(`kind must be one of ${KILL_SWITCH_KINDS.join(', ')}.`);
  if (typeof value !== 'string' || value === '' || value.length > 256)
    throw invalidKillSwitch('value must be 1 to 256 characters.');
  if (typeof tenantId !== 'string' || tenantId.length > 256)
    throw invalidKillSwitch('tenantId must be at most 256 characters.');
  if (known === 'glob') globOf(value);
  if ((known === 'tool' || known === 'namespace') && !isLegalName(value)) {
    throw invalidKillSwitch(
      `value is no ${known === 'tool' ? 'tool name' : 'namespace'}; use kind "glob" for patterns.`,
    );
  }
  if (known === 'tag' && value.length > 64) throw invalidKillSwitch('a tag has at most 64 characters.');
  if (known === 'side_effects' && !SIDE_EFFECTS.includes(value as SideEffects)) {
    throw invalidKillSwitch(`value must be one of ${SIDE_EFFECTS.join(', ')}.`);
  }
  return { kind: known, value, tenantId };
}

function globOf(value: string): void {
  try {
    checkGlob(value, 'value');
  } catch (error) {
    throw invalidKillSwitch('value is no glob: letters, digits, "_", "-", "." and the wildcards "*" and "?".', error);
  }
}

/** Whether the target matches every tool, so that engaging it needs a confirmation. */
export function meetsEverything({ kind, value }: KillSwitchTarget): boolean {
  return kind === 'glob' && /^[*?.]+$/.test(value) && value.includes('*');
}

/** Parses a stored record. @throws ToolSearchError `INTERNAL` or `INVALID_REQUEST` for an invalid one */
export function killSwitchOf({ value, revision }: ReadRecord): KillSwitch {
  return { ...targetOf(value), ...readFields(storedKillSwitch, value), revision };
}

/** Whether a target matches a tool, by its name or one of its aliases. */
export function targetMeets({ kind, value }: KillSwitchTarget, tool: ToolDefinition): boolean {
  switch (kind) {
    case 'tool':
      return tool.name === value || tool.aliases.includes(value);
    case 'glob':
      return [tool.name, ...tool.aliases].some((name) => globMatches(value, name));
    case 'namespace':
      return tool.namespace === value || tool.namespace.startsWith(`${value}.`);
    case 'tag':
      return tool.tags.includes(value);
    case 'side_effects':
      return tool.sideEffects === value;
  }
}

export const invalidKillSwitch = (message: string, cause?: unknown) =>
  invalidRequest('The kill switch', message, cause);
