import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { SdkErrorCode } from '@modelcontextprotocol/client';
import { Secrets } from '@tool-search/core/source';
import { keepGroup, forgetGroup } from './process-group.js';
import { StdioTransport } from './stdio-transport.js';

// The transport waits for a process to end by itself. Here it waits 1/20 of that time.
jest.mock('node:timers/promises', () => {
  const { setTimeout: wait, ...others } =
    jest.requireActual<typeof import('node:timers/promises')>('node:timers/promises');
  return { ...others, setTimeout: (ms: number, ...more: unknown[]) => wait(ms / 20, ...(more as [])) };
});

const transportOf = (command: string, args: readonly string[], maxBytes = 1_000_000) =>
  new StdioTransport({ command, args, env: {}, cwd: undefined } as never, maxBytes);
const isAlive = (pid: number) => {
  try {
    process.kill(pid, 0);
    // A dead process stays as a zombie until its parent reaps it, which some parents do only every few seconds.
    return process.platform !== 'linux' || !/\) [ZX] /.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
  } catch {
    return false;
  }
};
async function until(isTrue: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await isTrue())) await delay(400);
}

it('holds a process back that floods us, and loses nothing of it', async () => {
  const line = `${JSON.stringify({ jsonrpc: '2.0', method: 'notifications/tools/list_changed' })}\\n`;
  const flood = `process.stdout.write('${line}'.repeat(500)); process.stdin.resume()`;
  const transport = transportOf(process.execPath, ['-e', flood]);
  let seen = 0;
  const all = new Promise<void>((resolve) => {
    transport.onmessage = () => ++seen === 500 && resolve();
  });
  await transport.start();
  await until(() => transport.holds > 0);
  expect(seen).toBeGreaterThan(100);
  await all;
  await transport.close();
});

(process.platform === 'win32' ? describe.skip : describe)('what a server has started', () => {
  let folder: string;
  const file = () => join(folder, 'pid');
  // Like `npx`: a shell that waits for its child, which ignores the end of its input.
  const script = () => `sleep 1000 & echo $! > '${file()}.tmp'; mv '${file()}.tmp' '${file()}'; wait`;
  const grandchild = async () => {
    let pid = 0;
    await until(async () => (pid = Number(await readFile(file(), 'utf8').catch(() => ''))) > 0);
    return pid;
  };
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'tool-search-group-'));
  });
  afterEach(() => rm(folder, { recursive: true }));

  it('ends when the connection is closed', async () => {
    const transport = transportOf('sh', ['-c', script()]);
    await transport.start();
    const pid = await grandchild();
    expect(isAlive(pid)).toBe(true);
    await Promise.all([transport.close(), transport.close()]);
    await until(() => !isAlive(pid));
  });

  it('ends when it ignores every request to, and when its parent has left it behind', async () => {
    const stubborn = `trap '' TERM; ${script()}; wait`;
    for (const text of [stubborn, script().replace(/; wait$/, '')]) {
      const transport = transportOf('sh', ['-c', text]);
      await transport.start();
      const pid = await grandchild();
      await transport.close();
      await until(() => !isAlive(pid));
      await rm(file());
    }
  });

  // Runs the application as a separate process in plain JavaScript, because only its process groups matter here.
  it.each(['SIGTERM', 'SIGINT', 'SIGHUP'] as const)('ends when the application does by %s', async (signal) => {
    const app = spawn(process.execPath, ['-e', application(script())], {
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    // Wait until the group is registered: the child may start before that.
    await once(app.stdout, 'data');
    const pid = await grandchild();
    app.kill(signal);
    const [, by] = (await once(app, 'exit')) as [number | null, string | null];
    expect(by).toBe(signal);
    await until(() => !isAlive(pid));
  });

  it('ends when its parent ends by itself, and is not kept in mind', async () => {
    const before = process.listenerCount('exit');
    const transport = transportOf('sh', [
      '-c',
      script()
        .replace(/sleep 1000/, '$& >/dev/null 2>&1 </dev/null')
        .replace(/wait$/, 'exit'),
    ]);
    await transport.start();
    expect(process.listenerCount('exit')).toBe(before + 1);
    const pid = await grandchild();
    await until(() => !isAlive(pid) && process.listenerCount('exit') === before);
  });

  it('leaves a signal to others who listen for it', () => {
    const before = process.listenerCount('SIGHUP');
    const heard: number[] = [];
    // Like signal-exit, which also leaves the signal to others: two such listeners would wait for each other forever.
    const other = () => void heard.push(process.listenerCount('SIGHUP') - before);
    process.on('SIGHUP', other);
    keepGroup(2 ** 30);
    expect(process.listenerCount('SIGHUP')).toBe(before + 2);
    process.emit('SIGHUP', 'SIGHUP');
    expect(heard).toEqual([1]);
    forgetGroup(2 ** 30);
    process.off('SIGHUP', other);
    expect(process.listenerCount('SIGHUP')).toBe(before);
  });
});

/** Source text of an application that starts a server in a group, with the compiled code of process-group.ts. */
function application(script: string): string {
  const text = readFileSync(join(__dirname, 'process-group.ts'), 'utf8');
  const { transformSync } = jest.requireActual<typeof import('@swc/core')>('@swc/core');
  const { code } = transformSync(text, {
    jsc: { parser: { syntax: 'typescript' }, target: 'es2022' },
    module: { type: 'commonjs' },
  });
  return `
    ${code}
    const child = require('node:child_process').spawn('sh', ['-c', ${JSON.stringify(script)}], { detached: true });
    exports.keepGroup(child.pid);
    console.log('kept');
    setInterval(() => {}, 1000);`;
}

it('tells the last lines of what the server wrote, without credentials and controls', async () => {
  const write = `console.error('x'.repeat(3000) + '\\n\\u001b[31mNo such file:\\tconfig.json\\u001b[0m\\r\\nkey ghp_0123456789abcdefghijklmn\\n')`;
  const transport = transportOf(process.execPath, ['-e', write]);
  const closed = new Promise<void>((resolve) => (transport.onclose = resolve));
  await transport.start();
  await closed;
  expect(transport.lastWords(new Secrets())).toBe('[31mNo such file: config.json [0m | key [redacted]');
  await transport.close();
});

it('tells no part of a credential of the connection, wherever the lines are cut', async () => {
  const secrets = new Secrets();
  secrets.add('qwertyuiop-123456');
  const write = `const said = 'qwertyuiop-123456'; console.error('-'.repeat(190) + said); process.stderr.write((said + ' ').repeat(500))`;
  const transport = transportOf(process.execPath, ['-e', write]);
  const closed = new Promise<void>((resolve) => (transport.onclose = resolve));
  await transport.start();
  await closed;
  expect(transport.lastWords(secrets)).toMatch(/^(?!.*(?:qwerty|uiop|123456)).*\[removed\]/);
  await transport.close();
});

it('says that the connection is closed, not that a pipe is, if the server ends before it reads a message', async () => {
  // A process that has closed its input, as one that is ending has: to write to it fails with EPIPE.
  const script = "require('fs').closeSync(0); console.error('no such office'); setInterval(() => {}, 60_000)";
  const transport = transportOf(process.execPath, ['-e', script]);
  await transport.start();
  await until(() => transport.lastWords(new Secrets()) !== '');
  const sent = transport.send({ jsonrpc: '2.0', id: 1, method: 'ping' }).catch((error: unknown) => error);
  if (transport.pid !== null) process.kill(transport.pid);
  expect(await sent).toMatchObject({ name: 'SdkError', code: SdkErrorCode.ConnectionClosed });
  await transport.close();
});
