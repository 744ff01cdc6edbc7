import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { publint } from 'publint';
import { formatMessage } from 'publint/utils';
import { root, runAsync } from '../pack-libraries.mjs';

const ATTW = join(root, 'node_modules/@arethetypeswrong/cli/dist/index.js');

/** Throws if publint or attw (Are the types wrong?) finds an error in a packed library. */
export async function lint({ name, path, files }) {
  const tarball = Uint8Array.from(readFileSync(path)).buffer;
  const { messages, pkg } = await publint({ strict: true, pack: { tarball } });
  if (messages.length > 0) {
    throw new Error(`publint on ${name}:\n${messages.map((message) => formatMessage(message, pkg)).join('\n')}`);
  }
  // attw cannot check a package without types.
  if (files.some((file) => file.endsWith('.d.ts'))) await runAsync(process.execPath, [ATTW, path], root);
}
