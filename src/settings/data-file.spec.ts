import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { dataFile } from './data-file.js';

it('creates the folders of a data file for the user of the process alone', () => {
  const home = mkdtempSync(join(tmpdir(), 'data-file-'));
  const DATA_DIR = join(home, 'data');
  dataFile({ DATA_DIR }, 'files', 'acme', 'notes.txt');
  const modes = ['', 'files', 'files/acme'].map((path) => (statSync(join(DATA_DIR, path)).mode & 0o777).toString(8));
  rmSync(home, { recursive: true });
  expect(modes).toEqual(['700', '700', '700']);
});
