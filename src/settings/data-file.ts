import { existsSync, mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Environment } from './environment.js';

/**
 * The path of a file in the data directory. Creates missing folders, for the user of this process alone.
 *
 * @throws Error if a folder cannot be created
 */
export function dataFile(env: Pick<Environment, 'DATA_DIR'>, ...path: readonly string[]): string {
  const file = join(env.DATA_DIR, ...path);
  try {
    makeFolder(dirname(file));
  } catch (error) {
    const { code = 'unknown reason' } = error as NodeJS.ErrnoException;
    throw new Error(`DATA_DIR: ${dirname(file)} cannot be made (${code}). Name a folder that this process may write.`, {
      cause: error,
    });
  }
  return file;
}

// Creates one level at a time, because Node's recursive mkdir never returns under /proc.
function makeFolder(folder: string): void {
  if (existsSync(folder)) return;
  makeFolder(dirname(folder));
  mkdirSync(folder, { mode: 0o700 });
}
