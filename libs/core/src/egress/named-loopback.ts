import ipaddr from 'ipaddr.js';

/**
 * The entry for `egress.allow` that a URL from the application's own code needs: the host if it is a loopback name or
 * address (`localhost`, `127.0.0.1`, `[::1]`), else none. Do not use it for a URL that a tenant or a document supplies.
 */
export function namedLoopback(url: string | URL): readonly string[] {
  const host = new URL(url).hostname.replace(/^\[|\]$/g, '');
  const isLoopback = host === 'localhost' || (ipaddr.isValid(host) && ipaddr.process(host).range() === 'loopback');
  return isLoopback ? [host] : [];
}
