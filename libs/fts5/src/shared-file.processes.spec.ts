import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Database } from '../test/database.js';

const ROOT = join(__dirname, '../../..');

describe('processes that start at once on one file', () => {
  it('each find their own tools, and store common ones once', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'fts5-'));
    const file = join(folder, 'new', 'search.sqlite');
    const names = ['apple', 'banana', 'cherry'];
    const index = (name: string) =>
      promisify(execFile)(process.execPath, [
        '-r',
        join(ROOT, 'test/support/require-typescript.cjs'),
        join(ROOT, 'libs/fts5/test/indexing-child.ts'),
        file,
        name,
      ]);
    const outputs = await Promise.all(names.map(index));
    expect(outputs.map(({ stdout }) => stdout)).toEqual(names.map((name) => `own.${name}`));
    const db = new Database(file, { readonly: true });
    expect(db.prepare('SELECT count(*) AS rows FROM tools').get()).toEqual({ rows: 203 });
    expect(db.prepare('PRAGMA integrity_check').get()).toEqual({ integrity_check: 'ok' });
    db.close();
    rmSync(folder, { recursive: true });
  });
});
