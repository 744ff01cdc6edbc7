import { existsSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { dirname } from 'node:path';
import { codeOf } from './error-code.js';

/**
 * Creates a directory and its parents. Does not use `recursive`: Node.js retries forever where an existing parent
 * returns ENOENT, as in /proc.
 */
export async function makeDirectory(path: string): Promise<void> {
  if (existsSync(path)) return;
  await makeDirectory(dirname(path));
  await mkdir(path).catch((error: unknown) => {
    if (codeOf(error) !== 'EEXIST') throw error; // otherwise another instance created it first
  });
}
