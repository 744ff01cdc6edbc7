import { getOAuthProtectedResourceMetadataUrl } from '@modelcontextprotocol/server';
import type { GatewaySettings } from '../tool-gateway.options.js';
import type { Endpoints } from '../endpoint.js';

type Settings = Pick<GatewaySettings, 'oauth' | 'serverInfo'>;

/** The URL of an endpoint, as clients see it: each one is a protected resource of its own. */
export function resourceOf(resource: string, route: string): string {
  return route === '' ? resource : `${withoutSlash(resource)}/${route}`;
}

/** Values of `aud` that count at a route: a token for the whole gateway is good for its parts, and not the reverse. */
export function audienceOf(resource: string, route: string): readonly string[] {
  // A URL without a path is written with and without its slash.
  const isRoot = new URL(resource).pathname === '/';
  const root = isRoot ? [withoutSlash(resource), `${withoutSlash(resource)}/`] : [resource];
  return route === '' ? root : [...root, resourceOf(resource, route)];
}

/** Where the metadata of a resource is (RFC 9728, section 3.1). */
export function metadataUrlOf(resource: string): string {
  return getOAuthProtectedResourceMetadataUrl(new URL(resource));
}

/**
 * The metadata (RFC 9728) of the resource that has them under this path; undefined for any other path.
 *
 * @param path of the request, as it was sent
 * @throws ToolSearchError `GATE_CLOSED` for a profile, while it is not known what operators decided
 */
export function metadataAt(path: string, settings: Settings, endpoints: Pick<Endpoints, 'of'>): object | undefined {
  const { oauth, serverInfo } = settings;
  if (!oauth || !path.startsWith('/.well-known/oauth-protected-resource')) return undefined;
  const base = withoutSlash(new URL(metadataUrlOf(oauth.resource)).pathname);
  const asked = withoutSlash(path);
  if (asked !== base && !asked.startsWith(`${base}/`)) return undefined;
  const route = asked.slice(base.length + 1);
  const endpoint = endpoints.of(route);
  if (!endpoint) return undefined;
  return {
    resource: resourceOf(oauth.resource, route),
    authorization_servers: oauth.issuers,
    scopes_supported: endpoint.scopes,
    bearer_methods_supported: ['header'],
    resource_name: serverInfo.title ?? serverInfo.name,
  };
}

function withoutSlash(text: string): string {
  return text.replace(/\/$/, '');
}
