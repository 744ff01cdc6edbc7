import { isIP } from 'node:net';
import { ToolSearchError } from '@tool-search/core';
import { Egress } from '@tool-search/core/source';
import { type Attempt, CallersCircuit, AddressRules, namedLoopback } from '@tool-search/core/internal';
import { checkedBaseUrl } from '../operation/base-url.js';
import { UpstreamUnavailableError, verdictOf } from './upstream-unavailable.error.js';

/** Share by which the wait of an open circuit varies, so that the instances of an application do not probe at once. */
const CIRCUIT_JITTER = 0.25;

export interface ApiAccessSettings {
  readonly source: string;
  /** A fixed base URL, or a function that returns it for each call. */
  readonly baseUrl?: string | (() => string);
  /** Allowed addresses that are not public, as in `EgressOptions`. */
  readonly allow: readonly string[];
  /** Whether a tenant owns the source. If so, its base URL does not allow loopback implicitly. */
  readonly isTenants: boolean;
  /**
   * Whether servers learn of the traces of calls: `true` adds those that get the operator's headers.
   * @default those whose address is not public, where it is allowed
   */
  readonly propagate?: boolean | undefined;
}

const PROBE_MS = 5_000;

/** Egress and circuit breakers for the servers of one source's API. */
export class ApiAccess {
  readonly #rules: AddressRules;
  readonly #circuits = new Map<string, CallersCircuit>();
  #egress: { readonly host: string; readonly way: Egress } | undefined;
  #closed = false;

  /**
   * @param changed called when a server stops answering and when it answers again
   * @throws ToolSearchError `INVALID_CONFIGURATION` for an illegal base URL or entry of `egress.allow`
   */
  constructor(
    private readonly settings: ApiAccessSettings,
    private readonly changed: () => void,
  ) {
    const { baseUrl } = settings;
    const fixed = typeof baseUrl === 'string' ? checkedBaseUrl(baseUrl) : undefined;
    this.#rules = new AddressRules({ allow: this.#allowed(fixed) });
    const fault = fixed && this.serverFault(fixed);
    if (fault) {
      throw new ToolSearchError('INVALID_CONFIGURATION', `Source ${settings.source}: ${fault}.`, {
        hint: 'Allow the address by egress.allow of this source, if it is meant.',
      });
    }
  }

  /**
   * Returns why a server's address is not allowed; undefined if it is. Host names are resolved and checked at each
   * connection.
   */
  serverFault(url: string): string | undefined {
    const { hostname } = new URL(url);
    const host = hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '');
    const isLocal = host === 'localhost' || host.endsWith('.localhost');
    const address = isIP(host) === 0 ? (isLocal ? '127.0.0.1' : undefined) : host;
    if (address === undefined || this.#rules.permits(host, address)) return undefined;
    return `its server ${host.slice(0, 60)} is not public; set baseUrl or egress.allow of this source`;
  }

  /** Whether a server may learn of the trace of a call. @param trusted whether it also gets the operator's headers */
  sharesTraces(url: string, trusted: boolean): boolean {
    const { propagate } = this.settings;
    if (propagate === false) return false;
    return this.#rules.namesPrivate(url) || this.#isComputedLoopback(url) || (propagate === true && trusted);
  }

  /**
   * The base URL for calls to which the document's servers do not apply.
   *
   * @throws ToolSearchError `SOURCE_UNAVAILABLE` if the operator's function throws or returns an illegal URL
   */
  baseUrl(): string {
    const { baseUrl = '', source } = this.settings;
    if (typeof baseUrl === 'string') return checkedBaseUrl(baseUrl);
    try {
      return checkedBaseUrl(baseUrl());
    } catch (error) {
      throw new ToolSearchError('SOURCE_UNAVAILABLE', `Source ${source} does not know where its API is.`, {
        hint: 'Try again later.',
        cause: error,
      });
    }
  }

  to(url: string): { readonly egress: Egress; readonly circuit: CallersCircuit } {
    const { origin } = new URL(url);
    let circuit = this.#circuits.get(origin);
    if (!circuit) {
      // A probe, so that no user's call decides for all.
      const probe: Attempt<{ readonly status: number }> = {
        work: () => this.#probe(origin),
        judge: (outcome) => verdictOf(outcome, ''),
      };
      const answers = async () => {
        const outcome = await probe.work().then(
          (value) => ({ value }),
          (error: unknown) => ({ error }),
        );
        return probe.judge(outcome) === 'up';
      };
      circuit = new CallersCircuit(() => this.#closed || this.changed(), probe, CIRCUIT_JITTER, answers);
      this.#circuits.set(origin, circuit);
    }
    return { egress: this.#wayTo(url), circuit };
  }

  /**
   * Probes every server whose circuit is open, as often as the circuit allows, and removes the circuits of servers that
   * are no longer used.
   *
   * @param baseUrls base URLs of the current operations; `''` keeps all circuits
   * @throws ToolSearchError `SOURCE_UNAVAILABLE` while a server does not answer
   */
  async checkServers(baseUrls: Iterable<string>): Promise<void> {
    const named = [...new Set(baseUrls)];
    const inUse = new Set(named.includes('') ? this.#circuits.keys() : named.map((baseUrl) => new URL(baseUrl).origin));
    for (const [origin, circuit] of this.#circuits) {
      if (!inUse.has(origin)) {
        this.#circuits.delete(origin);
        continue;
      }
      try {
        await circuit.check();
      } catch (error) {
        throw this.#down(error);
      }
    }
  }

  async close(): Promise<void> {
    this.#closed = true;
    await this.#egress?.way.close();
  }

  // Sent without credentials: even a 401 shows that the server is up.
  async #probe(origin: string): Promise<{ readonly status: number }> {
    try {
      const signal = AbortSignal.timeout(PROBE_MS);
      const response = await this.#wayTo(origin).fetch(origin, { method: 'HEAD', signal });
      await response.body?.cancel();
      return response;
    } catch (error) {
      throw new UpstreamUnavailableError(error);
    }
  }

  #down(cause: unknown): ToolSearchError {
    const message = `The API of source ${this.settings.source} is not answering.`;
    return new ToolSearchError('SOURCE_UNAVAILABLE', message, { hint: 'Try again later.', cause });
  }

  // One egress for all servers. If `baseUrl` is a function, the host that it currently returns is allowed.
  #wayTo(url: string): Egress {
    const isComputed = typeof this.settings.baseUrl === 'function';
    const host = isComputed ? new URL(url).hostname.replace(/^\[|\]$/g, '') : '';
    if (this.#egress?.host === host) return this.#egress.way;
    void this.#egress?.way.close();
    const own = isComputed && !this.settings.isTenants ? [host] : [];
    const fixed = typeof this.settings.baseUrl === 'string' ? this.settings.baseUrl : undefined;
    const way = new Egress({ allow: [...this.#allowed(fixed), ...own] });
    this.#egress = { host, way };
    return way;
  }

  #isComputedLoopback(url: string): boolean {
    const { baseUrl, isTenants } = this.settings;
    return typeof baseUrl === 'function' && !isTenants && namedLoopback(url).length > 0;
  }

  #allowed(baseUrl: string | undefined): readonly string[] {
    const { allow, isTenants } = this.settings;
    return baseUrl === undefined || isTenants ? allow : [...allow, ...namedLoopback(baseUrl)];
  }
}
