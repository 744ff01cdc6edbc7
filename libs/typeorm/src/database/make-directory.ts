import { existsSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { dirname } from 'node:path';
import { codeOf } from './error-code.js';

/** Creates a directory and those above it. Not `recursive`, which tries for ever where a parent that exists answers ENOENT, as /proc does. */
export async function makeDirectory(path: string): Promise<void> {
  if (existsSync(path)) return;
  await makeDirectory(dirname(path));
  await mkdir(path).catch((error: unknown) => {
    if (codeOf(error) !== 'EEXIST') throw error; // else another instance was faster
  });
}
