import { randomBytes } from 'node:crypto';
import type { Caller } from '../../../access/tool-gate.js';
import { guardStore } from '../../../tool/store-guard.js';
import { ToolSearchError } from '../../../tool/tool-search.error.js';
import type { ResultSettings } from '../result-options.js';
import type { HeldResultStore, ResultHolder } from './held-result-store.js';

/** The parts of a result that can be read on. */
export interface ResultDocument {
  /** The whole result as text for a model. */
  readonly text: string;
  /** Structured content as JSON, if the text says something else. */
  readonly structured?: string;
  /** Whether parts that are read are marked as data. @default absent */
  readonly untrusted?: true;
}

const HANDLE = /^r_[A-Za-z0-9_-]{22}$/;
const SWEEP_BATCH = 20;

/** Holds results that were too large for a model, each for the principal that called the tool. */
export class HeldResults {
  constructor(
    private readonly store: HeldResultStore,
    readonly settings: ResultSettings,
  ) {}

  /**
   * Holds a result. Returns its handle, or undefined for one that is larger than everything that a tenant may hold.
   *
   * @throws ToolSearchError `STORE_UNAVAILABLE`
   */
  async hold(caller: Caller, tool: string, document: ResultDocument): Promise<string | undefined> {
    const body = Buffer.from(JSON.stringify(document));
    const { heldForMs: forMs, maxHeldPerPrincipal: ofHolder, maxHeldBytes: bytesOfTenant } = this.settings;
    if (body.length > bytesOfTenant) return undefined;
    // 128 random bits: a handle cannot be guessed, not even by a model that has seen many.
    const handle = `r_${randomBytes(16).toString('base64url')}`;
    const limits = { forMs, ofHolder, bytesOfTenant };
    await guarded(() => this.store.hold(handle, holderOf(caller), { tool, body }, limits));
    return handle;
  }

  /**
   * Reads a result of this caller. A forged or expired handle, one of another principal, and a result of a tool that
   * may not be used any more have the same answer.
   *
   * @param mayRead whether the gate allows the tool now
   * @throws ToolSearchError `RESULT_NOT_AVAILABLE`, `STORE_UNAVAILABLE`
   */
  async read(caller: Caller, handle: string, mayRead: (tool: string) => Promise<boolean>): Promise<ResultDocument> {
    const result = HANDLE.test(handle) ? await guarded(() => this.store.find(handle, holderOf(caller))) : undefined;
    if (!result || !(await mayRead(result.tool))) throw resultNotAvailable();
    return JSON.parse(Buffer.from(result.body).toString()) as ResultDocument;
  }

  /** Removes expired results, in batches. Returns their number. */
  sweep(): Promise<number> {
    return guarded(async () => {
      let removed = 0;
      for (;;) {
        const batch = await this.store.sweep(SWEEP_BATCH);
        removed += batch;
        if (batch < SWEEP_BATCH) return removed;
      }
    });
  }
}

function holderOf({ context: { tenantId, userId = '' }, agentIds }: Caller): ResultHolder {
  return { tenantId, userId, agent: agentIds.length === 0 ? '' : JSON.stringify(agentIds) };
}

function resultNotAvailable(): ToolSearchError {
  return new ToolSearchError('RESULT_NOT_AVAILABLE', 'This result is not available.', {
    hint: 'Call the tool again, and ask for less.',
  });
}

function guarded<T>(work: () => Promise<T>): Promise<T> {
  return guardStore('Held results', work);
}
