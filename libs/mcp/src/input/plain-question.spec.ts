import type { JsonObject } from '@tool-search/core';
import { plainQuestion } from './plain-question.js';

const remote = { source: 'github', isLocal: false };
const local = { source: 'files', isLocal: true };
const form = (properties: JsonObject, message = 'Which city?'): JsonObject => ({
  message,
  requestedSchema: { type: 'object', properties },
});
const link = (url: unknown): JsonObject => ({
  mode: 'url',
  message: 'Sign in',
  url: url as string,
  elicitationId: 'e1',
});
const refused = expect.objectContaining({ name: 'ToolSearchError', code: 'INPUT_REQUIRED' });
const thrown = (run: () => unknown) => {
  try {
    return run();
  } catch (error) {
    return error;
  }
};

describe('a question of a server', () => {
  it('has the name of its source apart, which no text can imitate', () => {
    expect(plainQuestion(remote, form({}, 'Which city?'))['message']).toBe('[github] Which city?');
    expect(
      plainQuestion(remote, form({}, 'ok\r\n\n[slack] Your\u202e password\u200b\u0000\u001b[31m?'))['message'],
    ).toBe('[github] ok (slack) Your password(31m?');
    expect(plainQuestion(remote, form({}, 'a'.repeat(9_000)))['message']).toHaveLength(2_010);
  });

  it('has the members of the protocol only, with texts of one line', () => {
    const city = {
      type: 'string',
      title: 'City\nhall',
      description: '\u2066x',
      minLength: 1,
      format: 'email',
      'x-html': '<b>',
    };
    const size = { type: 'array', items: { type: 'string', anyOf: [{ const: 's', title: 'Small' }] }, minItems: 1 };
    expect(plainQuestion(remote, { ...form({ city, size }), required: ['x'], 'x-other': 1 })).toEqual({
      message: '[github] Which city?',
      requestedSchema: {
        type: 'object',
        properties: {
          city: { type: 'string', title: 'City hall', description: 'x', minLength: 1, format: 'email' },
          size: { type: 'array', minItems: 1, items: { type: 'string', anyOf: [{ const: 's', title: 'Small' }] } },
        },
      },
    });
  });

  it.each<readonly [string, JsonObject]>([
    ['a hidden character in a choice', form({ a: { type: 'string', enum: ['yes', 'y\u200bes'] } })],
    ['a hidden character in a default', form({ a: { type: 'string', default: 'a\u202eb' } })],
    ['an object as a field', form({ a: { type: 'object' } })],
    ['a name with blanks', form({ 'a b': { type: 'string' } })],
    ['a field without a type', form({ a: {} })],
    ['too many fields', form(Object.fromEntries(Array.from({ length: 51 }, (_, n) => [`f${n}`, { type: 'string' }])))],
    ['a choice of which a credential was removed', form({ a: { type: 'string', enum: ['x[removed]'] } })],
    ['a default of which a credential was removed', form({ a: { type: 'string', default: '[removed]' } })],
    ['no form', { message: 'hello' }],
  ])('is refused with %s', (_, params) => {
    expect(thrown(() => plainQuestion(remote, params))).toEqual(refused);
  });

  it.each([
    'javascript:alert(1)',
    'data:text/html,hi',
    'file:///etc/passwd',
    'vscode://install',
    'http://example.com/',
    'https://user:pw@example.com/',
    'https://user@example.com/',
    'https://169.254.169.254/latest/meta-data',
    'https://0xa9fea9fe/',
    'https://2852039166/',
    'https://[::ffff:169.254.169.254]/',
    'https://[fd00:ec2::254]/',
    'https://10.0.0.1/',
    'https://metadata.google.internal/',
    'https://intranet/',
    'https://localhost/',
    'http://127.0.0.1:3000/',
    'https://example.com/?token=[removed]',
    'not an address',
    '//example.com',
    42,
    undefined,
  ])('may not send a person to %s', (url) => {
    expect(thrown(() => plainQuestion(remote, link(url)))).toEqual(refused);
  });

  it('may send a person to the public web, and to this machine from a server on it', () => {
    const url = 'https://github.com/login/oauth?state=1';
    expect(plainQuestion(remote, link(url))).toEqual({
      mode: 'url',
      message: '[github] Sign in',
      url,
      elicitationId: 'e1',
    });
    for (const own of ['http://localhost:3000/', 'http://127.0.0.1:8080/a', 'http://[::1]/']) {
      expect(plainQuestion(local, link(own))).toMatchObject({ url: own });
      expect(thrown(() => plainQuestion(remote, link(own)))).toEqual(refused);
    }
    expect(thrown(() => plainQuestion(local, link('http://192.168.0.1/')))).toEqual(refused);
  });
});
