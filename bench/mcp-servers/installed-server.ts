import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { PublishedServer } from './mcp-server-table.js';
import { installedPackage } from '../scenarios/installed-package.js';

/**
 * Installs a published server if necessary.
 *
 * @returns the file that starts the server
 * @throws Error if it cannot be installed or has no such command
 */
export async function installedServer(server: PublishedServer, cache: string): Promise<string> {
  const home = join(await installedPackage(server, cache), 'node_modules', server.package);
  const { bin } = JSON.parse(readFileSync(join(home, 'package.json'), 'utf8')) as {
    bin?: string | Readonly<Record<string, string>>;
  };
  const commands = typeof bin === 'string' ? { '': bin } : (bin ?? {});
  const file = server.bin === undefined ? Object.values(commands)[0] : commands[server.bin];
  if (file === undefined) throw new Error(`${server.package} has no command ${server.bin ?? ''}`);
  return join(home, file);
}
