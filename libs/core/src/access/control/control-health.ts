/** How fresh the operators' decisions are. */
export interface ControlHealth {
  readonly state: 'ready' | 'stale' | 'closed';
  /** The control revision by which this process decides; -1 before the first one is known. */
  readonly revision: number;
  /** Milliseconds since the state was proven fresh; infinite before the first time. */
  readonly ageMs: number;
  /** Whether the last write succeeded; after one that failed, for example on a full disk, every look tries another. */
  readonly writable: boolean;
  /** Why the gate closed at once; absent unless the store is lost. */
  readonly reason?: string;
}

/** The health of a revision that was proven fresh so long ago; both limits in milliseconds, and still within when met. */
export function controlHealth(
  revision: number | undefined,
  ageMs: number,
  { staleAfterMs, closedAfterMs }: { readonly staleAfterMs: number; readonly closedAfterMs: number },
): Pick<ControlHealth, 'state' | 'revision' | 'ageMs'> {
  const isClosed = revision === undefined || ageMs > closedAfterMs;
  return { state: isClosed ? 'closed' : ageMs > staleAfterMs ? 'stale' : 'ready', revision: revision ?? -1, ageMs };
}
