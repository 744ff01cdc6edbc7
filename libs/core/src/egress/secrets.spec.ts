import fc from 'fast-check';
import { Secrets } from './secrets.js';

const text = (said: string) => ({ content: [{ type: 'text' as const, text: said }] });

const named = (values: Record<string, string>) => {
  const secrets = new Secrets();
  secrets.addNamed(values);
  return secrets;
};

describe('credentials that a server echoes', () => {
  const http = named({ Authorization: 'Bearer s3cr"t-token-1', 'x-tenant': 'acme-corporation', 'x-api-key': 'short' });
  const child = named({ API_TOKEN: 'tok-123456789', MEMORY_FILE_PATH: '/data/memory.json' });

  it.each([
    ['you sent Bearer s3cr"t-token-1', 'you sent Bearer [removed]'],
    ['s3cr"t-token-1 and s3cr"t-token-1', '[removed] and [removed]'],
    ['acme-corporation, short', 'acme-corporation, short'],
  ])('makes of %j over HTTP %j', (said, read) => {
    expect(http.redactJson(text(said))).toEqual(text(read));
  });

  it('strikes them out of structured content and of resources, and leaves everything else as it is', () => {
    const answer = {
      content: [{ type: 'resource' as const, resource: { uri: 'a://b', text: 'tok-123456789' } }],
      structured: { path: '/data/memory.json', deep: [{ token: 'tok-123456789', n: 1.5, none: null }] },
      isError: true,
    };
    expect(child.redactJson(answer)).toEqual({
      content: [{ type: 'resource', resource: { uri: 'a://b', text: '[removed]' } }],
      structured: { path: '/data/memory.json', deep: [{ token: '[removed]', n: 1.5, none: null }] },
      isError: true,
    });
  });

  it('strikes out what follows each "=" of a part', () => {
    const secrets = named({ 'x-auth': 'scheme=key=abc-secret-def==' });
    for (const said of ['scheme=key=abc-secret-def==', 'key=abc-secret-def==', 'abc-secret-def==']) {
      expect(secrets.redact(`got ${said}`)).toBe('got [removed]');
    }
    expect(named({ authorization: 'Bearer ada' }).redact('Bearer ada')).toBe('Bearer ada');
  });

  it('does not touch an answer without any', () => {
    const answer = text('/data/memory.json');
    expect(child.redactJson(answer)).toBe(answer);
    expect(new Secrets().redactJson(answer)).toBe(answer);
  });

  it('strikes out the parts of a header, as they are or encoded', () => {
    const secrets = named({ cookie: 'theme=dark; session=abc/def=ghi+jkl', 'x-token': 'k' });
    for (const said of ['abc/def=ghi+jkl', 'abc%2Fdef%3Dghi%2Bjkl', String.raw`abc\/def=\u0067hi+jkl`]) {
      expect(secrets.redact(`got ${said}`)).toBe('got [removed]');
    }
    expect(secrets.redact('dark k')).toBe('dark k');
    expect(secrets.redact('got abc/def=g', true)).toBe('got [removed]');
    expect(secrets.redact('got abc/def=g')).toBe('got abc/def=g');
  });

  const token = 'tok/En+4711-"abc"=';
  const bearer = named({ authorization: `Bearer ${token}` });
  const encoded = (before: string) => Buffer.from(`${before}${token} and more`).toString('base64');
  it.each([
    ['as it is', token],
    ['in JSON', JSON.stringify({ said: token })],
    ['in JSON in JSON', JSON.stringify(JSON.stringify({ said: token }))],
    [
      'in ASCII JSON',
      Array.from(token)
        .map((char) => `\\u${char.codePointAt(0)?.toString(16).padStart(4, '0')}`)
        .join(''),
    ],
    ['in JSON of other languages', token.replaceAll('/', String.raw`\/`)],
    ['in a URL', encodeURIComponent(token)],
    ['in a URL in lower case', encodeURIComponent(token).replaceAll(/%../g, (escape) => escape.toLowerCase())],
    ['in a URL in a URL', encodeURIComponent(encodeURIComponent(token))],
    ['in a URL, every character', [...Buffer.from(token)].map((byte) => `%${byte.toString(16)}`).join('')],
    ['in a URL in JSON', JSON.stringify(encodeURIComponent(token)).replaceAll('%', String.raw`\u0025`)],
    ['in HTML', token.replaceAll('"', '&quot;').replaceAll('/', '&#x2F;').replaceAll('+', '&#43;')],
    ['in base64', encoded('')],
    ['in base64, after one character', encoded('x')],
    ['in base64, after two characters', encoded('xx')],
    ['in base64 of URLs', Buffer.from(token).toString('base64url')],
    ['in hexadecimal', Buffer.from(token).toString('hex')],
    ['in hexadecimal, upper case', Buffer.from(token).toString('hex').toUpperCase()],
  ])('are found %s', (_, said) => {
    const read = bearer.redact(`you sent <<${said}>>, so`);
    expect(read).toContain('[removed]');
    expect(read).toMatch(/^you sent <<.*>>, so$/);
    expect(read).not.toContain(said);
    expect(read).not.toContain('4711');
    const answer = { deep: [{ [`a${said}`]: 1, b: `x${said}` }] };
    const clean = JSON.stringify(bearer.redactJson(answer));
    expect(clean).not.toContain('4711');
    expect(clean.match(/\[removed\]/g)).toHaveLength(2);
  });

  const perByte = (text: string, written: (hex: string) => string) =>
    Array.from(Buffer.from(text), (byte) => written(byte.toString(16).padStart(2, '0'))).join('');
  it.each<[string, (text: string) => string]>([
    ['as they are', (text) => text],
    ['in JSON', (text) => JSON.stringify(text).slice(1, -1)],
    ['in JSON in JSON', (text) => JSON.stringify(JSON.stringify(text).slice(1, -1)).slice(1, -1)],
    ['in ASCII JSON', (text) => perByte(text, (hex) => String.raw`\u00${hex}`)],
    ['in a URL', encodeURIComponent],
    ['in a URL in a URL', (text) => encodeURIComponent(encodeURIComponent(text))],
    ['in a URL in JSON', (text) => encodeURIComponent(text).replaceAll('%', String.raw`\u0025`)],
    ['in a form', (text) => new URLSearchParams({ a: text }).toString().slice(2)],
    ['in HTML', (text) => text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;')],
  ])('are found whatever they consist of, also if they look like escapes themselves, %s', (_, written) => {
    const part = fc.oneof(
      fc.constantFrom('%', '%25', '%41', '\\', '&', '&lt', '"', '/', '+', "'", '<'),
      fc.string({ minLength: 1, maxLength: 4, unit: fc.constantFrom(...Array.from('abyzAZ059!$*-._~^|(){}[]')) }),
    );
    const tokens = fc.array(part, { minLength: 8, maxLength: 16 }).map((parts) => parts.join(''));
    fc.assert(
      fc.property(
        tokens.filter(({ length }) => length >= 16),
        (token) => {
          const secrets = named({ authorization: `Bearer ${token}` });
          expect(secrets.redact(`<<${written(token)}>>`)).toMatch(/^<<\\*\[removed\]>>$/);
        },
      ),
      { numRuns: 1_000 },
    );
  });

  it('are found of a basic header: the header, the account and the password', () => {
    const account = Buffer.from('ada:pass').toString('base64');
    const secrets = named({ authorization: `Basic ${account}` });
    for (const said of [account, 'ada:pass', 'pass']) expect(secrets.redact(`got ${said}.`)).toBe('got [removed].');
    expect(secrets.redact('ada')).toBe('ada');
  });

  it('are found of an address: the password, a lone user, and parameters that are named so', () => {
    const secrets = new Secrets();
    for (const url of [
      'https://ada:p%40ssw@example.com/',
      'https://lone-token@example.com/?page=12345678&api_key=k-12345678',
    ])
      secrets.addUrl(url);
    expect(secrets.redact('p@ssw lone-token k-12345678 12345678 ada')).toBe(
      '[removed] [removed] [removed] 12345678 ada',
    );
    const inVariable = named({
      DATABASE_URL: 'postgres://app_user:s3cr3t-db@db/app',
      HOME_PAGE: 'https://example.com',
    });
    expect(inVariable.redact('app_user s3cr3t-db https://example.com')).toBe('app_user [removed] https://example.com');
  });

  it('leave names that stay apart, numbers, and bytes in base64', () => {
    const secrets = named({ token: '1234567890' });
    expect(secrets.redactJson({ a1234567890: 1, b1234567890: 2, '1234567890': 1234567890, n: 12 })).toEqual({
      '[removed]': '[removed]',
      'a[removed]': 1,
      'b[removed]': 2,
      n: 12,
    });
    expect(Object.keys(secrets.redactJson({ '1234567890': 1, '[removed]': 2 }))).toEqual(['[removed]', '[removed] 2']);
    const blob = (text: string) => Buffer.from(text).toString('base64');
    // Decoders skip every blank.
    const spaced = blob('it is 1234567890.').replace(/.{4}/, '$&\f\u2028 ');
    expect(secrets.redactJson({ blob: spaced })).toEqual({ blob: blob('it is [removed].') });
    // A test that takes quadratic time would take minutes.
    const blanks = `${' '.repeat(2_000_000)}!`;
    expect(secrets.redactJson({ text: 'it is 1234567890.', blob: blanks })).toMatchObject({ blob: blanks });
    expect(secrets.redactJson({ blob: blob('it is 1234567890.'), data: blob('nothing') })).toEqual({
      blob: blob('it is [removed].'),
      data: blob('nothing'),
    });
    // Bytes may say it in any way in which a text may, and decoders accept line breaks and the digits of URLs.
    for (const said of ['%31234567890', String.raw`"\u0031234567890"`, '&#49;234567890', '~~1234567890??']) {
      const read = secrets.redactJson({
        deep: [{ blob: blob(said) }, { data: Buffer.from(said).toString('base64url') }],
      });
      expect(JSON.stringify(read)).toContain(blob(said.replace(/(%31|\\u0031|&#49;|1)234567890/, '[removed]')));
    }
    const broken = blob('it is 1234567890.').replaceAll(/.{3}/g, '$&\r\n');
    expect(secrets.redactJson({ blob: broken })).toEqual({ blob: blob('it is [removed].') });
    expect(secrets.redactJson(JSON.parse('{"__proto__":"1234567890"}'))).toEqual(
      JSON.parse('{"__proto__":"[removed]"}'),
    );
  });

  it('are found in a value of any depth, and in long runs of what looks like escapes', () => {
    const deep = JSON.parse(`${'['.repeat(50_000)}"tok-123456789"${']'.repeat(50_000)}`) as object;
    expect(JSON.stringify(child.redactJson(deep))).not.toContain('tok-123456789');
    for (const run of ['\\', '%25', '&amp;', '%', '&']) {
      const said = run.repeat(100_000);
      expect(child.redact(said)).toBe(said);
    }
  });
});
