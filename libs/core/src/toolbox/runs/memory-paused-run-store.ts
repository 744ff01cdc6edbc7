import { TenantFairLru } from '../../collections/tenant-fair-lru.js';
import { MAX_PAUSED_RUNS, type PausedRun, PausedRunStore, type RunKey } from './paused-run-store.js';

/**
 * Paused runs in the memory of one process; lost at exit and not shared. When it is full, the tenant with the most runs
 * loses the one that was paused first.
 */
export class MemoryPausedRunStore extends PausedRunStore {
  readonly #runs: TenantFairLru<PausedRun>;

  /** @param maxRuns maximum number of runs; default 10,000 */
  constructor(maxRuns = 10_000) {
    super();
    this.#runs = new TenantFairLru(maxRuns);
  }

  override async save(run: PausedRun, maxPerTenant = MAX_PAUSED_RUNS): Promise<void> {
    this.#runs.set(run.tenantId, keyOf(run), structuredClone(run), maxPerTenant);
  }

  override async find(key: RunKey): Promise<PausedRun | undefined> {
    return structuredClone(this.#runs.get(key.tenantId, keyOf(key)));
  }

  override async sweep(before: number, batch: number): Promise<number> {
    return this.#runs.deleteWhere(({ pausedAt }) => pausedAt < before, batch);
  }
}

/** JSON, so that two runs of a tenant never share a key. */
function keyOf({ userId, runId }: RunKey): string {
  return JSON.stringify([userId, runId]);
}
