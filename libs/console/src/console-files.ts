import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { Inject, Injectable } from '@nestjs/common';
import { ToolSearchError } from '@tool-search/core';
import { CONSOLE_SETTINGS } from './tokens.js';
import type { ToolConsoleOptions } from './tool-console.options.js';

/** The files of the page as they are sent. */
export interface ConsolePage {
  readonly html: Buffer;
  readonly script: Buffer;
  readonly style: Buffer;
  /** Of the script and the style, as their URLs in the page name them. */
  readonly versions: { readonly script: string; readonly style: string };
}

/** Reads the files of the page once, at the first request. */
@Injectable()
export class ConsoleFiles {
  #page: Promise<ConsolePage> | undefined;

  constructor(@Inject(CONSOLE_SETTINGS) private readonly settings: ToolConsoleOptions) {}

  /** @throws ToolSearchError `INTERNAL` if the files are not there */
  page(): Promise<ConsolePage> {
    this.#page ??= read(this.settings).catch((cause: unknown) => {
      this.#page = undefined;
      throw new ToolSearchError('INTERNAL', 'The files of the console are missing.', {
        hint: 'Install @tool-search/console again; in its repository, run npm run build.',
        cause,
      });
    });
    return this.#page;
  }
}

async function read({ api = '', gateway = '', signIn = '' }: ToolConsoleOptions): Promise<ConsolePage> {
  // By the name of the package: its compiled code is in different folders in a package and in a workspace.
  const folder = join(dirname(require.resolve('@tool-search/console/package.json')), 'browser', 'dist');
  const [html, script, style] = await Promise.all(
    ['index.html', 'console.js', 'console.css'].map((name) => readFile(join(folder, name))),
  );
  if (!html || !script || !style) throw new Error('unreachable');
  const versions = { script: versionOf(script), style: versionOf(style) };
  const values: Readonly<Record<string, string>> = { api, gateway, signIn, ...versions };
  const filled = html.toString().replace(/%(\w+)%/g, (_, name: string) => escaped(values[name] ?? ''));
  return { html: Buffer.from(filled), script, style, versions };
}

// A new version has a new URL, so that browsers may keep the old one forever.
function versionOf(file: Buffer): string {
  return createHash('sha256').update(file).digest('base64url').slice(0, 16);
}

function escaped(value: string): string {
  return value.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
