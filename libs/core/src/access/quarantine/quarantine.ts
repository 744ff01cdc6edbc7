import type { ToolDefinition } from '../../tool/tool-definition.js';
import type { ControlRecord } from '../control/control-store.js';
import { numberOf, textOf } from '../control/record-fields.js';
import type { PolicyRefusal } from '../policies/tool-policy.js';

/** What an operator says of one definition. It holds for exactly these bytes: a changed definition is another one. */
export interface QuarantineVerdict {
  /** Whose source brought the tool; `''` = shared. */
  readonly owner: string;
  readonly source: string;
  readonly tool: string;
  /** The definition's hash. */
  readonly hash: string;
  readonly verdict: 'approved' | 'rejected';
  readonly reason: string;
  readonly actor: string;
  /** Epoch milliseconds. */
  readonly decidedAt: number;
  /** The control revision that wrote it. */
  readonly revision: number;
}

/** Which definition a verdict is about. */
export function quarantineKey({
  owner,
  source,
  name,
  hash,
}: Pick<ToolDefinition, 'owner' | 'source' | 'name' | 'hash'>) {
  return JSON.stringify([owner, source, name, hash]);
}

/** A verdict as it was kept. */
export function quarantineVerdictOf({ value, revision }: Pick<ControlRecord, 'value' | 'revision'>): QuarantineVerdict {
  return {
    owner: textOf(value, 'owner'),
    source: textOf(value, 'source'),
    tool: textOf(value, 'tool'),
    hash: textOf(value, 'hash'),
    // Whatever else it says, only this word lets a tool out.
    verdict: value['verdict'] === 'approved' ? 'approved' : 'rejected',
    reason: textOf(value, 'reason'),
    actor: textOf(value, 'actor'),
    decidedAt: numberOf(value, 'decidedAt'),
    revision,
  };
}

/** All verdicts of one control revision, immutable. */
export class QuarantineVerdicts {
  readonly #byKey: ReadonlyMap<string, QuarantineVerdict>;

  constructor(verdicts: readonly QuarantineVerdict[]) {
    this.#byKey = new Map(verdicts.map((each) => [quarantineKey({ ...each, name: each.tool }), each]));
  }

  /** What was said of exactly this definition; an approval from before another one was accepted in its place is over. */
  of(tool: ToolDefinition): QuarantineVerdict | undefined {
    const verdict = this.#byKey.size === 0 ? undefined : this.#byKey.get(quarantineKey(tool));
    return verdict && isOver(verdict, tool) ? undefined : verdict;
  }

  /** Why the tool is held back, or undefined when it is not. */
  refusal(tool: ToolDefinition): PolicyRefusal | undefined {
    const verdict = this.of(tool);
    if (verdict?.verdict === 'rejected')
      return { rule: 'rejected', reason: `an operator rejected it: ${verdict.reason}` };
    if (tool.suspicion === undefined || verdict) return undefined;
    return { rule: 'suspicion', reason: tool.suspicion };
  }
}

/** Whether an approval was given before another definition was accepted in place of this one. */
export function isOver({ verdict, decidedAt }: QuarantineVerdict, { suspectSince = 0 }: ToolDefinition): boolean {
  return verdict === 'approved' && decidedAt < suspectSince;
}
