import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { join } from 'node:path';
import { type Answer, type RequestOptions, send } from './reference-server.js';

const ROOT = join(__dirname, '..', '..');
const SMALL_GITHUB = join(__dirname, 'small-github.cjs');

/** The built server in its own process. */
export interface BuiltServer {
  readonly url: string;
  readonly output: () => string;
  request(path: string, options?: RequestOptions): Promise<Answer>;
  /** Kills it, as in a crash. */
  kill(): Promise<void>;
}

/** Builds the application if its sources have changed. */
export function build(): void {
  execFileSync(process.execPath, [join(ROOT, 'scripts/build-if-changed.mjs')], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
}

/**
 * Starts the built server and waits until it reports that it is ready. It waits up to ten minutes for its sources, for
 * slow machines. It has one GitHub operation.
 */
export async function startBuiltServer(env: Readonly<Record<string, string>>): Promise<BuiltServer> {
  const child = spawn(process.execPath, ['--require', SMALL_GITHUB, join(ROOT, 'dist/src/main.js')], {
    cwd: ROOT,
    env: { ...process.env, PORT: '0', NO_COLOR: '1', TOOL_SEARCH_BOOT_WAIT_MS: '600000', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  const url = await new Promise<string>((resolve, reject) => {
    const read = (chunk: Buffer) => {
      output += chunk.toString();
      const ready = /Ready on (http\S+?),/.exec(output)?.[1];
      if (ready) resolve(ready.replace('[::1]', '127.0.0.1').replace('localhost', '127.0.0.1'));
    };
    child.stdout.on('data', read);
    child.stderr.on('data', read);
    child.once('exit', (code) => reject(new Error(`the server ended with ${code}: ${output}`)));
  });
  return {
    url,
    output: () => output,
    // If the machine stalls for seconds, an idle connection could be closed while the next request is on its way.
    request: (path, options) => send(url, path, { ...options, headers: { connection: 'close', ...options?.headers } }),
    kill: () => ended(child, 'SIGKILL'),
  };
}

function ended(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return Promise.resolve();
  return new Promise((resolve) => {
    child.once('exit', () => resolve());
    child.kill(signal);
  });
}
