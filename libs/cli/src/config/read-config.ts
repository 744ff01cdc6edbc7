import { readFileSync, realpathSync, statSync } from 'node:fs';
import { homedir } from 'node:os';
import { basename, dirname } from 'node:path';
import { ToolSearchError } from '@tool-search/core';
import { isObject, parseOptions, record, type SettingsOf, text } from '@tool-search/core/internal';
import type { McpSourceOptions } from '@tool-search/mcp';
import { type ParseError, parse, printParseErrorCode } from 'jsonc-parser';
import { z } from 'zod';
import { configOptions } from './gateway-options.js';
import { type ServerEntry, serverEntry } from './server-entry.js';
import type { Variables } from './variables.js';

/** A configuration that can be served. */
export interface GatewayConfig {
  /** Absolute path of the file, without symbolic links. */
  readonly file: string;
  readonly options: SettingsOf<typeof configOptions>;
  readonly servers: readonly ConfiguredServer[];
  /** Names of servers that are switched off. */
  readonly disabled: readonly string[];
}

/** One server that is served. */
export interface ConfiguredServer {
  /** Its name in the file. */
  readonly title: string;
  readonly source: McpSourceOptions;
  /** Keys of its entry that mean nothing here. */
  readonly ignored: readonly string[];
}

const MAX_BYTES = 4 * 1024 * 1024;
const SERVER_KEYS = ['mcpServers', 'servers'] as const;
const OWN_KEY = 'toolSearch';

const input = z.looseObject({ id: text(), default: z.string().optional() });

/**
 * Reads the file in which MCP clients keep their servers: `mcpServers` (Claude, Cursor and others) or `servers` with
 * `inputs` (VS Code), as JSON with comments, and the options of this command under `toolSearch`. Other keys belong to
 * other programs and are left alone.
 *
 * @throws ToolSearchError `INVALID_CONFIGURATION`, with the path of what is wrong and without any value
 */
export function readConfig(path: string, env: Variables['env'] = process.env): GatewayConfig {
  const { file, content } = read(path);
  const name = basename(file);
  const root = parsed(content, name);
  const key = serversKey(root, name);
  const servers = parseOptions(record(z.looseObject({})), root[key], `${name}: ${key}`);
  const options = parseOptions(configOptions, root[OWN_KEY] ?? {}, `${name}: ${OWN_KEY}`);
  const unknown = Object.keys(options.servers).find((title) => !Object.hasOwn(servers, title));
  if (unknown !== undefined) {
    const where = `${name}: ${OWN_KEY}.servers has options for ${JSON.stringify(unknown.slice(0, 64))}`;
    throw wrong(`${where}, which ${key} does not have.`, 'Write the name as there.');
  }
  const folder = dirname(file);
  const variables: Variables = {
    env,
    inputs: inputsOf(root, name),
    home: homedir(),
    workspace: ['.vscode', '.cursor'].includes(basename(folder)) ? dirname(folder) : folder,
  };
  const entries = Object.entries(servers).map(
    ([title, given]) => [title, serverEntry(given, `${name}: ${key}.${title}`, variables)] as const,
  );
  const enabled = entries.flatMap(([title, entry]) => (entry ? [configured(title, entry, options)] : []));
  checkNames(enabled, `${name}: ${key}`);
  return { file, options, servers: enabled, disabled: entries.flatMap(([title, entry]) => (entry ? [] : [title])) };
}

function configured(title: string, entry: ServerEntry, options: GatewayConfig['options']): ConfiguredServer {
  const own: GatewayConfig['options']['servers'][string] | undefined = options.servers[title];
  const { server, include, exclude, ignored } = entry;
  const source: McpSourceOptions = {
    ...(include && { include }),
    ...own,
    changes: own?.changes ?? options.changes,
    // Leaving a tool out holds wherever it is written.
    ...((exclude || own?.exclude) && { exclude: [...(exclude ?? []), ...(own?.exclude ?? [])] }),
    ...server,
    name: sourceName(title),
  };
  return { title, source, ignored };
}

/** Clients accept any text as the name of a server; it becomes the namespace of its tools. */
function sourceName(title: string): string {
  return title.replaceAll(/[^A-Za-z0-9_.-]+/g, '_').slice(0, 64);
}

function checkNames(servers: readonly ConfiguredServer[], where: string): void {
  const titles = new Map<string, string>();
  for (const { title, source } of servers) {
    const other = titles.get(source.name);
    if (source.name === '' || other !== undefined) {
      const both = [other ?? '', title].map((each) => JSON.stringify(each.slice(0, 64))).join(' and ');
      throw wrong(`${where} has two servers that would be named alike: ${both}.`, 'Rename one of them.');
    }
    titles.set(source.name, title);
  }
}

function read(path: string): { readonly file: string; readonly content: string } {
  try {
    const file = realpathSync(path);
    if (statSync(file).size > MAX_BYTES) throw wrong(`${path} is larger than ${MAX_BYTES} bytes.`, 'Is it the file?');
    return { file, content: readFileSync(file, 'utf8').replace(/^\uFEFF/, '') };
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (error instanceof ToolSearchError) throw error;
    throw wrong(`${path} cannot be read (${code ?? 'unknown reason'}).`, 'Name the file with your MCP servers.');
  }
}

function parsed(content: string, name: string): Readonly<Record<string, unknown>> {
  const errors: ParseError[] = [];
  const root: unknown = parse(content, errors, { allowTrailingComma: true });
  const [error] = errors;
  if (error) {
    const before = content.slice(0, error.offset).split('\n');
    const place = `line ${before.length}, column ${(before.at(-1)?.length ?? 0) + 1}`;
    throw wrong(`${name} is not JSON: ${printParseErrorCode(error.error)} at ${place}.`, 'Comments are allowed.');
  }
  if (!isObject(root)) throw wrong(`${name} must contain an object.`, 'It has the key mcpServers.');
  return root;
}

function serversKey(root: Readonly<Record<string, unknown>>, name: string): (typeof SERVER_KEYS)[number] {
  const given = SERVER_KEYS.filter((key) => root[key] !== undefined);
  const [key] = given;
  if (key !== undefined && given.length === 1) return key;
  throw wrong(
    `${name} must have either mcpServers or servers.`,
    'mcpServers is the key of Claude Desktop and Cursor, servers that of VS Code.',
  );
}

function inputsOf(root: Readonly<Record<string, unknown>>, name: string): Variables['inputs'] {
  const inputs = parseOptions(z.array(input), root['inputs'] ?? [], `${name}: inputs`);
  return new Map(inputs.map(({ id, default: fallback }) => [id, fallback]));
}

function wrong(message: string, hint: string): ToolSearchError {
  return new ToolSearchError('INVALID_CONFIGURATION', message, { hint });
}
