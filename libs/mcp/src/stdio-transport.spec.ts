import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { StdioTransport } from './stdio-transport.js';

it('holds a process back that floods us, and loses nothing of it', async () => {
  const line = `${JSON.stringify({ jsonrpc: '2.0', method: 'notifications/tools/list_changed' })}\\n`;
  const flood = `process.stdout.write('${line}'.repeat(1500)); process.stdin.resume()`;
  const server = { command: process.execPath, args: ['-e', flood], env: {}, cwd: undefined };
  const transport = new StdioTransport(server as never, 1_000_000);
  let seen = 0;
  const all = new Promise<void>((resolve) => {
    transport.onmessage = () => ++seen === 1500 && resolve();
  });
  await transport.start();
  const stdout = (transport as unknown as { _process: ChildProcess })._process.stdout!;
  await once(stdout, 'pause');
  expect(seen).toBeGreaterThan(100);
  await all;
  await transport.close();
});
