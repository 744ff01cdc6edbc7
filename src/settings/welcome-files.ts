import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

const FILES = {
  'notes/welcome.txt': 'Welcome. This folder belongs to the demo; agents may read and write it.\n',
  'notes/standup.md': '# Standup\n\n- Ada: invoices are out\n- Grace: the compiler has a bug, literally\n',
};

/** Creates the demo's files for the filesystem server. Existing files stay unchanged. */
export function writeWelcomeFiles(folder: string): void {
  for (const [path, text] of Object.entries(FILES)) {
    const file = join(folder, path);
    mkdirSync(dirname(file), { recursive: true });
    try {
      writeFileSync(file, text, { flag: 'wx' });
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    }
  }
}
