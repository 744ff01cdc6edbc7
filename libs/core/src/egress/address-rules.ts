import { isIP } from 'node:net';
import ipaddr, { type IPv4, type IPv6 } from 'ipaddr.js';
import { list, object, type OptionsOf, value } from '../options/options.js';
import { ToolSearchError } from '../tool/tool-search.error.js';

/** The schema of {@link EgressOptions}. */
export const egressOptions = object({
  /**
   * Destinations beyond the public internet: host names (`billing.internal`, allowed at any address), addresses
   * (`127.0.0.1`) and ranges (`10.0.0.0/8`).
   *
   * @default none
   */
  allow: list(value<string>(isPlace, 'a host name, an address or a range such as "10.0.0.0/8"')).default([]),
});

/** Which addresses a source may reach beyond the public internet. */
export interface EgressOptions extends OptionsOf<typeof egressOptions> {}

type Address = IPv4 | IPv6;

// The only IPv6 range assigned to public hosts. Everything else is reserved or embeds an IPv4 address.
const GLOBAL_UNICAST = ipaddr.IPv6.parseCIDR('2000::/3');

/** Allows connections to public unicast addresses (as ipaddr.js classifies them) and to the allowed ones. */
export class AddressRules {
  readonly #hosts: ReadonlySet<string>;
  readonly #ranges: readonly (readonly [Address, number])[];

  /** @throws ToolSearchError `INVALID_CONFIGURATION` */
  constructor({ allow = [] }: EgressOptions) {
    this.#hosts = new Set(allow.filter((entry) => !isRange(entry)).map(hostOf));
    this.#ranges = allow.filter(isRange).map(rangeOf);
  }

  /** Whether a connection to `host`, which resolved to `address`, is allowed. */
  permits(host: string, address: string): boolean {
    if (this.#hosts.has(host.toLowerCase().replace(/\.$/, ''))) return true;
    // ipaddr.js throws on an invalid address, and a throw inside a DNS lookup callback would end the process.
    if (!ipaddr.isValid(address)) return false;
    // An IPv4 address in IPv6 notation is checked as IPv4.
    const parsed = ipaddr.process(address);
    return isPublic(parsed) || this.#isInRange(parsed);
  }

  /**
   * Whether a URL names an allowed place beyond the public internet: a host that the options name, or an address that is
   * not public. What other names resolve to is not known here.
   */
  namesPrivate(url: string | URL): boolean {
    const host = new URL(url).hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '');
    if (this.#hosts.has(host)) return true;
    if (isIP(host) === 0) return false;
    const address = ipaddr.process(host);
    return !isPublic(address) && this.#isInRange(address);
  }

  #isInRange(address: Address): boolean {
    return this.#ranges.some(([range, bits]) => range.kind() === address.kind() && address.match(range, bits));
  }
}

function isPublic(address: Address): boolean {
  return address.range() === 'unicast' && (address.kind() === 'ipv4' || address.match(GLOBAL_UNICAST));
}

function isRange(entry: string): boolean {
  return entry.includes('/') || isIP(entry) !== 0;
}

function isPlace(given: unknown): boolean {
  if (typeof given !== 'string') return false;
  try {
    return Boolean(isRange(given) ? rangeOf(given) : hostOf(given));
  } catch {
    return false;
  }
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
