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
});
