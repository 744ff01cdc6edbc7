import { SIDE_EFFECTS, type SideEffects, type ToolDefinition } from '../../tool/tool-definition.js';
import { isSafeId } from '../../json/safe-text.js';
import { stableHash } from '../../json/stable-hash.js';
import { checkGlob, globMatches, isLegalName } from '../../tool/tool-name.js';
import { ToolSearchError } from '../../tool/tool-search.error.js';
import type { ControlRecord } from '../control/control-store.js';
import { numberOf, textOf } from '../control/record-fields.js';

/** What a kill switch turns off. */
export const KILL_SWITCH_KINDS = ['tool', 'glob', 'namespace', 'tag', 'side_effects'] as const;

/** What a kill switch turns off, and for whom. */
export interface KillSwitchTarget {
  readonly kind: (typeof KILL_SWITCH_KINDS)[number];
  /** A canonical name, a glob (`*` crosses dots), a namespace with those below it, a tag, or a side-effect class. */
  readonly value: string;
  /** `''` = for everybody. */
  readonly tenantId: string;
}

/** A live "off": it beats every rule that allows, from the moment at which it is engaged until it is released or expires. */
export interface KillSwitch extends KillSwitchTarget {
  /** The same for the same target. */
  readonly id: string;
  readonly reason: string;
  readonly actor: string;
  /** Epoch milliseconds. */
  readonly engagedAt: number;
  /** Epoch milliseconds; 0 = never. */
  readonly expiresAt: number;
  /** Calls that are running are given up as well. */
  readonly abortRunning: boolean;
  /** Tools of the catalog that it met when it was engaged; 0 may be meant: a tool that comes later is met as well. */
  readonly matched: number;
  /** The control revision that wrote it. */
  readonly revision: number;
}

type RawTarget = { readonly [K in keyof KillSwitchTarget]?: unknown };

/** The id of a target's switch. */
export function killSwitchId({ kind, value, tenantId }: KillSwitchTarget): string {
  return `ks_${stableHash([kind, value, tenantId]).slice(0, 24)}`;
}

/** A checked target. @throws ToolSearchError `INVALID_REQUEST` */
export function killSwitchTarget(raw: RawTarget): KillSwitchTarget {
  const target = targetOf(raw);
  // They would forge lines of the audit trail, and a switch for " acme" turns off nothing of acme's.
  if (!isSafeId(target.value, 256))
    throw invalidKillSwitch('value must have no invisible characters and no blanks around it.');
  if (target.tenantId !== '' && !isSafeId(target.tenantId, 256)) {
    throw invalidKillSwitch('tenantId must have no invisible characters and no blanks around it.');
  }
  return target;
}

// What is kept must be read whatever its characters are, or nothing would be decided any more.
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

/** Whether the target is every tool there is, so that engaging it needs a confirmation. */
export function meetsEverything({ kind, value }: KillSwitchTarget): boolean {
  return kind === 'glob' && /^[*?.]+$/.test(value) && value.includes('*');
}

/** A switch as it was kept. @throws ToolSearchError `INTERNAL` for what is none */
export function killSwitchOf({ value, revision }: Pick<ControlRecord, 'value' | 'revision'>): KillSwitch {
  const target = targetOf(value);
  return {
    ...target,
    id: textOf(value, 'id'),
    reason: textOf(value, 'reason'),
    actor: textOf(value, 'actor'),
    engagedAt: numberOf(value, 'engagedAt'),
    expiresAt: numberOf(value, 'expiresAt'),
    abortRunning: value['abortRunning'] === true,
    matched: numberOf(value, 'matched'),
    revision,
  };
}

/** Whether a target means a tool, by its name or one of its aliases. */
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

/** The refusal of a switch, by what is wrong with it. */
export function invalidKillSwitch(message: string, cause?: unknown): ToolSearchError {
  return new ToolSearchError('INVALID_REQUEST', `The kill switch is not valid: ${message}`, {
    hint: 'Nothing was changed. Correct the request and send it again.',
    cause,
  });
}
