import { isObject, SIDE_EFFECTS, ToolSearchError } from '@tool-search/core';
import { AddressRules } from '@tool-search/core/egress';
import type { McpHttpServer, McpSourceOptions, McpStdioServer } from './mcp-source-options.js';

/** Largest delay that a Node timer supports, in milliseconds. A larger one fires at once. */
export const MAX_TIMER_MS = 2 ** 31 - 1;

const TIMES = { callTimeoutMs: 1, loadTimeoutMs: 1, idleMs: 1, refreshEveryMs: 1_000 } as const;
const MAX_GLOB_CHARS = 256;
const MAX_CONNECTIONS = 10_000;

type Refuse = (reason: string, hint: string) => never;

/**
 * Checks the options and returns the server that they name. Error messages never repeat values that may be secret.
 *
 * @throws ToolSearchError `INVALID_CONFIGURATION`
 */
export function serverOf(options: McpSourceOptions): McpHttpServer | McpStdioServer {
  const refuse = (reason: string, hint: string): never => {
    const message = `MCP source ${JSON.stringify(options.name)}: ${reason}.`;
    throw new ToolSearchError('INVALID_CONFIGURATION', message, { hint });
  };
  checkNames(options, refuse);
  checkRules(options, refuse);
  checkNumbers(options, refuse);
  // Options read from configuration may be present with the value undefined.
  const { url, headers, egress, command, args, env, cwd } = options as Partial<McpHttpServer & McpStdioServer>;
  if (url !== undefined && command === undefined) return checkedHttp({ url, headers, egress }, refuse);
  if (command !== undefined && command !== '' && url === undefined) {
    return checkedStdio({ command, args, env, cwd }, refuse);
  }
  return refuse('it must name one server', 'Give either url (Streamable HTTP) or command (stdio).');
}

/** Returns whether these are valid HTTP headers. */
export function areHeaders(headers: unknown): headers is Record<string, string> {
  if (!areTexts(headers)) return false;
  try {
    new Headers(headers);
    return true;
  } catch {
    return false;
  }
}

/** Checks the limits of an environment: no NUL anywhere, no empty name, no `=` in a name. */
export function areVariables(env: unknown): env is Record<string, string> {
  const isUsable = (text: string) => !text.includes('\0');
  return (
    areTexts(env) &&
    Object.entries(env).every(
      ([name, value]) => name !== '' && !name.includes('=') && isUsable(name) && isUsable(value),
    )
  );
}

function areTexts(record: unknown): record is Record<string, string> {
  return isObject(record) && Object.values(record).every((value) => typeof value === 'string');
}

function checkNames({ name, namespace }: McpSourceOptions, refuse: Refuse): void {
  if (typeof name !== 'string' || !/^[A-Za-z0-9_.-]{1,64}$/.test(name)) {
    refuse('the name is not usable', 'Use 1 to 64 of letters, digits, "_", "-" and ".".');
  }
  if (namespace !== undefined && !/^[A-Za-z0-9_.-]{0,64}$/.test(namespace)) {
    refuse('the namespace is not usable', 'Use up to 64 of letters, digits, "_", "-" and ".".');
  }
}

function checkRules(options: McpSourceOptions, refuse: Refuse): void {
  for (const list of ['alwaysLoaded', 'include', 'exclude', 'tags'] as const) {
    const texts: unknown = options[list] ?? [];
    if (Array.isArray(texts) && texts.every(isGlob)) continue;
    refuse(`${list} is not a list of texts`, `Use texts of 1 to ${MAX_GLOB_CHARS} characters.`);
  }
  for (const [glob, effects] of Object.entries(options.sideEffects ?? {})) {
    if (!isGlob(glob) || !SIDE_EFFECTS.includes(effects)) {
      refuse(`sideEffects of ${JSON.stringify(glob)} is unknown`, `Use one of ${SIDE_EFFECTS.join(', ')}.`);
    }
  }
  for (const [glob, examples] of Object.entries(options.examples ?? {})) {
    const isList = Array.isArray(examples) && examples.every((each) => isObject(each) && isObject(each.args));
    if (!isGlob(glob) || !isList) {
      refuse(`examples of ${JSON.stringify(glob)} is not a list of examples`, 'Use a list of { args, description? }.');
    }
  }
  const { loading = 'deferred', changes = 'strict', lazy = false, validateOutput = true } = options;
  if (!['always', 'deferred'].includes(loading)) refuse('loading is unknown', 'Use always or deferred.');
  if (!['strict', 'additive', 'trust'].includes(changes)) {
    refuse('changes is unknown', 'Use strict, additive or trust.');
  }
  if (typeof lazy !== 'boolean' || typeof validateOutput !== 'boolean') {
    refuse('lazy and validateOutput are switches', 'Use true or false.');
  }
}

function isGlob(text: unknown): boolean {
  return typeof text === 'string' && text !== '' && text.length <= MAX_GLOB_CHARS;
}

function checkNumbers(options: McpSourceOptions, refuse: Refuse): void {
  for (const [time, min] of Object.entries(TIMES) as [keyof typeof TIMES, number][]) {
    const ms = options[time] ?? min;
    const isUsable = ms >= min && ms <= MAX_TIMER_MS;
    if (!isUsable) refuse(`${time} is out of range`, `Use ${min} to ${MAX_TIMER_MS} milliseconds.`);
  }
  const { maxConnections = 1 } = options;
  if (!Number.isInteger(maxConnections) || maxConnections < 1 || maxConnections > MAX_CONNECTIONS) {
    refuse('maxConnections is out of range', `Use 1 to ${MAX_CONNECTIONS}.`);
  }
}

function checkedHttp(server: McpHttpServer, refuse: Refuse): McpHttpServer {
  const url = URL.canParse(String(server.url)) ? new URL(server.url) : undefined;
  if (url?.protocol !== 'http:' && url?.protocol !== 'https:') {
    return refuse('the url is not usable', 'Use an absolute http: or https: address.');
  }
  if (url.username !== '' || url.password !== '') {
    return refuse('the url holds credentials', 'Send them in headers instead.');
  }
  if (typeof server.headers !== 'function' && !areHeaders(server.headers ?? {})) {
    return refuse('a header is not legal', 'Use header names and values that HTTP allows, without line breaks.');
  }
  // The constructor throws for an illegal rule, so the error appears at startup.
  new AddressRules(server.egress ?? {});
  return server;
}

function checkedStdio(server: McpStdioServer, refuse: Refuse): McpStdioServer {
  if (typeof server.env !== 'function' && !areVariables(server.env ?? {})) {
    return refuse('a variable of env is not usable', 'Use names without "=" and texts without NUL.');
  }
  return server;
}
