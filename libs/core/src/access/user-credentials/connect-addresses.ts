import type { CredentialKey } from './user-credential-store.js';

/** A source, and the tenant that owns it; `''` for a shared one. */
export type ConnectedSource = Pick<CredentialKey, 'source' | 'owner'>;

/** Where a user connects an account of a source. @param base the option `connectUrl` */
export function connectUrlOf(base: string, { source, owner }: ConnectedSource): string {
  return `${trimmed(base)}/${owner === '' ? 'to' : 'own'}/${encodeURIComponent(source)}`;
}

/**
 * Where the provider of a source sends the browser back to. No two sources have the same address, so a code that comes
 * back to one is never sent to the provider of another (RFC 9700, section 4.4.2.2). It names the owner too, because two
 * tenants may give their sources the same name.
 */
export function redirectUriOf(base: string, { source, owner }: ConnectedSource): string {
  const place = owner === '' ? ['to', source] : ['own', owner, source];
  return [trimmed(base), 'callback', ...place.map(encodeURIComponent)].join('/');
}

function trimmed(url: string): string {
  return url.replace(/\/+$/, '');
}
