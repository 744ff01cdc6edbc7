import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { PublishedServer } from './mcp-server-table.js';

const INSTALL_MS = 300_000;
const DONE = '.installed';

const run = promisify(execFile);

/**
 * Installs exactly this version of a published server, once, in its own folder below `cache`, without install scripts.
 *
 * @returns the file that starts the server
 * @throws Error if it cannot be installed or has no such command
 */
export async function installedServer(server: PublishedServer, cache: string): Promise<string> {
  const folder = join(cache, `${server.package.replace('@', '').replace('/', '+')}@${server.version}`);
  if (!existsSync(join(folder, DONE))) {
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, 'package.json'), '{"private":true}\n');
    const flags = ['--ignore-scripts', '--no-audit', '--no-fund', '--no-update-notifier', '--loglevel=error'];
    const wanted = `${server.package}@${server.version}`;
    await run('npm', ['install', '--prefix', folder, '--save-exact', ...flags, wanted], {
      cwd: folder,
      timeout: INSTALL_MS,
    });
    writeFileSync(join(folder, DONE), `${wanted}\n`);
  }
  const home = join(folder, 'node_modules', server.package);
  const { bin } = JSON.parse(readFileSync(join(home, 'package.json'), 'utf8')) as {
    bin?: string | Readonly<Record<string, string>>;
  };
  const commands = typeof bin === 'string' ? { '': bin } : (bin ?? {});
  const file = server.bin === undefined ? Object.values(commands)[0] : commands[server.bin];
  if (file === undefined) throw new Error(`${server.package} has no command ${server.bin ?? ''}`);
  return join(home, file);
}
