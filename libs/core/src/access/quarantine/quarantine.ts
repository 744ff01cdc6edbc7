import { z } from 'zod';
import type { JsonObject } from '../../json/json.js';
import type { ToolDefinition } from '../../tool/tool-definition.js';
import type { ReadRecord } from '../control/control-kind.js';
import { readFields, textIn } from '../control/record-fields.js';
import type { PolicyRefusal } from '../policies/tool-policy.js';

/** The fields of a record that name exactly one definition. */
export const namedDefinition = z.object({
  /** The tenant that owns the source; `''` = shared. */
  owner: z.string(),
  source: z.string(),
  tool: z.string(),
  /** The definition's hash. */
  hash: z.string(),
});

/** All verdicts on a definition. */
export const QUARANTINE_VERDICTS = ['approved', 'rejected'] as const;

const storedVerdict = namedDefinition.extend({
  // Fails closed: any other value counts as rejected.
  verdict: z.enum(QUARANTINE_VERDICTS).catch('rejected'),
  reason: z.string(),
  actor: z.string(),
  /** Epoch milliseconds. */
  decidedAt: z.number(),
});

/** An operator's verdict on one definition. It holds for exactly this hash: a changed definition needs a new one. */
export interface QuarantineVerdict extends Readonly<z.output<typeof storedVerdict>> {
  /** The control revision that wrote it. */
  readonly revision: number;
}

export type DefinitionPlace = Pick<ToolDefinition, 'owner' | 'source' | 'name' | 'hash'>;

/** The key of a record about exactly one definition. */
export function definitionKey({ owner, source, name, hash }: DefinitionPlace): string {
  return JSON.stringify([owner, source, name, hash]);
}

/** The key of a record with this value, which names exactly one definition. */
export function definitionKeyIn(value: JsonObject): string {
  const [owner, source, name, hash] = ['owner', 'source', 'tool', 'hash'].map((field) => textIn(value, field));
  return JSON.stringify([owner, source, name, hash]);
}

/** How the audit trail names a definition: its tool and the beginning of its hash. */
export function definitionSubject({ name, hash }: Pick<DefinitionPlace, 'name' | 'hash'>): string {
  return `${name} ${hash.slice(0, 12)}`;
}

/** The tool of a {@link definitionSubject}. A name has no blank. */
export function toolOfSubject(subject: string): string {
  return subject.slice(0, subject.indexOf(' '));
}

export function quarantineVerdictOf({ value, revision }: ReadRecord): QuarantineVerdict {
  return { ...readFields(storedVerdict, value), revision };
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
