import { randomBytes } from 'node:crypto';
import { isIP } from 'node:net';
import { basename } from 'node:path';
import { parseArgs } from 'node:util';
import type { INestApplicationContext } from '@nestjs/common';
import { ToolSearchError } from '@tool-search/core';
import { StdioGateway } from '@tool-search/gateway';
import { check } from '../check/check.js';
import type { CommandOutput } from '../command.js';
import { type GatewayConfig, readConfig } from '../config/read-config.js';
import { createContext, createHttp, localUser, PATH, stateFileOf } from './gateway-application.js';

export const SERVE_USAGE = `Usage: tool-search serve FILE [--stdio | --http PORT] [options]

Serves the MCP servers of FILE (mcpServers of Claude Desktop and Cursor, servers of VS Code) as one server:
its clients search, read and call the tools of all of them.

  --stdio          serves the client that started this command (default)
  --http PORT      serves http://127.0.0.1:PORT/mcp; TOOL_SEARCH_TOKEN sets the bearer token, else one is printed
  --host HOST      listens there instead of 127.0.0.1
  --profile NAME   with --stdio: the tools of a profile
  --state FILE     SQLite file with accepted definitions and activations, or :memory: (default: in ~/.tool-search)
  --check          prints servers, tools, their tokens and what is held back; exit code 1 if anything needs a look
  --json           with --check: prints JSON
`;

const OPTIONS = {
  stdio: { type: 'boolean' },
  http: { type: 'string' },
  host: { type: 'string' },
  profile: { type: 'string' },
  state: { type: 'string' },
  check: { type: 'boolean', default: false },
  json: { type: 'boolean', default: false },
} as const;
const TOKEN = /^[\x21-\x7e]{16,500}$/;
const SIGNALS = ['SIGTERM', 'SIGINT', 'SIGHUP'] as const;

/** The command `tool-search serve`. */
export async function serve(args: readonly string[], output: CommandOutput): Promise<number> {
  const { values, positionals } = parseArgs({ args: [...args], allowPositionals: true, options: OPTIONS });
  const [file] = positionals;
  const isHttp = values.http !== undefined;
  const isContradictory = (values.stdio === true || values.profile !== undefined) && isHttp;
  if (file === undefined || positionals.length > 1 || isContradictory || (values.host !== undefined && !isHttp)) {
    output.error(SERVE_USAGE);
    return 1;
  }
  const config = readConfig(file);
  const state = values.state ?? stateFileOf(config);
  const route = routeOf(config, values.profile);
  if (values.check) return check({ config, state, route, asJson: values.json }, output);
  const notes = config.servers.filter(({ ignored }) => ignored.length > 0);
  for (const { title, ignored } of notes) {
    output.error(
      `tool-search: ${basename(config.file)}: ${title}: these keys mean nothing here: ${ignored.join(', ')}\n`,
    );
  }
  if (values.http === undefined) return serveStdio(config, state, route);
  return serveHttp(config, state, { port: portOf(values.http), host: values.host ?? '127.0.0.1' }, output);
}

async function serveStdio(config: GatewayConfig, state: string, route: string): Promise<number> {
  // Whatever prints to the console must not reach the protocol.
  for (const method of ['log', 'info', 'debug'] as const) console[method] = console.error;
  return untilStopped(
    () => createContext({ config, state }),
    (app) => app.get(StdioGateway).serve(localUser(), { route }).closed,
  );
}

async function serveHttp(
  config: GatewayConfig,
  state: string,
  { port, host }: { readonly port: number; readonly host: string },
  { error }: CommandOutput,
): Promise<number> {
  const given = process.env['TOOL_SEARCH_TOKEN'] || undefined;
  if (given !== undefined && !TOKEN.test(given)) {
    throw new ToolSearchError('INVALID_CONFIGURATION', 'TOOL_SEARCH_TOKEN is no usable token.', {
      hint: 'Take 16 to 500 visible characters, or leave it out: then one is made and printed.',
    });
  }
  const token = given ?? randomBytes(24).toString('base64url');
  return untilStopped(
    () => createHttp({ config, state }, token, isLoopback(host)),
    async (app) => {
      await app.listen(port, host);
      const address = (await app.getUrl()).replace('[::1]', 'localhost');
      error(`tool-search: serving ${address}/${PATH}\n`);
      if (given === undefined) error(`tool-search: Authorization: Bearer ${token}\n`);
      if (!isLoopback(host)) error('tool-search: other machines can reach this address, and nothing is encrypted.\n');
      return new Promise<never>(() => undefined);
    },
  );
}

/**
 * Runs an application until its work ends or the process gets a signal to stop, and closes it: running calls end, and so do
 * the servers' processes. A second signal does not wait.
 */
async function untilStopped<T extends INestApplicationContext>(
  start: () => Promise<T>,
  work: (app: T) => Promise<void>,
): Promise<number> {
  let count = 0;
  let stop: () => void = () => undefined;
  const stopped = new Promise<void>((resolve) => (stop = resolve));
  const onSignal = () => {
    count += 1;
    if (count > 1) process.exit(1);
    stop();
  };
  for (const signal of SIGNALS) process.on(signal, onSignal);
  const starting = start();
  // A start that is broken off is not reported.
  starting.catch(() => undefined);
  const app = await Promise.race([starting, stopped]);
  if (!app) return 0;
  try {
    await Promise.race([work(app), stopped]);
  } finally {
    await app.close();
    for (const signal of SIGNALS) process.off(signal, onSignal);
  }
  return 0;
}

function routeOf({ options }: GatewayConfig, profile: string | undefined): string {
  if (profile === undefined) return options.exposure === 'all' ? 'all' : '';
  if (Object.hasOwn(options.profiles, profile)) return `p/${profile}`;
  throw new ToolSearchError('INVALID_CONFIGURATION', `There is no profile ${JSON.stringify(profile)}.`, {
    hint: `toolSearch.profiles has: ${Object.keys(options.profiles).join(', ') || 'none'}.`,
  });
}

function portOf(text: string): number {
  const port = Number(text);
  if (/^\d{1,5}$/.test(text) && port <= 65_535) return port;
  throw new ToolSearchError('INVALID_CONFIGURATION', '--http must be a port from 0 to 65535.', {
    hint: 'With 0 the system chooses one.',
  });
}

function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || (isIP(host) === 4 && host.startsWith('127.'));
}
