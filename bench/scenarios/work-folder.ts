import { execFileSync } from 'node:child_process';
import { mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Runs work with a temporary folder that holds these files and is a git repository with one commit. */
export async function withWorkFolder<T>(
  files: Readonly<Record<string, string>>,
  work: (folder: string) => Promise<T>,
): Promise<T> {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'tool-search-work-')));
  try {
    for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
    const git = (...args: string[]) => execFileSync('git', args, { cwd: folder, stdio: 'ignore' });
    git('init', '--quiet');
    git('add', '.');
    git('-c', 'user.name=Ada', '-c', 'user.email=ada@example.com', 'commit', '--quiet', '--message', 'First files');
    return await work(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  }
}
