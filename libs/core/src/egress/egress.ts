import { lookup } from 'node:dns';
import { isIP, type LookupFunction } from 'node:net';
import { Agent, buildConnector, fetch as undiciFetch } from 'undici';
import { AddressRules, type EgressOptions } from './address-rules.js';
import ipaddr from 'ipaddr.js';

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

const MAX_CAUSES = 8;

/** A request was refused because its destination is neither public nor allowed. */
export class EgressRefused extends Error {
  constructor(host: string) {
    super(`${host} stands for an address that is not public`);
    this.name = 'EgressRefused';
  }
}

/** Whether an {@link EgressRefused} is among the causes of a failed request. */
export function isEgressRefused(error: unknown): boolean {
  let cause = error;
  for (let depth = 0; cause instanceof Error && depth < MAX_CAUSES; depth++) {
    if (cause instanceof EgressRefused) return true;
    cause = cause.cause;
  }
  return false;
}

/**
 * The entry for `egress.allow` that a URL from the application's own code needs: the host if it is a loopback name or
 * address (`localhost`, `127.0.0.1`, `[::1]`), else none. Do not use it for a URL that a tenant or a document supplies.
 */
export function namedLoopback(url: string | URL): readonly string[] {
  const host = new URL(url).hostname.replace(/^\[|\]$/g, '');
  const isLoopback = host === 'localhost' || (ipaddr.isValid(host) && ipaddr.process(host).range() === 'loopback');
  return isLoopback ? [host] : [];
}
