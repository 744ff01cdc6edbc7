import fc from 'fast-check';
import { listedReadings, namesIn, uriReadings } from './uri-readings.js';

const SECRET = 'file:///docs/secret.txt';

/** Whether a URI may be read as the listed one, or cannot be read at all. */
const isRefused = (uri: string, listed = SECRET): boolean => {
  const readings = uriReadings(uri);
  return !readings || [...listedReadings(listed)].some((reading) => readings.has(reading));
};

describe('readings of a URI', () => {
  it.each([
    `${SECRET}?x`,
    `${SECRET}#x`,
    `${SECRET}?x=%zz`,
    `${SECRET};v=1`,
    `${SECRET}/`,
    `${SECRET}.`,
    `${SECRET}%20`,
    'file:///docs/%73ecret.txt',
    'file:///docs%2Fsecret.txt',
    'file:///docs/secret%2Etxt',
    'file:///docs/%2573ecret.txt',
    'file:///docs//secret.txt',
    'file:////docs/secret.txt',
    'file://localhost/docs/secret.txt',
    'file://other.example/docs/secret.txt',
    'file:/docs/secret.txt',
    'file:docs/secret.txt',
    'FILE:///DOCS/Secret.TXT',
    'file:///docs/./secret.txt',
    'file:///docs/x/../secret.txt',
    'file:///docs/%2e%2e/docs/secret.txt',
    'file:///docs\\secret.txt',
    'file:///docs/secret.txt%00.png',
    'file:///docs/se\tcret.txt',
    'file:///docs/\uff53ecret.txt',
    'file:///docs/secret\u200b.txt',
    'file:///docs;a=1/secret.txt',
    'file:///docs/secret.txt%3Fx',
    'file:///docs/secret.txt%23x',
    'file:///docs/%ff',
    'file:///docs/x/.%2e/secret.txt',
    'file:///docs/x/\uff0e\uff0e/secret.txt',
    'file:///docs/x/\u2025/secret.txt',
    'file:///docs/.\u200b./secret.txt',
    'file:///docs/.../secret.txt',
    'file:///docs\uff0fsecret.txt',
    'file:///docs/\uff0573ecret.txt',
    'file:///docs/secret.txt\uff1fx',
    'file:///docs/secret.txt\uff1bx',
    'file:///docs/%EF%BD%93ecret.txt',
    'file:///docs/secret%E2%80%8B.txt',
    'file:///docs/secret\u00ad.txt',
    'file:///docs/%u0073ecret.txt',
    'file:///docs/%C0%AE%C0%AE/secret.txt',
    'file:///docs/secret.txt%5c',
    'file:///docs/secret.txt::$DATA',
    'file:///docs/secret.txt:',
    'file:///docs/SECRET~1.TXT',
    'file:///docs/\u017fecret.txt',
    'view:///docs/secret.txt',
    'view://any/docs/secret.txt',
    'file://docs/secret.txt',
    ` ${SECRET}`,
  ])('hold the listed one, or there are none: %j', (uri) => {
    expect(isRefused(uri)).toBe(true);
  });

  it.each([
    ['https://user@example.com:443/a', 'https://example.com/a'],
    ['https://example.com./a', 'https://example.com/a'],
    ['note:///Stra\u00dfe', 'note:///stra\u00dfe'],
    ['note:///cafe\u0301', 'note:///caf\u00e9'],
    ['note:///STRASSE', 'note:///stra\u00dfe'],
    ['note:///\u0130x', 'note:///ix'],
    ['note:///a', 'note:///a?v=1'],
    ['note:///a?v=2', 'note:///a?v=1'],
    ['note:///a#2', 'note:///a#1'],
    ['note:///a', 'note:///a;v=1'],
    ['read:///?path=x/../a', 'read:///?path=a'],
    ['read:///?x=1&path=a', 'read:///?path=a'],
    ['lib:///docs/a', 'lib://docs/a'],
    ['lib://docs/a', 'lib:///docs/a'],
    ['lib:///a', 'lib://docs/a'],
    ['lib://docs/a', 'lib:///a'],
    ['lib://u:p@docs/a', 'lib://docs/a'],
    ['lib://docs:80/a', 'lib://docs/a'],
    ['lib:/a', 'lib:///a'],
    ['lib:a', 'lib:///a'],
    ['note://1', 'note:1'],
    ['note:1', 'note://1'],
    ['https://xn--bcher-kva.example/a', 'https://b\u00fccher.example/a'],
    ['https://EXAMPLE\u3002com/a', 'https://example.com/a'],
    ['http://127.1/a', 'http://127.0.0.1/a'],
    ['note:///a+b', 'note:///a%20b'],
    ['note:///a%20b', 'note:///a+b'],
    ['file:///C:/a', 'file:///C|/a'],
    ['note:///100%25', 'note:///100%'],
  ])('take %s for %s', (uri, listed) => {
    expect(isRefused(uri, listed)).toBe(true);
  });

  it.each([
    'file:///docs/public.txt',
    'file:///docs/secret.txt.bak',
    'file:///docs/my%20notes.txt',
    'file:///docs/100%25.txt',
    'note://item/42?lang=de',
    'search://?q=secret.txt',
    'urn:isbn:0451450523',
    'note://my%20note',
    'note://2024-01-01T10:00',
    'note://a.b',
    'note://C++',
    'note:///a%2Fb',
    'note://\u65e5\u672c',
    'note:///\u2764\ufe0f',
    'note:///\u{1f468}\u200d\u{1f469}',
  ])('leave others alone: %s', (uri) => {
    expect(isRefused(uri)).toBe(false);
  });

  it.each([
    ['db://orders/rows', 'db://users/rows'],
    ['repo://public/readme', 'repo://private/readme'],
    ['note://C++', 'note://C'],
    ['note://2', 'note://1'],
    ['note:///x', 'config:///'],
    ['urn:isbn:1', 'urn:isbn:2'],
  ])('distinguish %s from %s', (uri, listed) => {
    expect(isRefused(uri, listed)).toBe(false);
  });

  it('name the segments of a URI, and its place', () => {
    expect([...namesIn('File://Host/Docs/%53ecret.txt?x#y')].toSorted()).toEqual([
      'docs',
      'docs/secret.txt',
      'host',
      'host/docs/secret.txt',
      'secret.txt',
    ]);
  });

  it('hold the listed one for every spelling that a server reads as it, by pathname or by href', () => {
    const escaped = fc.string({ unit: fc.constantFrom(...'docs/secret.txt'.split('')), minLength: 1, maxLength: 4 });
    const ends = fc.constantFrom('', '?', '?x', '#', '#x', '?x#y', '/', ';p', '?%zz', '#%', '%20', '.');
    const hosts = fc.constantFrom('', 'localhost', 'LOCALHOST', 'h', '.');
    const spelling = fc.tuple(escaped, ends, hosts, fc.nat(4)).map(([letters, end, host, kind]) => {
      const path = '/docs/secret.txt'
        .split('')
        .map((char) =>
          letters.includes(char) ? [`%${char.charCodeAt(0).toString(16)}`, char.toUpperCase(), char][kind % 3] : char,
        )
        .join('');
      return `file://${host}${kind === 3 ? path.replaceAll('/', '//') : path}${end}`;
    });
    let same = 0;
    fc.assert(
      fc.property(spelling, (uri) => {
        if (!URL.canParse(uri)) return;
        const url = new URL(uri);
        const reads = [url.pathname, url.href].map((each) => {
          try {
            return decodeURIComponent(each).replaceAll(/\/+/g, '/').toLowerCase();
          } catch {
            return each;
          }
        });
        if (reads.includes('/docs/secret.txt') || reads.includes('file:/docs/secret.txt')) {
          same += 1;
          expect([uri, isRefused(uri)]).toEqual([uri, true]);
        }
      }),
      { numRuns: 2_000 },
    );
    expect(same).toBeGreaterThan(20);
  });
});
