import { connectUrlOf, redirectUriOf } from './connect-addresses.js';

const BASE = 'https://app.example/connect/';

describe('the addresses of a connection', () => {
  it('are below the public address', () => {
    const shared = { source: 'mail', owner: '' };
    const own = { source: 'mail', owner: 'acme' };
    expect(connectUrlOf(BASE, shared)).toBe('https://app.example/connect/to/mail');
    expect(connectUrlOf(BASE, own)).toBe('https://app.example/connect/own/mail');
    expect(redirectUriOf(BASE, shared)).toBe('https://app.example/connect/callback/to/mail');
    expect(redirectUriOf(BASE, own)).toBe('https://app.example/connect/callback/own/acme/mail');
  });

  it('differ for each source and owner, for the provider to send codes back to', () => {
    const sources = ['mail', 'a', 'a/mail', 'to', 'own', 'acme', 'mail?x', 'mail#x', 'mail%2Fx', 'mail/x'];
    const owners = ['', 'acme', 'acme/a', 'a', 'to', 'own', 'acme%2Fa', 'ac me'];
    const places = owners.flatMap((owner) => sources.map((source) => ({ source, owner })));
    const paths = places.map((place) => new URL(redirectUriOf(BASE, place)).pathname);
    expect(new Set(paths).size).toBe(places.length);
  });
});
