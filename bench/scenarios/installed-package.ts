import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

/** An exact version of a package of npm. */
export interface ExactPackage {
  readonly package: string;
  readonly version: string;
}

const INSTALL_MS = 600_000;
const DONE = '.installed';

const run = promisify(execFile);

/** Folder for packages that are installed on demand, `tool-search/NAME` in the user's cache folder. */
export function packageCache(name: string): string {
  return join(process.env['XDG_CACHE_HOME'] ?? join(homedir(), '.cache'), 'tool-search', name);
}

/**
 * Installs exactly this version of a package, once, in its own folder below `cache`, without install scripts.
 *
 * @returns the folder with its `node_modules`
 * @throws Error if it cannot be installed
 */
export async function installedPackage({ package: name, version }: ExactPackage, cache: string): Promise<string> {
  const folder = join(cache, `${name.replace('@', '').replace('/', '+')}@${version}`);
  if (existsSync(join(folder, DONE))) return folder;
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'package.json'), '{"private":true}\n');
  const flags = ['--ignore-scripts', '--no-audit', '--no-fund', '--no-update-notifier', '--loglevel=error'];
  await run('npm', ['install', '--prefix', folder, '--save-exact', ...flags, `${name}@${version}`], {
    cwd: folder,
    timeout: INSTALL_MS,
  });
  writeFileSync(join(folder, DONE), `${name}@${version}\n`);
  return folder;
}
