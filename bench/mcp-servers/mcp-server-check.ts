import { NestFactory } from '@nestjs/core';
import { ToolCatalog, ToolSearchModule, ToolSearchService } from '@tool-search/core';
import { McpSource } from '@tool-search/mcp';
import { installedServer } from './installed-server.js';
import { type PublishedServer, WORK_FILES } from './mcp-server-table.js';
import { withWorkFolder } from '../scenarios/work-folder.js';

/** Result for one published server. */
export interface ServerCheck {
  readonly package: string;
  readonly version: string;
  /** Number of tools that can be shown to models. */
  readonly tools: number;
  /** Whether it was started and listed, and a search found one of its tools. */
  readonly ok: boolean;
  /** Whether one of its tools was called successfully. */
  readonly called: boolean;
  readonly reason?: string;
}

const NAME = 'server';
const LOAD_MS = 60_000;
const CALL_MS = 30_000;
const MAX_REASON = 300;

/** Installs a server if necessary and uses it as an application does: list, search, call. Never throws. */
export async function serverCheck(server: PublishedServer, cache: string): Promise<ServerCheck> {
  const { package: name, version } = server;
  const failed = (error: unknown) => ({ tools: 0, ok: false, called: false, reason: reasonOf(error) });
  try {
    const file = await installedServer(server, cache);
    return { package: name, version, ...(await withWorkFolder(WORK_FILES, (work) => used(server, file, work))) };
  } catch (error) {
    return { package: name, version, ...failed(error) };
  }
}

async function used(
  server: PublishedServer,
  file: string,
  work: string,
): Promise<Omit<ServerCheck, 'package' | 'version'>> {
  const here = <T>(value: T): T => JSON.parse(JSON.stringify(value).replaceAll('{work}', work)) as T;
  const source = new McpSource({
    name: NAME,
    command: process.execPath,
    args: [file, ...here(server.args ?? [])],
    // The server stores its files in this folder.
    env: { HOME: work, ...here(server.env ?? {}) },
    cwd: work,
    loadTimeoutMs: LOAD_MS,
    callTimeoutMs: CALL_MS,
  });
  const module = ToolSearchModule.forRoot({
    context: () => ({ tenantId: 'check' }),
    sources: [source],
    catalog: { bootWaitMs: 2 * LOAD_MS },
  });
  const app = await NestFactory.createApplicationContext(module, { logger: false });
  try {
    const [status] = app.get(ToolCatalog).sources();
    if (status?.state !== 'ready') throw new Error(status?.reason ?? 'the source is not ready');
    const toolbox = app.get(ToolSearchService).open({ tenantId: 'check' });
    const { tools: found } = await toolbox.search({ query: server.search });
    const tools = app.get(ToolCatalog).current().tools.length;
    if (found.length === 0) return { tools, ok: false, called: false, reason: 'the search found none of its tools' };
    if (!server.call) return { tools, ok: true, called: false };
    const result = await toolbox.call(`${NAME}.${server.call.tool}`, here(server.call.args));
    if (result.ok) return { tools, ok: true, called: true };
    return { tools, ok: true, called: false, reason: reasonOf(`${result.code}: ${result.message}`) };
  } finally {
    await app.close();
  }
}

function reasonOf(error: unknown): string {
  return String(error instanceof Error ? error.message : error).slice(0, MAX_REASON);
}
