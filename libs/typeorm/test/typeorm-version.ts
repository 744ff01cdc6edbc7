import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** The installed version, read from the file: the package does not export its manifest. */
export const TYPEORM_VERSION = (
  JSON.parse(readFileSync(join(dirname(require.resolve('typeorm')), 'package.json'), 'utf8')) as { version: string }
).version;
