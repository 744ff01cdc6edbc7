import { z } from 'zod';

/** What every record of a decision says of the operator who made it. */
export const storedDecision = z.object({
  reason: z.string(),
  actor: z.string(),
  /** Epoch milliseconds. */
  changedAt: z.number(),
});

/** A decision in the control store. */
export interface StoredDecision extends Readonly<z.output<typeof storedDecision>> {
  /** The control revision that wrote it. */
  readonly revision: number;
}
