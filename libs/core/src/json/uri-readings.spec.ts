import fc from 'fast-check';
import { listedReading, uriReadings } from './uri-readings.js';

const SECRET = 'file:///docs/secret.txt';

/** Whether a URI may be read as the listed one, or cannot be read at all. */
const isRefused = (uri: string, listed = SECRET): boolean => uriReadings(uri)?.has(listedReading(listed)) ?? true;

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
    ` ${SECRET}`,
  ])('hold the listed one, or there are none: %j', (uri) => {
    expect(isRefused(uri)).toBe(true);
  });

  it.each([
    ['https://user@example.com:443/a', 'https://example.com/a'],
    ['https://example.com./a', 'https://example.com/a'],
    ['note:///Stra\u00dfe', 'note:///stra\u00dfe'],
    ['note:///cafe\u0301', 'note:///caf\u00e9'],
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
  ])('leave others alone: %s', (uri) => {
    expect(isRefused(uri)).toBe(false);
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
