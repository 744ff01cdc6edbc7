import type { CredentialKey, StoredCredential, UserCredentialStore } from './user-credential-store.js';

const ATTEMPTS = 10;

/** Removes a credential and returns it as it was then: a refresh may have replaced it since it was read. */
export async function removedFrom(
  store: UserCredentialStore,
  key: CredentialKey,
): Promise<StoredCredential | undefined> {
  let known = await store.find(key);
  for (let attempt = 0; known && attempt < ATTEMPTS; attempt++) {
    if (await store.remove(key, known.version)) return known;
    known = await store.find(key);
  }
  return known && (await store.remove(key)) ? known : undefined;
}
