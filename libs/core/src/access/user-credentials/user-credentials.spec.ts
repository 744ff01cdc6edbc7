import { setImmediate as turn } from 'node:timers/promises';
import { ToolEvents } from '../../tool/tool-event.js';
import { ToolSearchError } from '../../tool/tool-search.error.js';
import type { ToolSource } from '../../tool/tool-source.js';
import type { UserAuthorizer, UserGrant } from '../../tool/source/user-authorization.js';
import { CredentialSeal } from './credential-seal.js';
import { MemoryUserCredentialStore } from './memory-user-credential-store.js';
import { TokenRefresh } from './token-refresh.js';
import type { CredentialKey } from './user-credential-store.js';
import { UserCredentials } from './user-credentials.js';

const KEY: CredentialKey = { tenantId: 'acme', userId: 'ada', source: 'mail', owner: '' };
const ADA = { tenantId: 'acme', userId: 'ada' };
const BY = { actor: 'olga@ops', reason: 'she has left' };
const EXPIRED: UserGrant = { accessToken: 'old', refreshToken: 'r1', expiresAt: 1, client: {} };

function open(
  authorizer: Partial<UserAuthorizer>,
  store = new MemoryUserCredentialStore(),
  providerTimeoutMs = 15_000,
) {
  const source = { name: 'mail', authorizer } as unknown as ToolSource;
  const parts = {
    store,
    seal: new CredentialSeal([{ id: 'k1', bytes: new Uint8Array(32) }]),
    events: new ToolEvents(),
    refreshBeforeMs: 0,
    providerTimeoutMs,
    now: Date.now,
    connectUrl: 'https://app.example/connect',
    connectForMs: 60_000,
    trail: { note: async () => undefined } as never,
    source: () => source,
  };
  const credentials = new UserCredentials(parts);
  const tokens = () => credentials.tokensOf(source, authorizer as UserAuthorizer);
  const refresh = new TokenRefresh(parts);
  return { credentials, tokens, store, save: (grant: UserGrant) => refresh.save(KEY, grant) };
}

describe('accounts of users', () => {
  it('are ended at the provider by the newest token, if a refresh comes between reading and removing', async () => {
    let refreshes = async (): Promise<unknown> => undefined;
    class BusyStore extends MemoryUserCredentialStore {
      override async remove(key: CredentialKey, version?: string): Promise<boolean> {
        await refreshes();
        refreshes = async () => undefined;
        return super.remove(key, version);
      }
    }
    const revoke = jest.fn(async (_grant: UserGrant) => true);
    const { credentials, save, store } = open({ revoke }, new BusyStore());
    await save(EXPIRED);
    refreshes = () => save({ ...EXPIRED, refreshToken: 'r2' });
    expect(await credentials.revoke(KEY, BY)).toEqual({ removed: true, endedAtProvider: true });
    expect(revoke.mock.calls.map(([grant]) => grant.refreshToken)).toEqual(['r2']);
    expect(await store.find(KEY)).toBeUndefined();
  });

  it('are not brought back by a refresh that ends after they were revoked', async () => {
    let answer: (grant: UserGrant) => void = () => undefined;
    const refresh = jest.fn(() => new Promise<UserGrant>((resolve) => (answer = resolve)));
    const revoke = jest.fn(async (_grant: UserGrant) => true);
    const { credentials, tokens, save, store } = open({ refresh, revoke });
    await save(EXPIRED);
    const token = tokens().token(ADA, new AbortController().signal);
    while (refresh.mock.calls.length === 0) await turn();
    await credentials.revoke(KEY, BY);
    answer({ accessToken: 'new', refreshToken: 'r2', client: {} });
    await expect(token).rejects.toMatchObject({ code: 'CREDENTIALS_REQUIRED' });
    expect(await store.find(KEY)).toBeUndefined();
    expect(revoke.mock.calls.map(([grant]) => grant.refreshToken)).toEqual(['r1', 'r2']);
  });

  it('are asked for again and kept if the server has another provider by now', async () => {
    const refresh = async () => {
      throw new ToolSearchError('CREDENTIALS_REQUIRED', 'of another provider');
    };
    const { tokens, save, store } = open({ refresh });
    await save(EXPIRED);
    const token = tokens().token(ADA, new AbortController().signal);
    await expect(token).rejects.toMatchObject({
      code: 'CREDENTIALS_REQUIRED',
      connectUrl: 'https://app.example/connect/to/mail',
    });
    expect(await store.find(KEY)).toBeDefined();
  });

  it('are kept if the provider refuses the client of the application', async () => {
    const refresh = () => Promise.reject(new Error('invalid_client'));
    const { tokens, save, store } = open({ refresh });
    await save(EXPIRED);
    const token = tokens().token(ADA, new AbortController().signal);
    await expect(token).rejects.toMatchObject({ code: 'SOURCE_UNAVAILABLE' });
    expect(await store.find(KEY)).toBeDefined();
  });

  it('are kept if the provider does not answer within providerTimeoutMs, and the request to it is aborted', async () => {
    let asked: AbortSignal | undefined;
    const refresh = (_grant: UserGrant, signal: AbortSignal) => {
      asked = signal;
      return new Promise<never>(() => undefined);
    };
    const { tokens, save, store } = open({ refresh }, undefined, 1);
    await save(EXPIRED);
    const token = tokens().token(ADA, new AbortController().signal);
    await expect(token).rejects.toMatchObject({ code: 'SOURCE_UNAVAILABLE' });
    expect(asked?.aborted).toBe(true);
    expect(await store.find(KEY)).toBeDefined();
  });

  describe('come back from their provider', () => {
    /** Begins, and returns with what the browser brings. */
    const returning = async (isOwned: boolean, finish: jest.Mock) => {
      const sent = { redirectUri: '', state: '' };
      const begin = async (redirectUri: string, state: string) => {
        Object.assign(sent, { redirectUri, state });
        return { url: 'https://provider.example/authorize', pending: {} };
      };
      const { credentials } = open({ begin, finish });
      await credentials.begin(ADA, 'mail', isOwned);
      const finished = (source: string, owner: string) =>
        credentials.finish(ADA, { source, owner }, sent.state, { code: 'c' });
      return { ...sent, finished };
    };

    it.each([
      [false, 'callback/to/mail', ''],
      [true, 'callback/own/acme/mail', 'acme'],
    ])('at the address of their source only (owned: %s)', async (isOwned, path, owner) => {
      const grant: UserGrant = { accessToken: 'a', client: {} };
      for (const [otherSource, otherOwner] of [
        ['calendar', owner],
        ['mail', owner === '' ? 'acme' : ''],
        ['mail', 'globex'],
      ] as const) {
        const finish = jest.fn(async () => grant);
        const { redirectUri, finished } = await returning(isOwned, finish);
        expect(redirectUri).toBe(`https://app.example/connect/${path}`);
        await expect(finished(otherSource, otherOwner)).rejects.toMatchObject({ code: 'INVALID_REQUEST' });
        // The state was used up.
        await expect(finished('mail', owner)).rejects.toMatchObject({ code: 'INVALID_REQUEST' });
        expect(finish).not.toHaveBeenCalled();
      }
      const { finished } = await returning(
        isOwned,
        jest.fn(async () => grant),
      );
      expect(await finished('mail', owner)).toBe('mail');
    });

    it('and are asked for again if the server has another provider by then', async () => {
      const finish = jest.fn().mockRejectedValue(new ToolSearchError('CREDENTIALS_REQUIRED', 'of another provider'));
      const { finished } = await returning(false, finish);
      await expect(finished('mail', '')).rejects.toMatchObject({
        code: 'CREDENTIALS_REQUIRED',
        connectUrl: 'https://app.example/connect/to/mail',
      });
    });
  });

  it('are not connected by an attempt that no key decrypts, and the provider is not asked', async () => {
    const finish = jest.fn();
    let state = '';
    const begin = async (_redirect: string, given: string) => {
      state = given;
      return { url: 'https://provider.example/authorize', pending: {} };
    };
    class ForeignStore extends MemoryUserCredentialStore {
      override begin(...[attempt, forMs]: Parameters<MemoryUserCredentialStore['begin']>) {
        return super.begin({ ...attempt, sealed: 'v1.gone.AAAA' }, forMs);
      }
    }
    const { credentials } = open({ begin, finish }, new ForeignStore());
    await credentials.begin(ADA, 'mail', false);
    await expect(credentials.finish(ADA, KEY, state, { code: 'c' })).rejects.toMatchObject({
      code: 'CREDENTIALS_UNREADABLE',
    });
    expect(finish).not.toHaveBeenCalled();
  });
});
