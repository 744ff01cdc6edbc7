/** All states of a process's view of the operators' decisions. */
export const CONTROL_STATES = ['ready', 'stale', 'closed'] as const;

/** How fresh this process's view of the operators' decisions is. */
export interface ControlHealth {
  readonly state: (typeof CONTROL_STATES)[number];
  /** The control revision that this process has applied; -1 before the first read. */
  readonly revision: number;
  /** Milliseconds since the last successful read; infinite before the first one. */
  readonly ageMs: number;
  /** Whether the last write succeeded. After a failed write, for example on a full disk, every poll tries again. */
  readonly writable: boolean;
  /** Why the gate closed at once; present only when the store is lost. */
  readonly reason?: string;
}

/** Health of a snapshot of this age. Both limits are in milliseconds and inclusive. */
export function controlHealth(
  revision: number | undefined,
  ageMs: number,
  { staleAfterMs, closedAfterMs }: { readonly staleAfterMs: number; readonly closedAfterMs: number },
): Pick<ControlHealth, 'state' | 'revision' | 'ageMs'> {
  const isClosed = revision === undefined || ageMs > closedAfterMs;
  return { state: isClosed ? 'closed' : ageMs > staleAfterMs ? 'stale' : 'ready', revision: revision ?? -1, ageMs };
}
