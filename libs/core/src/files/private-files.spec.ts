import { chmodSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { makePrivateFile, makePrivateFolder, rightsOfOthers } from './private-files.js';

const modeOf = (path: string) => (statSync(path).mode & 0o777).toString(8);

describe('private files', () => {
  let home: string;
  const umask = process.umask(0);
  beforeEach(() => {
    home = mkdtempSync(join(tmpdir(), 'private-files-'));
  });
  afterEach(() => rmSync(home, { recursive: true }));
  afterAll(() => process.umask(umask));

  it('creates a file with mode 0600 and its folders with mode 0700, for any umask', async () => {
    const path = join(home, 'a/b/state.sqlite');
    await Promise.all([makePrivateFile(path), makePrivateFile(path), makePrivateFolder(dirname(path))]);
    expect([modeOf(path), modeOf(dirname(path)), modeOf(join(home, 'a'))]).toEqual(['600', '700', '700']);
    expect(await rightsOfOthers(path)).toEqual([]);
  });

  it('leaves an existing file as it is', async () => {
    const path = join(home, 'state.sqlite');
    writeFileSync(path, 'content', { mode: 0o644 });
    await makePrivateFile(path);
    expect([readFileSync(path, 'utf8'), modeOf(path)]).toEqual(['content', '644']);
  });

  it('names each file that others may read or write, and how to change it', async () => {
    const path = join(home, 'state.sqlite');
    for (const [end, mode] of [
      ['', 0o640],
      ['-wal', 0o600],
      ['-shm', 0o604],
    ] as const)
      writeFileSync(path + end, '', { mode });
    chmodSync(home, 0o755);
    const sentences = await rightsOfOthers(path);
    expect(sentences).toEqual([
      `Other users of this machine have rights on ${home} (0755): chmod 700 ${home}`,
      `Other users of this machine have rights on ${path} (0640): chmod 600 ${path}`,
      `Other users of this machine have rights on ${path}-shm (0604): chmod 600 ${path}-shm`,
    ]);
  });

  it('accepts a shared folder in which other users cannot replace files', async () => {
    const path = join(home, 'state.sqlite');
    await makePrivateFile(path);
    chmodSync(home, 0o1777);
    expect(await rightsOfOthers(path)).toEqual([]);
  });
});
