import { hash, timingSafeEqual } from 'node:crypto';
import type { GatewayToken } from './auth-options.js';

/** Fixed bearer tokens, of which only hashes stay in memory. */
export class StaticTokens {
  readonly #entries: readonly { readonly digest: Buffer; readonly user: object }[];

  constructor(tokens: readonly GatewayToken[]) {
    this.#entries = tokens.map(({ token, sha256, user }) => ({
      digest: token === undefined ? Buffer.from(sha256 ?? '', 'hex') : digestOf(token),
      user,
    }));
  }

  /** The caller of a token. Compares all of them in constant time, so that the time tells nothing of similar ones. */
  userOf(token: string): object | undefined {
    const asked = digestOf(token);
    return this.#entries.reduce<object | undefined>(
      (found, { digest, user }) => (timingSafeEqual(digest, asked) ? user : found),
      undefined,
    );
  }
}

function digestOf(token: string): Buffer {
  return hash('sha256', token, 'buffer');
}
