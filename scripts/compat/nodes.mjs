import { mkdirSync, existsSync } from 'node:fs';
import { join } from 'node:path';
import { run } from '../pack-libraries.mjs';

/** Path of a Node.js of this major version: the current one, or the newest one from npm. */
export function nodeOf(major, folder) {
  if (process.versions.node.startsWith(`${major}.`)) return process.execPath;
  const home = join(folder, `node-${major}`);
  const name = `node-${process.platform}-${process.arch}`;
  const path = join(home, 'node_modules', name, 'bin/node');
  if (!existsSync(path)) {
    mkdirSync(home, { recursive: true });
    run('npm', ['install', '--prefix', home, '--no-audit', '--no-fund', '--prefer-offline', `${name}@${major}`], home);
  }
  return path;
}
