import { exportJWK, generateKeyPair, type JSONWebKeySet } from 'jose';
import { IssuerKeys, KeysUnavailable } from './issuer-keys.js';

const header = (kid: string) => ({ alg: 'ES256', kid });

/** Keys of an issuer whose clock and answers a test sets. */
async function issuer() {
  const jwk = await exportJWK((await generateKeyPair('ES256')).publicKey);
  const state = { now: 0, kids: ['a'], isUp: true, fetches: 0, failures: 0, hold: Promise.resolve() };
  const keys = new IssuerKeys({
    maxAgeMs: 1000,
    staleMs: 5000,
    cooldownMs: 100,
    now: () => state.now,
    onFailure: () => void state.failures++,
    fetch: async (): Promise<JSONWebKeySet> => {
      state.fetches++;
      await state.hold;
      if (!state.isUp) throw new Error('down');
      return { keys: state.kids.map((kid) => ({ ...jwk, kid })) };
    },
  });
  return { keys, state };
}

const NO_KEY = { code: 'ERR_JWKS_NO_MATCHING_KEY' };

describe('IssuerKeys', () => {
  it('fetches once for all who ask at once, and not again while the keys are fresh', async () => {
    const { keys, state } = await issuer();
    await Promise.all(Array.from({ length: 1000 }, () => keys.keyOf(header('a'))));
    state.now = 999;
    await keys.keyOf(header('a'));
    expect(state.fetches).toBe(1);
    state.now = 1000;
    await Promise.all(Array.from({ length: 1000 }, () => keys.keyOf(header('a'))));
    expect(state.fetches).toBe(2);
  });

  it('fetches again for a key that it does not know, and at most once within the cooldown', async () => {
    const { keys, state } = await issuer();
    await keys.keyOf(header('a'));
    state.kids = ['b'];
    await expect(keys.keyOf(header('b'))).rejects.toMatchObject(NO_KEY);
    state.now = 100;
    const asked = Array.from({ length: 1000 }, (_, index) => keys.keyOf(header(index === 0 ? 'b' : `x${index}`)));
    const outcomes = await Promise.allSettled(asked);
    expect(outcomes.map(({ status }) => status === 'fulfilled')).toEqual([true, ...Array(999).fill(false)]);
    expect(state.fetches).toBe(2);
    await expect(keys.keyOf(header('a'))).rejects.toMatchObject(NO_KEY);
  });

  it('no longer accepts a withdrawn key once the keys are too old', async () => {
    const { keys, state } = await issuer();
    await keys.keyOf(header('a'));
    state.kids = [];
    state.now = 999;
    await keys.keyOf(header('a'));
    state.now = 1000;
    await expect(keys.keyOf(header('a'))).rejects.toMatchObject(NO_KEY);
  });

  it('keeps the last keys while the issuer is down, for a time', async () => {
    const { keys, state } = await issuer();
    await keys.keyOf(header('a'));
    state.isUp = false;
    state.now = 5999;
    await keys.keyOf(header('a'));
    expect(state).toMatchObject({ fetches: 2, failures: 1 });
    state.now = 6000;
    await expect(keys.keyOf(header('a'))).rejects.toThrow(KeysUnavailable);
    state.isUp = true;
    state.now = 6100;
    await keys.keyOf(header('a'));
  });

  it('does not ask an issuer that is down more often than the cooldown allows', async () => {
    const { keys, state } = await issuer();
    state.isUp = false;
    for (let asked = 0; asked < 100; asked++) await expect(keys.keyOf(header('a'))).rejects.toThrow(KeysUnavailable);
    expect(state.fetches).toBe(1);
  });

  it.each([
    ['no kid and several keys', { alg: 'ES256' }, 'ERR_JWKS_MULTIPLE_MATCHING_KEYS'],
    ['a symmetric algorithm', { alg: 'HS256', kid: 'a' }, 'ERR_JOSE_NOT_SUPPORTED'],
    ['no algorithm', { alg: 'none', kid: 'a' }, 'ERR_JOSE_NOT_SUPPORTED'],
    ['an algorithm that is not of the key', { alg: 'RS256', kid: 'a' }, 'ERR_JWKS_NO_MATCHING_KEY'],
  ])('finds no key for %s', async (_, asked, code) => {
    const { keys, state } = await issuer();
    state.kids = ['a', 'b'];
    await expect(keys.keyOf(asked)).rejects.toMatchObject({ code });
  });

  it('does not take anything but a key set for one', async () => {
    const { keys, state } = await issuer();
    state.kids = [7 as never];
    await keys.keyOf(header('a')).catch(() => undefined);
    const broken = new IssuerKeys({
      maxAgeMs: 1000,
      staleMs: 0,
      cooldownMs: 0,
      onFailure: () => void state.failures++,
      fetch: () => Promise.resolve({ keys: ['key'] } as never),
    });
    await expect(broken.keyOf(header('a'))).rejects.toThrow(KeysUnavailable);
    expect(state.failures).toBe(1);
  });
});
