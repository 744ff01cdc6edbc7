import { z } from 'zod';
import { glob } from '../../tool/source/source-options.js';
import { SIDE_EFFECTS, type ToolDefinition } from '../../tool/tool-definition.js';
import { isSafeId } from '../../json/safe-text.js';
import { stableHash } from '../../json/stable-hash.js';
import { globMatches, isLegalName } from '../../tool/tool-name.js';
import type { ReadRecord } from '../control/control-kind.js';
import { invalidRequest } from '../control/invalid-request.js';
import { readFields } from '../control/record-fields.js';

/** The kinds of targets of a kill switch. */
export const KILL_SWITCH_KINDS = ['tool', 'glob', 'namespace', 'tag', 'side_effects'] as const;

type Kind = (typeof KILL_SWITCH_KINDS)[number];

const VALUE = 'value must be 1 to 256 characters';
const TENANT = 'tenantId must be at most 256 characters';
const INVISIBLE = 'must have no invisible characters and no blanks around it';
const globs = glob();

/** What the value of a target is, by its kind, and the fault of one that is something else. */
const VALUES: Readonly<Record<Kind, readonly [isValue: (value: string) => boolean, fault: string]>> = {
  tool: [isLegalName, 'value is no tool name; use kind "glob" for patterns'],
  glob: [
    (value) => globs.safeParse(value).success,
    'value is no glob: letters, digits, "_", "-", "." and the wildcards "*" and "?"',
  ],
  namespace: [isLegalName, 'value is no namespace; use kind "glob" for patterns'],
  tag: [(value) => value.length <= 64, 'a tag has at most 64 characters'],
  side_effects: [
    (value) => (SIDE_EFFECTS as readonly string[]).includes(value),
    `value must be one of ${SIDE_EFFECTS.join(', ')}`,
  ],
};

// Also reads stored records, so it accepts all characters: one unreadable record would close the gate for every tool.
const storedTarget = z
  .object({
    kind: z.enum(KILL_SWITCH_KINDS, `kind must be one of ${KILL_SWITCH_KINDS.join(', ')}`),
    /** A canonical name, a glob (`*` crosses dots), a namespace with those below it, a tag, or a side-effect class. */
    value: z.string(VALUE).min(1, VALUE).max(256, VALUE),
    /** `''` = all tenants. */
    tenantId: z.string(TENANT).max(256, TENANT).default(''),
  })
  .check(({ value: target, issues }) => {
    const [isValue, fault] = VALUES[target.kind];
    if (!isValue(target.value)) issues.push({ code: 'custom', input: target, path: ['value'], message: fault });
  });

// Control characters could forge lines of the audit trail, and a switch for " acme" would not affect the tenant acme.
const newTarget = storedTarget
  .refine(({ value }) => isSafeId(value, 256), `value ${INVISIBLE}`)
  .refine(({ tenantId }) => tenantId === '' || isSafeId(tenantId, 256), `tenantId ${INVISIBLE}`);

/** The tools that a kill switch turns off, and for which tenant. */
export interface KillSwitchTarget extends Readonly<z.output<typeof storedTarget>> {}

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
  return readTarget(newTarget, raw);
}

function readTarget(schema: z.ZodType<KillSwitchTarget>, raw: RawTarget): KillSwitchTarget {
  const { success, data, error } = schema.safeParse(raw);
  if (success) return data;
  throw invalidKillSwitch(`${error.issues[0]?.message}.`);
}

/** Whether the target matches every tool, so that engaging it needs a confirmation. */
export function meetsEverything({ kind, value }: KillSwitchTarget): boolean {
  return kind === 'glob' && /^[*?.]+$/.test(value) && value.includes('*');
}

/** Parses a stored record. @throws ToolSearchError `INTERNAL` or `INVALID_REQUEST` for an invalid one */
export function killSwitchOf({ value, revision }: ReadRecord): KillSwitch {
  return { ...readTarget(storedTarget, value), ...readFields(storedKillSwitch, value), revision };
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
