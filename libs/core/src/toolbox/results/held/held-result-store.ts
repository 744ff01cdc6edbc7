/** The principal that a held result belongs to. No part is ever null; an absent user or agent is `''`. */
export interface ResultHolder {
  readonly tenantId: string;
  readonly userId: string;
  /** The agent and those above it, in one text; `''` for none. */
  readonly agent: string;
}

/** A result that was too large for a model. */
export interface HeldResult {
  /** Canonical name of the tool that returned it. */
  readonly tool: string;
  /** Opaque to the store; must not be changed. */
  readonly body: Uint8Array;
}

/** How much is held. */
export interface HeldLimits {
  /** Milliseconds after which a result is gone, by the clock of the store. */
  readonly forMs: number;
  /** Results of one holder. */
  readonly ofHolder: number;
  /** Bytes of the bodies of one tenant. */
  readonly bytesOfTenant: number;
}

/**
 * Port for results that were too large for a model, until they expire. Abstract class, so that it is also the injection
 * token. A store may lose results at any time; the tool is then called again.
 */
export abstract class HeldResultStore {
  /**
   * Stores a result under an unused handle; readers see all of it or nothing. Beyond a limit the oldest results of the
   * holder or the tenant are removed, never this one, unless it is larger than the limit itself.
   */
  abstract hold(handle: string, holder: ResultHolder, result: HeldResult, limits: HeldLimits): Promise<void>;

  /** The result with this handle if it belongs to this holder and has not expired. */
  abstract find(handle: string, holder: ResultHolder): Promise<HeldResult | undefined>;

  /** Removes up to `batch` expired results. Returns the number of removed results. */
  abstract sweep(batch: number): Promise<number>;
}
