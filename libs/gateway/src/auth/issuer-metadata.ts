import { Egress } from '@tool-search/core/source';
import { isObject, withLinkedSignal, namedLoopback } from '@tool-search/core/internal';
import type { JSONWebKeySet } from 'jose';
import { isSafeUrl, type OAuthSettings } from './auth-options.js';

const MAX_BYTES = 256 * 1024;
const MAX_KEYS = 100;

/** Reads the keys of authorization servers. */
export class IssuerMetadata {
  readonly #egress: Egress;

  constructor(private readonly settings: Pick<OAuthSettings, 'issuers' | 'jwks' | 'egress'>) {
    // Named by the application's own code. The address of the keys comes from outside, so the same rules hold for it.
    const own = [...settings.issuers, ...Object.values(settings.jwks.uris)].flatMap(namedLoopback);
    this.#egress = new Egress({ allow: [...settings.egress.allow, ...own] });
  }

  /** The newest keys of an issuer. @throws Error if they cannot be read */
  async keysOf(issuer: string): Promise<JSONWebKeySet> {
    const { uris } = this.settings.jwks;
    const url = (Object.hasOwn(uris, issuer) ? uris[issuer] : undefined) ?? (await this.#jwksUri(issuer));
    const found = await this.#json(url);
    const keys = found?.['keys'];
    if (!Array.isArray(keys) || keys.length > MAX_KEYS) throw new Error(`${url} has no set of up to ${MAX_KEYS} keys`);
    return { keys };
  }

  close(): Promise<void> {
    return this.#egress.close();
  }

  // RFC 8414, section 3.3: metadata that names another issuer must not be used.
  async #jwksUri(issuer: string): Promise<string> {
    for (const url of metadataUrls(issuer)) {
      const metadata = await this.#json(url);
      if (!metadata) continue;
      const { issuer: named, jwks_uri: uri } = metadata;
      if (named !== issuer) throw new Error(`${url} is the metadata of another issuer`);
      if (typeof uri !== 'string' || !isSafeUrl(uri)) throw new Error(`${url} names no jwks_uri that is safe`);
      return uri;
    }
    throw new Error(`${issuer} publishes no metadata`);
  }

  /** The object at a URL; undefined if there is none. */
  #json(url: string): Promise<Readonly<Record<string, unknown>> | undefined> {
    return withLinkedSignal(
      [],
      async (signal) => {
        const response = await this.#egress.fetch(url, { headers: { accept: 'application/json' }, signal });
        if (response.status !== 200) {
          await response.body?.cancel();
          if (response.status >= 400 && response.status < 500) return undefined;
          throw new Error(`${url} answered with ${response.status}`);
        }
        const found: unknown = JSON.parse(await boundedText(response, url));
        if (!isObject(found)) throw new Error(`${url} has no JSON object`);
        return found;
      },
      this.settings.jwks.timeoutMs,
    );
  }
}

/** Where the metadata of an issuer may be: RFC 8414 (with both suffixes), then OpenID Connect Discovery. */
export function metadataUrls(issuer: string): readonly string[] {
  const { origin, pathname } = new URL(issuer);
  const path = pathname.replace(/\/$/, '');
  return [
    `${origin}/.well-known/oauth-authorization-server${path}`,
    ...(path === '' ? [] : [`${origin}/.well-known/openid-configuration${path}`]),
    `${origin}${path}/.well-known/openid-configuration`,
  ];
}

async function boundedText(response: Response, url: string): Promise<string> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of response.body ?? []) {
    size += chunk.length;
    if (size > MAX_BYTES) throw new Error(`${url} is larger than ${MAX_BYTES} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString();
}
