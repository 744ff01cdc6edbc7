import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const FOLDER = 'bin';
const LOG = 'browser.log';

/**
 * Puts a browser into a HOME, in which a person signs in and consents wherever it is sent: `xdg-open`, as programs on
 * Linux look for one.
 *
 * @param login the account of that person
 * @returns the environment in which a program finds it
 */
export function installBrowser(home: string, login: string): Readonly<Record<'PATH' | 'BROWSER', string>> {
  const program = [process.execPath, join(__dirname, 'browser.js'), login].map((word) => `'${word}'`).join(' ');
  const folder = join(home, FOLDER);
  const file = join(folder, 'xdg-open');
  mkdirSync(folder);
  writeFileSync(file, `#!/bin/sh\nexec ${program} "$1" >>'${join(home, LOG)}' 2>&1\n`, { mode: 0o755 });
  return { PATH: `${folder}:/usr/local/bin:/usr/bin:/bin`, BROWSER: file };
}

/** What went wrong in the browser of a HOME; empty if nothing did. */
export function browserFaults(home: string): string {
  const log = join(home, LOG);
  return existsSync(log) ? readFileSync(log, 'utf8') : '';
}
