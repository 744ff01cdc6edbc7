import { z } from 'zod';
import { described, object, type OptionsOf, value, whole } from '../../options/options.js';
import type { SealingKey } from './credential-seal.js';

const KEY_BYTES = 32;

const credentialKey = object({
  /** Names the key in stored values: 1 to 64 letters, digits, "_" and "-". */
  id: described(z.string().regex(/^[A-Za-z0-9_-]{1,64}$/), '1 to 64 letters, digits, "_" and "-"'),
  /** 32 random bytes, or their Base64. Keep it where the database cannot be read from. */
  key: value<string | Uint8Array>((given) => bytesOf(given) !== undefined, '32 bytes, or the Base64 of 32 bytes'),
});

export const userCredentialOptions = object({
  /** The first key encrypts; all decrypt. A key may go when `GET credentials` of operators no longer shows its id. */
  keys: described(
    z
      .array(credentialKey)
      .min(1)
      .max(16)
      .refine((keys) => new Set(keys.map(({ id }) => id)).size === keys.length),
    'a list of 1 to 16 keys with different ids',
  ).readonly(),
  /**
   * The public address under which the application serves the routes of `UserConnectionsModule`. Users open
   * `to/SOURCE` below it, and the provider of each source redirects to `callback/to/SOURCE`.
   */
  connectUrl: described(z.string().refine(isAddress), 'an absolute https: address without query; http: on loopback'),
  /** Milliseconds that a user has to finish a connection. @default 600000 */
  connectForMs: whole(10_000, 3_600_000).default(600_000),
});

/** Credentials of users at the servers of sources: how they are encrypted, and where users connect. */
export interface UserCredentialOptions extends OptionsOf<typeof userCredentialOptions> {}

export const userCredentialTuning = object({
  /** Tokens that expire within so many milliseconds are refreshed before they are used. @default 30000 */
  refreshBeforeMs: whole(0, 3_600_000).default(30_000),
  /** Milliseconds that each exchange with a provider may take: a connection, a refresh, a revocation. @default 15000 */
  providerTimeoutMs: whole(1_000, 120_000).default(15_000),
});

export interface UserCredentialTuning extends OptionsOf<typeof userCredentialTuning> {}

export const userCredentialSchema = object({ ...userCredentialOptions.shape, ...userCredentialTuning.shape });

/** The keys as bytes, of checked options. */
export function sealingKeys(keys: UserCredentialOptions['keys']): readonly [SealingKey, ...SealingKey[]] {
  return keys.map(({ id, key }) => ({ id, bytes: bytesOf(key) ?? new Uint8Array() })) as [SealingKey, ...SealingKey[]];
}

function bytesOf(given: unknown): Uint8Array | undefined {
  const isText = typeof given === 'string' && /^[A-Za-z0-9+/_-]{43}=?$/.test(given);
  const bytes = isText ? Buffer.from(given, 'base64') : given;
  return bytes instanceof Uint8Array && bytes.length === KEY_BYTES ? Uint8Array.from(bytes) : undefined;
}

function isAddress(given: unknown): boolean {
  if (typeof given !== 'string' || !URL.canParse(given)) return false;
  const { protocol, hostname, search, hash, username, password } = new URL(given);
  if (`${search}${hash}${username}${password}` !== '') return false;
  return protocol === 'https:' || (protocol === 'http:' && ['localhost', '127.0.0.1', '[::1]'].includes(hostname));
}
