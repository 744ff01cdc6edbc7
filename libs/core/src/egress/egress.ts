import { lookup } from 'node:dns';
import { isIP, type LookupFunction } from 'node:net';
import { Agent, buildConnector, fetch as undiciFetch } from 'undici';
import { AddressRules, type EgressOptions } from './address-rules.js';
import { EgressRefused } from './egress-refused.js';

/** A `fetch` for places that others may have named. */
export type EgressFetch = (url: string | URL, init?: RequestInit) => Promise<Response>;

/**
 * The way out of the process for requests to places that others may have named. It connects to public unicast addresses, and to
 * others only where the options allow them. The address that counts is the one that is connected to, after every lookup of its
 * name, so a name that changes what it stands for gains nothing. Redirects are handed to the caller and not followed.
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
        // Nobody looks an address up, so it is checked here.
        if (isIP(host) !== 0 && !rules.permits(host, host)) return callback(new EgressRefused(host), null);
        connect(target, callback);
      },
    });
  }

  /** As the global `fetch`, but never follows a redirect. Rejects with a cause of {@link EgressRefused} for a place it may not go. */
  readonly fetch: EgressFetch = (url, init) =>
    undiciFetch(url, {
      ...(init as object),
      redirect: 'manual',
      dispatcher: this.#agent,
    }) as unknown as Promise<Response>;

  /** Ends all connections, also those in use. */
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
