import { randomBytes } from 'node:crypto';
import fc from 'fast-check';
import type { JsonObject } from '../../json/json.js';
import { CredentialSeal, keyIdOf, Unsealable } from './credential-seal.js';

const key = (id: string) => ({ id, bytes: randomBytes(32) });
const OLD = key('2025');
const NEW = key('2026');
const PLACE = ['grant', 'acme', 'ada', '', 'mail'];

describe('CredentialSeal', () => {
  it('opens what it has sealed, and the sealed text does not contain it', () => {
    const seal = new CredentialSeal([NEW]);
    fc.assert(
      fc.property(fc.string({ minLength: 8 }), fc.array(fc.string()), (accessToken, place) => {
        const sealed = seal.seal({ accessToken }, place);
        expect(seal.open(sealed, place)).toEqual({ accessToken });
        expect(sealed).toMatch(/^v1\.2026\.[\w-]+$/);
        expect(seal.seal({ accessToken }, place)).not.toBe(sealed);
      }),
    );
  });

  it('does not open a value at another place', () => {
    const seal = new CredentialSeal([NEW]);
    const sealed = seal.seal({ a: 1 }, PLACE);
    fc.assert(
      fc.property(fc.array(fc.string(), { maxLength: 6 }), (place) => {
        fc.pre(JSON.stringify(place) !== JSON.stringify(PLACE));
        expect(() => seal.open(sealed, place)).toThrow(Unsealable);
      }),
    );
    expect(() => seal.open(sealed, ['grant', 'acme', 'bob', '', 'mail'])).toThrow(Unsealable);
  });

  it('does not open a value after any change', () => {
    const seal = new CredentialSeal([NEW]);
    const sealed = seal.seal({ accessToken: 'a secret' }, PLACE);
    fc.assert(
      fc.property(fc.nat(sealed.length - 1), fc.constantFrom('A', 'z', '0', '-', '_', '.'), (at, char) => {
        const changed = sealed.slice(0, at) + char + sealed.slice(at + 1);
        const [before, after] = [sealed, changed].map((text) => Buffer.from(text.split('.')[2] ?? '', 'base64url'));
        // The last character of Base64 has unused bits.
        fc.pre(changed !== sealed && !(at > 8 && before!.equals(after!)));
        expect(() => seal.open(changed, PLACE)).toThrow(Unsealable);
      }),
    );
  });

  it('opens the values of earlier keys, and seals with the first', () => {
    const before = new CredentialSeal([OLD]).seal({ a: 1 }, PLACE);
    const both = new CredentialSeal([NEW, OLD]);
    expect(both.open(before, PLACE)).toEqual({ a: 1 });
    expect(keyIdOf(both.seal({ a: 1 }, PLACE))).toBe('2026');
    expect(() => new CredentialSeal([NEW]).open(before, PLACE)).toThrow(Unsealable);
    expect(() => new CredentialSeal([key('2025')]).open(before, PLACE)).toThrow(Unsealable);
  });

  it.each<[string, JsonObject]>([
    ['', {}],
    ['v1', {}],
    ['v1.2026.', {}],
    ['v2.2026.AAAA', {}],
  ])('does not open %j', (sealed) => {
    expect(() => new CredentialSeal([NEW]).open(sealed, PLACE)).toThrow(Unsealable);
  });

  it('knows the states that it has signed, and no others', () => {
    const seal = new CredentialSeal([NEW, OLD]);
    const { id, state } = seal.newState();
    expect(seal.idOfState(state)).toBe(id);
    expect(new CredentialSeal([OLD]).idOfState(state)).toBeUndefined();
    const { state: other } = seal.newState();
    const forged = [...state.split('.').slice(0, 2), other.split('.')[2]].join('.');
    for (const wrong of [forged, '', '..', `${state}x`, id]) expect(seal.idOfState(wrong)).toBeUndefined();
  });
});
