import { isIP } from 'node:net';
import ipaddr, { type IPv4, type IPv6 } from 'ipaddr.js';
import { ToolSearchError } from '../tool/tool-search.error.js';

/** Where requests of a source may go. */
export interface EgressOptions {
  /**
   * Places beyond the public internet: host names (`billing.internal`; whatever they stand for), addresses (`127.0.0.1`) and ranges
   * (`10.0.0.0/8`).
   *
   * @default none
   */
  readonly allow?: readonly string[];
}

type Address = IPv4 | IPv6;

// Of IPv6 only this is given out as public; what lies outside is reserved, or an IPv4 address in another dress.
const GLOBAL_UNICAST = ipaddr.IPv6.parseCIDR('2000::/3');

/** Tells which addresses may be connected to: public unicast ones as ipaddr.js knows them, and those that are allowed. */
export class AddressRules {
  readonly #hosts: ReadonlySet<string>;
  readonly #ranges: readonly (readonly [Address, number])[];

  /** @throws ToolSearchError `INVALID_CONFIGURATION` */
  constructor({ allow = [] }: EgressOptions) {
    const isRange = (entry: string) => entry.includes('/') || isIP(entry) !== 0;
    this.#hosts = new Set(allow.filter((entry) => !isRange(entry)).map(hostOf));
    this.#ranges = allow.filter(isRange).map(rangeOf);
  }

  /** Whether `host`, which stands for `address`, may be connected to. */
  permits(host: string, address: string): boolean {
    if (this.#hosts.has(host.toLowerCase().replace(/\.$/, ''))) return true;
    // A throw inside a lookup would end the process.
    if (!ipaddr.isValid(address)) return false;
    // An IPv4 address that is written as IPv6 is judged as what it is.
    const parsed = ipaddr.process(address);
    if (isPublic(parsed)) return true;
    return this.#ranges.some(([range, bits]) => range.kind() === parsed.kind() && parsed.match(range, bits));
  }
}

function isPublic(address: Address): boolean {
  return address.range() === 'unicast' && (address.kind() === 'ipv4' || address.match(GLOBAL_UNICAST));
}

function hostOf(entry: string): string {
  const host = entry.toLowerCase().replace(/\.$/, '');
  if (!/^(?=.{1,253}$)[a-z0-9_]([a-z0-9_-]{0,62})(\.[a-z0-9_][a-z0-9_-]{0,62})*$/.test(host) || /^[\d.]+$/.test(host)) {
    throw unusable(entry);
  }
  return host;
}

function rangeOf(entry: string): readonly [Address, number] {
  try {
    return ipaddr.parseCIDR(entry.includes('/') ? entry : `${entry}/${isIP(entry) === 4 ? 32 : 128}`);
  } catch {
    throw unusable(entry);
  }
}

function unusable(entry: string): ToolSearchError {
  return new ToolSearchError('INVALID_CONFIGURATION', `egress.allow: ${JSON.stringify(entry)} names no place.`, {
    hint: 'Use host names, addresses and CIDR ranges, for example "billing.internal", "127.0.0.1" or "10.0.0.0/8".',
  });
}
