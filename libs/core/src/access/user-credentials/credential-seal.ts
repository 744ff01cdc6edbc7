import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes, timingSafeEqual } from 'node:crypto';
import type { JsonObject } from '../../json/json.js';

/** One of the application's encryption keys. */
export interface SealingKey {
  /** Names the key in stored values. */
  readonly id: string;
  /** 32 bytes. */
  readonly bytes: Uint8Array;
}

/** A stored value that none of the keys decrypts. Says nothing about the value. */
export class Unsealable extends Error {
  constructor() {
    super('no key decrypts the stored value');
    this.name = 'Unsealable';
  }
}

const FORMAT = 'v1';
const IV_BYTES = 12;
const TAG_BYTES = 16;
const STATE_BYTES = 32;

/**
 * Encrypts with AES-256-GCM under the first key, decrypts with any. The associated data binds a value to its place: a
 * value that was copied to another user's row does not decrypt.
 */
export class CredentialSeal {
  readonly #newest: SealingKey;
  readonly #byId: ReadonlyMap<string, SealingKey>;

  /** @param keys at least one; the first one encrypts */
  constructor(keys: readonly [SealingKey, ...SealingKey[]]) {
    this.#newest = keys[0];
    this.#byId = new Map(keys.map((key) => [key.id, key]));
  }

  /** @param place what the value is bound to */
  seal(value: JsonObject, place: readonly string[]): string {
    const { id, bytes } = this.#newest;
    const iv = randomBytes(IV_BYTES);
    const cipher = createCipheriv('aes-256-gcm', bytes, iv);
    cipher.setAAD(boundTo(id, place));
    const text = Buffer.concat([cipher.update(JSON.stringify(value), 'utf8'), cipher.final()]);
    return [FORMAT, id, Buffer.concat([iv, text, cipher.getAuthTag()]).toString('base64url')].join('.');
  }

  /** @throws Unsealable for a value of another key or place, or one that was changed */
  open(sealed: string, place: readonly string[]): JsonObject {
    const [format, id = '', body = ''] = sealed.split('.');
    const key = this.#byId.get(id);
    const bytes = Buffer.from(body, 'base64url');
    if (format !== FORMAT || !key || bytes.length < IV_BYTES + TAG_BYTES) throw new Unsealable();
    try {
      const decipher = createDecipheriv('aes-256-gcm', key.bytes, bytes.subarray(0, IV_BYTES), {
        authTagLength: TAG_BYTES,
      });
      decipher.setAAD(boundTo(id, place));
      decipher.setAuthTag(bytes.subarray(-TAG_BYTES));
      const text = Buffer.concat([decipher.update(bytes.subarray(IV_BYTES, -TAG_BYTES)), decipher.final()]);
      return JSON.parse(text.toString('utf8')) as JsonObject;
    } catch {
      throw new Unsealable();
    }
  }

  /** A new signed name for the `state` of a redirect, and the id that it signs. */
  newState(): { readonly id: string; readonly state: string } {
    const id = randomBytes(STATE_BYTES).toString('base64url');
    return { id, state: [this.#newest.id, id, signatureOf(this.#newest, id)].join('.') };
  }

  /** The id that a state names; undefined if it was not signed here. */
  idOfState(state: string): string | undefined {
    const [keyId = '', id = '', signature = ''] = state.split('.');
    const key = this.#byId.get(keyId);
    if (!key) return undefined;
    const [given, right] = [Buffer.from(signature), Buffer.from(signatureOf(key, id))];
    return given.length === right.length && timingSafeEqual(given, right) ? id : undefined;
  }
}

/** The id of the key that a value was encrypted with. */
export function keyIdOf(sealed: string): string {
  return sealed.split('.')[1] ?? '';
}

function boundTo(keyId: string, place: readonly string[]): Buffer {
  return Buffer.from(JSON.stringify([FORMAT, keyId, ...place]));
}

function signatureOf({ bytes }: SealingKey, id: string): string {
  const key = Buffer.from(hkdfSync('sha256', bytes, new Uint8Array(), 'tool-search connect state', 32));
  return createHmac('sha256', key).update(id).digest('base64url');
}
