import { lookup } from 'node:dns';
import { isIP, type LookupFunction } from 'node:net';
import { Agent, buildConnector, fetch as undiciFetch } from 'undici';
import { AddressRules, type EgressOptions } from './address-rules.js';
import { EgressRefused } from './egress-refused.js';

/** A `fetch` for URLs that may come from untrusted input. */
export type EgressFetch = (url: string | URL, init?: RequestInit) => Promise<Response>;

/**
 * Sends requests to URLs that may come from untrusted input, with protection against server-side request forgery.
 * Connects to public unicast addresses, and to others only where the options allow them. The check applies to the
 * address that is connected to, after each DNS lookup, so DNS rebinding does not help an attacker. Redirects are
 * returned to the caller, not followed.
 */
export class Egress {
  readonly #agent: Agent;

  /** @throws ToolSearchError `INVALID_CONFIGURATION` for an entry that is no host name, address or CIDR range */
  constructor(options: EgressOptions = {}) {
    const rules = new AddressRules(options);
    const connect = buildConnector({ lookup: permittedLookup(rules) });
    this.#agent = new Agent({
      connect: (target, callback) => {
        const host = target.hostname.replace(/^\[|\]$/g, '');
        // Node does no DNS lookup for a literal address, so it is checked here.
        if (isIP(host) !== 0 && !rules.permits(host, host)) return callback(new EgressRefused(host), null);
        connect(target, callback);
      },
    });
  }

  /**
   * Like the global `fetch`, but never follows redirects. For a refused destination it rejects with an
   * {@link EgressRefused} among the causes.
   */
  readonly fetch: EgressFetch = (url, init) =>
    undiciFetch(url, {
      ...(init as object),
      redirect: 'manual',
      dispatcher: this.#agent,
    }) as unknown as Promise<Response>;

  /** Closes all connections, including those in use. */
  async close(): Promise<void> {
    await this.#agent.destroy();
  }
}

function permittedLookup(rules: AddressRules): LookupFunction {
  return (host, options, callback) => {
    lookup(host, { ...options, all: true }, (error, addresses) => {
      if (error) return callback(error, '', 0);
      const permitted = addresses.filter(({ address }) => rules.permits(host, address));
      const [first] = permitted;
      if (!first) return callback(new EgressRefused(host), '', 0);
      if (options.all) callback(null, permitted);
      else callback(null, first.address, first.family);
    });
  };
}
