import fc from 'fast-check';
import { appAddress, appPageOf, audiencesOf, isAppAddress, isForApps } from './app-metadata.js';

const sourceName = fc.oneof(fc.stringMatching(/^[A-Za-z0-9_.-]{1,64}$/), fc.constantFrom('a/~b', 'a', '~', 'a%2F~b'));
const source = fc.record({ name: sourceName, owner: fc.constantFrom('', 'acme') });
/** What a hostile server may say: any text, and parts that mean something in an address. */
const part = fc.constantFrom(
  '..',
  '.',
  '/',
  '~',
  '%2e',
  '%2F',
  'ui://',
  'tool-search',
  'tool-search.own',
  '?',
  '#',
  '@',
  '\\',
  ':80',
);
const uri = fc.oneof(
  fc.string({ unit: 'grapheme' }),
  fc.array(part, { maxLength: 8 }).map((parts) => `ui://${parts.join('')}`),
);

describe('the address of a page', () => {
  it('is another one for every other source and every other text', () => {
    const pair = fc.tuple(source, uri);
    fc.assert(
      fc.property(pair, pair, ([one, a], [other, b]) => {
        const isSame = one.name === other.name && one.owner === other.owner && a === b;
        expect(appAddress(one, a) === appAddress(other, b)).toBe(isSame);
      }),
    );
  });

  it('is reserved, whatever the server says', () => {
    fc.assert(fc.property(source, uri, (one, text) => expect(isAppAddress(appAddress(one, text))).toBe(true)));
  });

  it('stays in the folder of its source for a URL parser, and has the whole text', () => {
    const dots = fc.record({ name: fc.constantFrom('.', '..'), owner: fc.constantFrom('', 'acme') });
    fc.assert(
      fc.property(fc.oneof(source, dots), uri, (one, text) => {
        const address = appAddress(one, text);
        const { host, pathname, search, hash } = new URL(address);
        expect(host).toBe(one.owner === '' ? 'tool-search' : 'tool-search.own');
        const [, folder, last, ...more] = pathname.split('/');
        const name = /^\.\.?$/.test(one.name) ? `=${one.name}` : one.name;
        expect([decodeURIComponent(folder!), more, search, hash]).toEqual([name, [], '', '']);
        expect(decodeURIComponent(last!)).toBe(`~${text}`);
      }),
    );
  });

  it('keeps its bytes: hosts have stored it', () => {
    expect(appAddress({ name: 'a.b' }, 'ui://a/~b')).toBe('ui://tool-search/a.b/~ui%3A%2F%2Fa%2F~b');
    expect(appAddress({ name: '...', owner: 'acme' }, 'ui://a')).toBe('ui://tool-search.own/.../~ui%3A%2F%2Fa');
    expect(appAddress({ name: '..' }, 'ui://a')).toBe('ui://tool-search/=../~ui%3A%2F%2Fa');
  });

  it('is reserved in any case, and in every spelling that a URL parser reads as one', () => {
    for (const taken of [
      'ui://@tool-search/a/~x',
      ' ui://tool-\nsearch/a/~x',
      'ui://tool-search/../a/~x',
      'ui://tool-search/a/~x',
      'UI://Tool-Search/a',
      'ui://tool-search.own/a/~x',
      'ui://tool-search/',
    ]) {
      expect(isAppAddress(taken)).toBe(true);
    }
    for (const free of [
      'ui://tool-search',
      'ui://tool-searching/a',
      'ui://weather/view',
      'https://tool-search/a',
      '',
    ]) {
      expect(isAppAddress(free)).toBe(false);
    }
  });
});

describe('what a page says of itself', () => {
  it('is what the extension defines', () => {
    const given = {
      csp: {
        connectDomains: ['https://api.example.com', 'wss://live.example.com:8443'],
        resourceDomains: ['https://*.example.com'],
      },
      permissions: { camera: {}, clipboardWrite: { more: 1 } },
      prefersBorder: false,
    };
    expect(appPageOf(given)).toEqual({ ...given, permissions: { camera: {}, clipboardWrite: {} } });
  });

  it.each([
    'http://api.example.com',
    'https://*',
    'https://*.com',
    'https://api.example.com/path',
    "https://a.com; script-src 'unsafe-eval'",
    'https://a.com https://b.com',
    'https://user@a.com',
    'data:',
    "'self'",
    '*',
    '',
    `https://${'a.'.repeat(200)}com`,
    7,
  ])('has no origin %j', (origin) => {
    const ok = 'https://ok.example.com';
    expect(appPageOf({ csp: { connectDomains: [origin, ok], frameDomains: [origin] } })).toEqual({
      csp: { connectDomains: [ok] },
    });
  });

  it('leaves out everything else, and a domain that another host would give', () => {
    const given = {
      domain: 'x.example.com',
      csp: { 'script-src': ['https://a.com'] },
      permissions: { usb: {}, camera: true },
    };
    expect(appPageOf({ ...given, prefersBorder: 'yes', more: {} })).toEqual({});
    for (const none of [undefined, null, 7, 'csp', []]) expect(appPageOf(none)).toEqual({});
    const many = Array.from({ length: 80 }, (_, index) => `https://a${index}.example.com`);
    expect(appPageOf({ csp: { baseUriDomains: many } }).csp?.baseUriDomains).toHaveLength(50);
  });
});

it('a tool is for apps alone if the model is not among those that it is offered to', () => {
  expect(audiencesOf(['app', 'robot', 'app'])).toEqual(['app']);
  expect(audiencesOf('app')).toBeUndefined();
  expect(isForApps({ app: { visibility: ['app'] } })).toBe(true);
  expect(isForApps({ app: { visibility: [] } })).toBe(true);
  expect(isForApps({ app: { visibility: ['model'] } })).toBe(false);
  expect(isForApps({ app: { resourceUri: 'ui://tool-search/a/~x' } })).toBe(false);
  expect(isForApps({})).toBe(false);
  expect(isForApps({ appPage: {} })).toBe(true);
});
