import { lookup } from 'node:dns';
import { isIP, type LookupFunction } from 'node:net';
import { pipeline, type Readable } from 'node:stream';
import { createGunzip, createInflate } from 'node:zlib';
import { Agent, buildConnector, type Dispatcher, fetch as undiciFetch, request } from 'undici';
import { AddressRules, type EgressOptions } from './address-rules.js';
import ipaddr from 'ipaddr.js';

/** A `fetch` for URLs that may come from untrusted input. */
export type EgressFetch = (url: string | URL, init?: RequestInit) => Promise<Response>;

/** The parts of a request that {@link Egress.request} sends. */
export interface EgressRequestInit {
  /** @default 'GET' */
  readonly method?: string | undefined;
  readonly headers?: Iterable<readonly [string, string]> | undefined;
  readonly body?: string | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** The answer to a request. Its body must be read to the end or destroyed, because it keeps a connection until then. */
export interface EgressAnswer {
  readonly status: number;
  /** By their names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Readable;
}

/** Sends a request to a URL that may come from untrusted input. */
export type EgressRequest = (url: string | URL, init?: EgressRequestInit) => Promise<EgressAnswer>;

const ENCODINGS = new Map([
  ['gzip', createGunzip],
  ['deflate', createInflate],
]);
const ACCEPTED_ENCODINGS = [...ENCODINGS.keys()].join(', ');

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

  /**
   * Like {@link fetch} for callers that make many small requests, without its web streams, which cost more than the rest
   * of a small request. Accepts bodies that are compressed once, and decompresses them.
   */
  readonly request: EgressRequest = async (url, { method = 'GET', headers, body, signal } = {}) => {
    const answer = await request(url, {
      method: method as Dispatcher.HttpMethod,
      headers: { ...(headers && Object.fromEntries(headers)), 'accept-encoding': ACCEPTED_ENCODINGS },
      body: body ?? null,
      signal: signal ?? null,
      dispatcher: this.#agent,
    });
    const received = joined(answer.headers);
    const decompress = ENCODINGS.get(received['content-encoding']?.toLowerCase() ?? '');
    // The callback is there because a pipeline without one does not report errors; they reach the reader as well.
    const decoded = decompress ? pipeline(answer.body, decompress(), () => undefined) : answer.body;
    return { status: answer.statusCode, headers: received, body: decoded };
  };

  /** Closes all connections, including those in use. */
  async close(): Promise<void> {
    await this.#agent.destroy();
  }
}

function joined(headers: Readonly<Record<string, string | string[] | undefined>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value = '']) => [name, typeof value === 'string' ? value : value.join(', ')]),
  );
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
