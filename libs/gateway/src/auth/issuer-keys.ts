import {
  createLocalJWKSet,
  type CryptoKey,
  errors,
  type FlattenedJWSInput,
  type JSONWebKeySet,
  type JWSHeaderParameters,
  type LocalJWKSet,
} from 'jose';
import type { OAuthSettings } from './auth-options.js';

/** The keys of an authorization server cannot be read, and none that still count are known. */
export class KeysUnavailable extends Error {}

/** How the keys of one issuer are fetched and kept. */
export interface IssuerKeysOptions extends Pick<OAuthSettings['jwks'], 'maxAgeMs' | 'staleMs' | 'cooldownMs'> {
  readonly fetch: () => Promise<JSONWebKeySet>;
  readonly onFailure: (error: unknown) => void;
  /** Milliseconds of a monotonic clock. */
  readonly now?: () => number;
}

/** The public keys of one authorization server. All requests that need newer ones share one fetch. */
export class IssuerKeys {
  #known: { readonly find: LocalJWKSet; readonly at: number } | undefined;
  #triedAt = -Infinity;
  #loading: Promise<void> | undefined;
  readonly #now: () => number;

  constructor(private readonly options: IssuerKeysOptions) {
    this.#now = options.now ?? (() => performance.now());
  }

  /**
   * The key that has signed a token. A key that is not known causes one fetch, at most every `cooldownMs`.
   *
   * @throws KeysUnavailable; an error of jose if the issuer has no such key
   */
  async keyOf(header?: JWSHeaderParameters, token?: FlattenedJWSInput): Promise<CryptoKey> {
    const known = await this.#current();
    try {
      return await known.find(header, token);
    } catch (error) {
      if (!(error instanceof errors.JWKSNoMatchingKey)) throw error;
      await this.#load();
      const newer = this.#known;
      if (newer === undefined || newer === known) throw error;
      return newer.find(header, token);
    }
  }

  async #current() {
    const { maxAgeMs, staleMs } = this.options;
    if (this.#ageMs() >= maxAgeMs) await this.#load();
    if (this.#known === undefined || this.#ageMs() >= maxAgeMs + staleMs) throw new KeysUnavailable();
    return this.#known;
  }

  #ageMs(): number {
    return this.#known === undefined ? Infinity : this.#now() - this.#known.at;
  }

  /** Replaces the keys; does nothing where the last attempt was just now. */
  #load(): Promise<void> {
    if (this.#loading) return this.#loading;
    if (this.#now() - this.#triedAt < this.options.cooldownMs) return Promise.resolve();
    this.#triedAt = this.#now();
    const at = this.#triedAt;
    this.#loading = this.options
      .fetch()
      .then((keys) => {
        this.#known = { find: createLocalJWKSet(keys), at };
      })
      .catch(this.options.onFailure)
      .finally(() => (this.#loading = undefined));
    return this.#loading;
  }
}
