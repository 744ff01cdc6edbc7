/// <reference types="jest" />
import {
  type ConnectAttempt,
  credentialId,
  type CredentialKey,
  type StoredCredential,
  type UserCredentialStore,
} from '../../../access/user-credentials/user-credential-store.js';

/** Timeout for slow machines, not a performance requirement. */
const PATIENCE = 60_000;
const ADA: CredentialKey = { tenantId: 'acme', userId: 'ada', owner: '', source: 'mail' };

/** Two handles on one empty store, as in two instances of an application, with a function that closes them. */
export interface OpenUserCredentialStore {
  readonly store: UserCredentialStore;
  readonly sibling: UserCredentialStore;
  close(): Promise<void>;
}

function credential(version: string, key: Partial<CredentialKey> = {}): StoredCredential {
  return { ...ADA, ...key, sealed: `sealed-${version}`, version, expiresAt: 0, connectedAt: 1, changedAt: 2 };
}

function attempt(id: string, key: Partial<CredentialKey> = {}): ConnectAttempt {
  return { ...ADA, ...key, id, sealed: `sealed-${id}` };
}

/**
 * The contract of {@link UserCredentialStore} as a Jest suite, for every implementation. Needs Jest's globals.
 *
 * @param name title of the suite
 * @param make creates an empty store; called once per test
 */
export function describeUserCredentialStore(name: string, make: () => Promise<OpenUserCredentialStore>): void {
  describe(`${name} keeps the promises of a store of user credentials`, () => {
    let store: UserCredentialStore;
    let sibling: UserCredentialStore;
    let made: OpenUserCredentialStore;
    beforeEach(async () => {
      made = await make();
      ({ store, sibling } = made);
    }, PATIENCE);
    afterEach(() => made.close());

    it('gives a credential back to every instance, for its tenant, user, owner and source only', async () => {
      const written = { ...credential('v1'), expiresAt: 1_795_000_000_000 };
      expect(await store.save(written)).toBe(true);
      expect(await sibling.find(ADA)).toEqual(written);
      for (const other of [{ tenantId: 'globex' }, { userId: 'bob' }, { owner: 'acme' }, { source: 'files' }]) {
        expect(await store.find({ ...ADA, ...other })).toBeUndefined();
      }
    });

    it('keeps keys apart whose parts join to the same text', async () => {
      await store.save(credential('v1', { tenantId: 'a', userId: '","b' }));
      expect(await store.find({ ...ADA, tenantId: 'a","', userId: 'b' })).toBeUndefined();
    });

    it('takes ids of 256 characters outside ASCII', async () => {
      const key = { ...ADA, tenantId: '𝒜'.repeat(128), userId: '漢'.repeat(256), source: 's'.repeat(128) };
      await store.save(credential('v1', key));
      expect(await store.find(key)).toMatchObject(key);
    });

    it('replaces a credential only if the version is the known one', async () => {
      await store.save(credential('v1'));
      expect(await sibling.save(credential('v2'), 'v0')).toBe(false);
      expect(await sibling.save(credential('v2'), 'v1')).toBe(true);
      expect(await store.save(credential('v3'), 'v1')).toBe(false);
      expect(await store.find(ADA)).toEqual(credential('v2'));
      expect(await store.save(credential('v4'))).toBe(true);
      expect(await store.find(ADA)).toEqual(credential('v4'));
    });

    it('does not bring back what was removed', async () => {
      await store.save(credential('v1'));
      expect(await store.remove(ADA, 'v0')).toBe(false);
      expect(await sibling.remove(ADA)).toBe(true);
      expect(await sibling.remove(ADA)).toBe(false);
      expect(await store.save(credential('v2'), 'v1')).toBe(false);
      expect(await store.find(ADA)).toBeUndefined();
    });

    it('gives the lease of a version to one of many at the same time', async () => {
      await store.save(credential('v1'));
      const asked = Array.from({ length: 50 }, (_, n) => (n % 2 ? store : sibling).lease(ADA, 'v1', PATIENCE));
      expect((await Promise.all(asked)).filter(Boolean)).toHaveLength(1);
    });

    it('ends a lease when it is released, when it is over, and when the credential is written', async () => {
      await store.save(credential('v1'));
      expect(await store.lease(ADA, 'v0', PATIENCE)).toBe(false);
      expect(await store.lease(ADA, 'v1', PATIENCE)).toBe(true);
      await sibling.release(ADA, 'v0');
      expect(await sibling.lease(ADA, 'v1', PATIENCE)).toBe(false);
      await sibling.release(ADA, 'v1');
      expect(await sibling.lease(ADA, 'v1', 0)).toBe(true);
      expect(await store.lease(ADA, 'v1', PATIENCE)).toBe(true);
      await store.save(credential('v2'), 'v1');
      expect(await sibling.lease(ADA, 'v2', PATIENCE)).toBe(true);
    });

    it('lists what matches, page by page', async () => {
      const keys = ['ada', 'bob', 'eve', 'joe'].map((userId) => ({ ...ADA, userId }));
      for (const key of keys) await store.save(credential('v1', key));
      await store.save(credential('v1', { tenantId: 'globex' }));
      const ids = keys.map(credentialId).toSorted();
      const first = await store.list({ tenantId: 'acme' }, { limit: 3 });
      const rest = await store.list({ tenantId: 'acme' }, { limit: 3, after: ids[2]! });
      expect([...first, ...rest].map(credentialId)).toEqual(ids);
      expect(
        await store.list({ tenantId: 'acme', userId: 'bob', source: 'mail', owner: '' }, { limit: 9 }),
      ).toHaveLength(1);
      expect(await store.list({ source: 'files' }, { limit: 9 })).toEqual([]);
    });

    it('gives an attempt back once, of many who ask at the same time', async () => {
      await store.begin(attempt('one'), PATIENCE);
      const taken = await Promise.all(Array.from({ length: 20 }, (_, n) => (n % 2 ? store : sibling).take('one')));
      expect(taken.filter((each) => each !== undefined)).toEqual([attempt('one')]);
    });

    it('keeps the newest attempt of each key, until it expires', async () => {
      await store.begin(attempt('one'), PATIENCE);
      await sibling.begin(attempt('two'), PATIENCE);
      await store.begin(attempt('other', { userId: 'bob' }), PATIENCE);
      expect(await store.take('one')).toBeUndefined();
      expect(await store.take('two')).toEqual(attempt('two'));
      await store.begin(attempt('late'), 0);
      expect(await store.take('late')).toBeUndefined();
      await store.begin(attempt('swept'), 0);
      expect(await store.sweep(10)).toBe(1);
      expect(await store.sweep(10)).toBe(0);
      expect(await sibling.take('other')).toMatchObject({ userId: 'bob' });
    });
  });
}
