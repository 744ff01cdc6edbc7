import { checkedBaseUrl, serverUrl } from './base-url.js';

const refused = expect.objectContaining({ code: 'INVALID_CONFIGURATION' });

describe('checkedBaseUrl', () => {
  it.each([
    ['https://api.example.com', 'https://api.example.com'],
    ['https://api.example.com/v1/', 'https://api.example.com/v1'],
    ['HTTP://API.example.com:8080/a/../b', 'http://api.example.com:8080/b'],
  ])('takes %s as %s', (url, expected) => {
    expect(checkedBaseUrl(url)).toBe(expected);
  });

  it.each([
    ['a relative URL', '/v1'],
    ['a file', 'file:///etc/passwd'],
    ['credentials', 'https://user:pass@api.example.com'],
    ['a query', 'https://api.example.com?key=1'],
    ['a fragment', 'https://api.example.com#x'],
    ['a variable without a default', 'https://api.example.com/{version}'],
    ['nonsense', 'https://'],
  ])('refuses %s', (_, url) => {
    expect(() => checkedBaseUrl(url)).toThrow(refused);
  });
});

describe('serverUrl', () => {
  it('takes the first server, with its variables at their defaults', () => {
    const servers = [
      {
        url: 'https://{region}.example.com/{version}',
        variables: { region: { default: 'eu' }, version: { default: 'v2' } },
      },
      { url: 'https://other.example.com' },
    ];
    expect(serverUrl(servers)).toBe('https://eu.example.com/v2');
  });

  it.each([
    ['a number', { default: 8443 }, '8443'],
    ['a boolean', { default: true }, 'true'],
    ['the first choice', { enum: [9000, 9001] }, '9000'],
  ])('takes %s as the default of a variable', (_, port, expected) => {
    const servers = [{ url: 'https://api.example.com/{port}', variables: { port } }];
    expect(serverUrl(servers)).toBe(`https://api.example.com/${expected}`);
  });

  it('reads a relative server against a base', () => {
    expect(serverUrl([{ url: '/v2' }], 'https://api.example.com/v1')).toBe('https://api.example.com/v2');
  });

  it('knows no server where there is none', () => {
    for (const servers of [undefined, [], 'x', [{}], [null]]) expect(serverUrl(servers)).toBeUndefined();
  });

  it('refuses a variable without a default, and one that only an object has', () => {
    expect(() => serverUrl([{ url: 'https://{region}.example.com' }])).toThrow(refused);
    expect(() => serverUrl([{ url: 'https://a.example.com/{constructor}', variables: {} }])).toThrow(refused);
  });
});
