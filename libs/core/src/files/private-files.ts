import { existsSync } from 'node:fs';
import { mkdir, open, stat } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';

const FOLDER_MODE = 0o700;
const FILE_MODE = 0o600;
/** Rights of the group and of all other users. */
const OTHERS = 0o077;
const OTHERS_WRITE = 0o022;
const STICKY = 0o1000;

/**
 * Creates a folder and its missing parents for the user of this process alone (mode 0700). Folders that exist keep their
 * rights.
 */
export async function makePrivateFolder(path: string): Promise<void> {
  // Not `recursive`: Node.js retries forever where an existing parent returns ENOENT, as in /proc.
  if (existsSync(path)) return;
  await makePrivateFolder(dirname(path));
  await mkdir(path, { mode: FOLDER_MODE }).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error; // otherwise another process created it first
  });
}

/**
 * Creates an empty database file for the user of this process alone (mode 0600), with its folder. SQLite gives `-wal`,
 * `-shm` and `-journal` the rights of the database file. A file that exists keeps its rights and its content.
 */
export async function makePrivateFile(path: string): Promise<void> {
  await makePrivateFolder(dirname(path));
  const file = await open(path, 'wx', FILE_MODE).catch(() => undefined); // the next one that opens it reports the reason
  await file?.close();
}

/**
 * Rights that other users of this machine have on a SQLite file, on the files that SQLite keeps beside it, and on its
 * folder: one sentence for each, with the command that takes them away. The working directory may be read by others, because
 * its files are checked one by one; it may not be written by them. Files that do not exist are left out. On Windows: none.
 */
export async function rightsOfOthers(path: string): Promise<readonly string[]> {
  if (process.platform === 'win32') return [];
  const folder = dirname(resolve(path));
  const found = [
    await widerThan(folder, folder === process.cwd() ? OTHERS_WRITE : OTHERS, FOLDER_MODE),
    ...(await Promise.all(['', '-wal', '-shm', '-journal'].map((end) => widerThan(path + end, OTHERS, FILE_MODE)))),
  ];
  return found.filter((sentence) => sentence !== undefined);
}

async function widerThan(path: string, forbidden: number, wanted: number): Promise<string | undefined> {
  const status = await stat(path).catch(() => undefined);
  if (!status || (status.mode & forbidden) === 0) return undefined;
  // A folder such as /tmp: everybody may create files, and nobody may replace those of others.
  if (status.isDirectory() && (status.mode & STICKY) !== 0) return undefined;
  const rights = (status.mode & 0o777).toString(8).padStart(4, '0');
  return `Other users of this machine have rights on ${path} (${rights}): chmod ${wanted.toString(8)} ${path}`;
}
