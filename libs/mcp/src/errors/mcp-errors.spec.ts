import { createServer, type Server } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import type { ToolSearchError } from '@tool-search/core';
import { CircuitOpenError } from '@tool-search/core/internal';
import type { McpSourceOptions } from '../mcp-source-options.js';
import { McpSource } from '../mcp.source.js';
import { callFailure } from './mcp-errors.js';

/** The error of a source whose server fails to list its tools. */
async function saidOf(options: object): Promise<{ code: string; said: string }> {
  const source = new McpSource({ name: 'docs', loadTimeoutMs: 20_000, ...options } as McpSourceOptions);
  try {
    await source.load(new AbortController().signal);
    return { code: 'none', said: '' };
  } catch (error) {
    const { code, message, hint } = error as ToolSearchError;
    return { code, said: `${message} ${hint}` };
  } finally {
    await source.close();
  }
}

describe('a server that cannot be loaded says to operators why', () => {
  let http: Server;
  let answer: [status: number, type: string];

  beforeAll(async () => {
    http = createServer((_, res) => res.writeHead(answer[0], { 'content-type': answer[1] }).end('<p>in its words</p>'));
    http.listen(0, '127.0.0.1');
    await once(http, 'listening');
  });

  afterAll(async () => {
    http.closeAllConnections();
    http.close();
    await once(http, 'close');
  });

  it.each([
    [404, /answered with HTTP status 404\. Check its url, the path included/],
    [503, /answered with HTTP status 503\. Ask whoever runs the server/],
    [401, /refused the credentials/],
    [200, /does not speak the protocol/],
  ])('over HTTP, status %d', async (status, expected) => {
    answer = [status, 'text/html'];
    const url = `http://127.0.0.1:${(http.address() as AddressInfo).port}/`;
    const { code, said } = await saidOf({ url });
    expect([code, said]).toEqual(['SOURCE_UNAVAILABLE', expect.stringMatching(expected)]);
    expect(said).not.toContain('in its words');
  });

  it('if no server listens', async () => {
    const gone = createServer().listen(0, '127.0.0.1');
    await once(gone, 'listening');
    const { port } = gone.address() as AddressInfo;
    gone.close();
    await once(gone, 'close');
    const { said } = await saidOf({ url: `http://127.0.0.1:${port}/` });
    expect(said).toMatch(/cannot be reached \(ECONNREFUSED\)\. Check its address, and whether it is running/);
  });

  it.each([
    [{ url: 'http://10.0.0.1/' }, /not public and not allowed\. An operator allows its place with egress\.allow/],
    [{ command: 'no-such-command-anywhere' }, /could not be started \(ENOENT\)\. Check its command, cwd and PATH/],
    [
      { command: process.execPath, args: ['-e', "console.error('TOKEN is missing'); process.exit(3)"] },
      /ended the connection.* started by hand, a command says why it ends/,
    ],
  ])('of %j', async (server, expected) => {
    const { code, said } = await saidOf(server);
    expect([code, said]).toEqual(['SOURCE_UNAVAILABLE', expect.stringMatching(expected)]);
  });
});

it('gives the log a cause of each call that failed, and none of those that were not tried', () => {
  const broken = new Error('reset');
  expect(callFailure('docs', broken).cause).toBe(broken);
  expect(callFailure('docs', new CircuitOpenError()).cause).toBeUndefined();
});
