import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { parseEnv } from 'node:util';
import { ToolSearchError } from '@tool-search/core';
import { flag, list, oneOf, parseOptions, type SettingsOf, text } from '@tool-search/core/internal';
import type { McpSourceOptions } from '@tool-search/mcp';
import { z } from 'zod';
import { substituted, type Variables } from './variables.js';

const values = () => z.record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.null()]));
const names = () => list(text(256)).optional();

/** A server as MCP clients write it. They have more keys of their own, such as which calls need no question. */
const entry = z.looseObject({
  type: oneOf('stdio', 'http', 'streamable-http', 'streamableHttp', 'sse').optional(),
  command: text().optional(),
  args: list(z.string()).optional(),
  env: values().optional(),
  envFile: text().optional(),
  cwd: text().optional(),
  url: text().optional(),
  httpUrl: text().optional(),
  serverUrl: text().optional(),
  headers: values().optional(),
  disabled: flag().optional(),
  enabled: flag().optional(),
  includeTools: names(),
  enabledTools: names(),
  excludeTools: names(),
  disabledTools: names(),
});

type Entry = SettingsOf<typeof entry>;

/** Where a server is: an address, or a program. */
type Server =
  | Pick<Extract<McpSourceOptions, { readonly url: unknown }>, 'url' | 'headers'>
  | Pick<Extract<McpSourceOptions, { readonly command: unknown }>, 'command' | 'args' | 'env' | 'cwd'>;

/** Where a server is, and which of its tools its entry names. */
export interface ServerEntry {
  readonly server: Server;
  readonly include?: readonly string[];
  readonly exclude?: readonly string[];
  /** Keys of other clients that mean nothing here. */
  readonly ignored: readonly string[];
}

/**
 * Reads the entry of one server; undefined for one that is switched off.
 *
 * @param path of the entry, for errors, for example `mcp.json: mcpServers.github`
 * @throws ToolSearchError `INVALID_CONFIGURATION`
 */
export function serverEntry(given: unknown, path: string, variables: Variables): ServerEntry | undefined {
  const checked = parseOptions(entry, given, path);
  if (checked.disabled === true || checked.enabled === false) return undefined;
  const { includeTools, enabledTools, excludeTools, disabledTools } = checked;
  const include = includeTools ?? enabledTools;
  const exclude = [...(excludeTools ?? []), ...(disabledTools ?? [])];
  return {
    server: serverOf(checked, path, variables),
    ...(include && { include }),
    ...(exclude.length > 0 && { exclude }),
    ignored: Object.keys(checked).filter((key) => !Object.hasOwn(entry.shape, key)),
  };
}

function serverOf(given: Entry, path: string, variables: Variables): Server {
  const { type, command, args = [], env, envFile, cwd = '.', headers } = given;
  const address = given.url ?? given.httpUrl ?? given.serverUrl;
  const filled = (value: string, key: string) => substituted(value, `${path}.${key}`, variables);
  const record = (all: Entry['env'], key: string) =>
    Object.fromEntries(
      Object.entries(all ?? {})
        .filter(([, value]) => value !== null)
        .map(([name, value]) => [name, filled(String(value), `${key}.${name}`)]),
    );
  if (type === 'sse') {
    throw wrong(path, 'is reached over SSE, a transport that MCP has replaced.', 'Take its address for type "http".');
  }
  if ((command === undefined) === (address === undefined) || (type === 'stdio' && command === undefined)) {
    throw wrong(path, 'must have either command (stdio) or url (Streamable HTTP).', 'Give one of them.');
  }
  if (address !== undefined) return { url: filled(address, 'url'), headers: record(headers, 'headers') };
  const folder = resolve(variables.workspace, filled(cwd, 'cwd'));
  const file = envFile === undefined ? undefined : resolve(variables.workspace, filled(envFile, 'envFile'));
  return {
    command: filled(command ?? '', 'command'),
    args: args.map((arg, index) => filled(arg, `args[${index}]`)),
    env: { ...(file !== undefined && readEnv(file, path)), ...record(env, 'env') },
    cwd: folder,
  };
}

function readEnv(file: string, path: string): Record<string, string> {
  try {
    return parseEnv(readFileSync(file, 'utf8')) as Record<string, string>;
  } catch (error) {
    const { code = 'unreadable' } = error as NodeJS.ErrnoException;
    throw wrong(`${path}.envFile`, `cannot be read (${code}).`, 'Name a file that this process may read.');
  }
}

function wrong(path: string, what: string, hint: string): ToolSearchError {
  return new ToolSearchError('INVALID_CONFIGURATION', `${path} ${what}`, { hint });
}
