import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';

/** The built reference server in its own process. */
export interface ServerProcess {
  readonly url: string;
  /** Sends JSON; a body makes it a POST, unless there is a `method`. */
  request(
    path: string,
    token: string,
    body?: unknown,
    headers?: Readonly<Record<string, string>>,
    method?: string,
  ): Promise<ServerAnswer>;
  /** Sends a body unchanged. */
  requestText(path: string, token: string, body: string): Promise<ServerAnswer>;
  readonly child: ChildProcess;
  stop(): Promise<void>;
}

/** Response of the server. */
export interface ServerAnswer {
  readonly status: number;
  // Depends on the route; the benchmark reads one or two fields.
  readonly body: Readonly<Record<string, unknown>>;
}

/** Settings of a server to which a command sends more requests of operators than people would. */
export const UNLIMITED_OPERATORS = {
  TOOL_SEARCH_ADMIN_WRITES_PER_MINUTE: '1000000',
  TOOL_SEARCH_ADMIN_READS_PER_MINUTE: '1000000',
};

/** Timeout of the server's start. */
const BOOT_MS = 120_000;

/**
 * Starts the built server on a free port and waits until it is ready.
 *
 * @param entry another file that starts it, and its arguments
 * @throws Error with its output if it exits before it is ready
 */
export async function startServer(
  env: Readonly<Record<string, string>>,
  [file, ...args]: readonly [file: string, ...args: string[]] = ['../src/main.js'],
): Promise<ServerProcess> {
  const child = spawn(process.execPath, [join(__dirname, '..', file), ...args], {
    env: { ...process.env, PORT: '0', NO_COLOR: '1', ...env },
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  });
  const url = await readyUrl(child);
  const send = async (
    path: string,
    token: string,
    body: string | undefined,
    headers: Readonly<Record<string, string>> = {},
    method = body === undefined ? 'GET' : 'POST',
  ) => {
    const response = await fetch(`${url}${path}`, {
      method,
      headers: {
        authorization: `Bearer ${token}`,
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body !== undefined && { body }),
    });
    return { status: response.status, body: (await response.json()) as ServerAnswer['body'] };
  };
  return {
    url,
    child,
    requestText: (path, token, body) => send(path, token, body),
    request: (path, token, body, headers, method) =>
      send(path, token, body === undefined ? undefined : JSON.stringify(body), headers, method),
    stop: () => ended(child),
  };
}

function readyUrl(child: ChildProcess): Promise<string> {
  const streams = [child.stdout, child.stderr];
  let output = '';
  let late: NodeJS.Timeout;
  return new Promise<string>((resolve, reject) => {
    late = setTimeout(() => reject(new Error(`the server is not ready after ${BOOT_MS} ms: ${output}`)), BOOT_MS);
    for (const stream of streams) {
      stream?.on('data', (chunk: Buffer) => {
        output += chunk.toString();
        const ready = /Ready on (http\S+?),/.exec(output)?.[1];
        if (ready) resolve(ready.replace('[::1]', '127.0.0.1').replace('localhost', '127.0.0.1'));
      });
    }
    child.once('exit', (code) => reject(new Error(`the server ended with ${code}: ${output}`)));
  }).finally(() => {
    clearTimeout(late);
    // The output is no longer read, but a full pipe would block the server.
    for (const stream of streams) stream?.removeAllListeners('data').resume();
  });
}

function ended(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return Promise.resolve();
  return new Promise((resolve) => {
    child.once('exit', () => resolve());
    child.kill('SIGTERM');
  });
}
