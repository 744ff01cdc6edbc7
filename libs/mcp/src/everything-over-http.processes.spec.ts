import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { dirname, join } from 'node:path';
import { McpSource } from './index.js';

const SERVER = join(dirname(require.resolve('@modelcontextprotocol/server-everything/package.json')), 'dist/index.js');
const CONTEXT = { tenantId: 'acme' };
const NEVER = new AbortController().signal;
const callOf = (progress: () => void = () => undefined) => ({
  id: 'call-1',
  signal: NEVER,
  deadline: Date.now() + 60_000,
  progress,
});

async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const { port } = probe.address() as AddressInfo;
  probe.close();
  await once(probe, 'close');
  return port;
}

describe('the everything server over Streamable HTTP', () => {
  it('lists and calls, and a call does not outlive the server', async () => {
    const port = await freePort();
    const child = spawn(process.execPath, [SERVER, 'streamableHttp'], {
      env: { ...process.env, PORT: String(port) },
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    const ended = once(child, 'close');
    const everything = new McpSource({ name: 'everything', url: `http://127.0.0.1:${port}/mcp` });
    try {
      await once(child.stderr, 'data');
      expect((await everything.load(NEVER)).map(({ name }) => name)).toContain('echo');
      expect(await everything.call('echo', { message: 'hi' }, CONTEXT, callOf())).toMatchObject({
        content: [{ text: 'Echo: hi' }],
      });
      const running = callOf(() => child.kill('SIGKILL'));
      const call = everything.call('trigger-long-running-operation', { duration: 60, steps: 600 }, CONTEXT, running);
      await expect(call).rejects.toMatchObject({ code: 'SOURCE_UNAVAILABLE' });
    } finally {
      child.kill('SIGKILL');
      await ended;
      await everything.close();
    }
  });
});
