import ipaddr from 'ipaddr.js';

/**
 * What to add to `egress.allow` for an address that the application's own code names: the host, where it is this very machine by
 * its plain name (`localhost`, `127.0.0.1`, `[::1]`), else nothing. Never for an address that a tenant or a document names.
 */
export function namedLoopback(url: string | URL): readonly string[] {
  const host = new URL(url).hostname.replace(/^\[|\]$/g, '');
  const isLoopback = host === 'localhost' || (ipaddr.isValid(host) && ipaddr.process(host).range() === 'loopback');
  return isLoopback ? [host] : [];
}
