import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { inspect } from 'node:util';
import { McpSource, type McpSourceOptions } from './index.js';
import { CLIENT } from './connection/mcp-connection.js';

describe('the options of an MCP source', () => {
  it.each<[string, object]>([
    ['no server', {}],
    ['two servers', { url: 'https://example.com', command: 'node' }],
    ['an illegal name', { name: 'my server', command: 'node' }],
    ['an empty name', { name: '', command: 'node' }],
    ['an illegal namespace', { namespace: 'a b', command: 'node' }],
    ['a relative address', { url: '/mcp' }],
    ['a file as address', { url: 'file:///etc/passwd' }],
    ['credentials in the address', { url: 'https://me:s3cret@example.com/mcp' }],
    ['a header with a line break', { url: 'https://example.com', headers: { 'x-token': 's3cret\r\nhost: evil' } }],
    ['an empty command', { command: '' }],
    ['a server that is undefined', { command: undefined, url: undefined }],
    ['an unknown side effect', { command: 'node', sideEffects: { '*': 'harmless' } }],
    ['no time for a call', { command: 'node', callTimeoutMs: 0 }],
    ['a time for loading that is no number', { command: 'node', loadTimeoutMs: Number.NaN }],
    ['more time than a timer can hold', { command: 'node', callTimeoutMs: 1e12 }],
    ['looks at the list without a pause', { command: 'node', refreshEveryMs: 999 }],
    ['no time to be idle', { command: 'node', idleMs: 0 }],
    ['no connection at all', { command: 'node', maxConnections: 0 }],
    ['half a connection', { command: 'node', maxConnections: 1.5 }],
    ['globs that are no list', { command: 'node', alwaysLoaded: 'get_*' }],
    ['an empty glob', { command: 'node', include: [''] }],
    ['a glob that is no text', { command: 'node', exclude: [7] }],
    ['an example without arguments', { command: 'node', examples: { get: [{ description: 's3cret' }] } }],
    ['examples that are no list', { command: 'node', examples: { get: { args: {} } } }],
    ['an unknown loading', { command: 'node', loading: 'sometimes' }],
    ['an unknown policy of changes', { command: 'node', changes: 'never' }],
    ['a switch that is a word', { command: 'node', lazy: 'yes' }],
    ['a check that is a word', { command: 'node', validateOutput: 'no' }],
    ['a variable that is no text', { command: 'node', env: { TOKEN: 7 } }],
    ['a variable with NUL', { command: 'node', env: { TOKEN: 's3cret\0' } }],
    ['a header that is no text', { url: 'https://example.com', headers: { 'x-token': ['s3cret'] } }],
    ['a place that is none', { url: 'https://example.com', egress: { allow: ['*.example'] } }],
  ])('refuse %s at once, and repeat no secret', (_, options) => {
    const make = () => new McpSource({ name: 'test', ...options } as McpSourceOptions);
    expect(make).toThrow(expect.objectContaining({ code: 'INVALID_CONFIGURATION', hint: expect.any(String) }));
    expect(make).toThrow(expect.not.objectContaining({ message: expect.stringContaining('s3cret') }));
  });

  it('may name what they leave out as undefined', () => {
    const options = { name: 'test', url: undefined, command: 'node' } as unknown as McpSourceOptions;
    expect(() => new McpSource(options)).not.toThrow();
  });

  it('keep headers and environment out of every log', () => {
    const remote = new McpSource({ name: 'test', url: 'http://localhost:1', headers: { authorization: 's3cret' } });
    const local = new McpSource({ name: 'test', command: 'node', env: { TOKEN: 's3cret' } });
    expect(
      `${inspect([remote, local], { depth: 9, showHidden: true })} ${JSON.stringify([remote, local])}`,
    ).not.toContain('s3cret');
  });

  it('give a deferred source that all tenants share, unless they say otherwise', () => {
    expect(new McpSource({ name: 'test', command: 'node' })).toMatchObject({
      loading: 'deferred',
      owner: undefined,
      changes: 'strict',
      lazy: false,
    });
    const own = new McpSource({
      name: 'test',
      url: 'http://localhost:1',
      owner: 'acme',
      loading: 'always',
      callTimeoutMs: 5,
    });
    expect(own).toMatchObject({ loading: 'always', owner: 'acme', callTimeoutMs: 5 });
  });
});

it('introduces itself by the version of the package', () => {
  const manifest = readFileSync(join(__dirname, '../package.json'), 'utf8');
  expect(CLIENT.version).toBe((JSON.parse(manifest) as { version: string }).version);
});
