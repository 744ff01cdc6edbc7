import type { ToolDefinition } from '../../tool/tool-definition.js';
import type { ControlRecord } from '../control/control-store.js';
import { fieldsOf } from '../control/record-fields.js';
import type { PolicyRefusal } from '../policies/tool-policy.js';

/** An operator's verdict on one definition. It holds for exactly this hash: a changed definition needs a new one. */
export interface QuarantineVerdict {
  /** The tenant that owns the source; `''` = shared. */
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

export type DefinitionPlace = Pick<ToolDefinition, 'owner' | 'source' | 'name' | 'hash'>;

/** The key of a record about exactly one definition. */
export function definitionKey({ owner, source, name, hash }: DefinitionPlace): string {
  return JSON.stringify([owner, source, name, hash]);
}

export function quarantineVerdictOf({ value, revision }: Pick<ControlRecord, 'value' | 'revision'>): QuarantineVerdict {
  return {
    ...fieldsOf(value, ['owner', 'source', 'tool', 'hash', 'reason', 'actor'], ['decidedAt']),
    // Fails closed: any other value counts as rejected.
    verdict: value['verdict'] === 'approved' ? 'approved' : 'rejected',
    revision,
  };
}

/** All verdicts of one control revision, immutable. */
export class QuarantineVerdicts {
  readonly #byKey: ReadonlyMap<string, QuarantineVerdict>;

  constructor(verdicts: readonly QuarantineVerdict[]) {
    this.#byKey = new Map(verdicts.map((each) => [definitionKey({ ...each, name: each.tool }), each]));
  }

  /** The verdict on exactly this definition. An approval from before another definition replaced it does not count. */
  of(tool: ToolDefinition): QuarantineVerdict | undefined {
    const verdict = this.#byKey.size === 0 ? undefined : this.#byKey.get(definitionKey(tool));
    return verdict && isOver(verdict, tool) ? undefined : verdict;
  }

  /** Why the tool is held back; undefined when it is not. */
  refusal(tool: ToolDefinition): PolicyRefusal | undefined {
    const verdict = this.of(tool);
    if (verdict?.verdict === 'rejected')
      return { rule: 'rejected', reason: `an operator rejected it: ${verdict.reason}` };
    if (tool.suspicion === undefined || verdict) return undefined;
    return { rule: 'suspicion', reason: tool.suspicion };
  }
}

/** Whether the approval was given before another definition was accepted in place of this one. */
export function isOver({ verdict, decidedAt }: QuarantineVerdict, { suspectSince = 0 }: ToolDefinition): boolean {
  return verdict === 'approved' && decidedAt < suspectSince;
}
