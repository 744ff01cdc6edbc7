import { createHash } from 'node:crypto';
import type { OperationSite } from './document.js';

const HASH_CHARS = 8;

/**
 * The tools' names, one per operation, unique and independent of the operations' order: `operationId` in snake case
 * (`repos/list-for-org` is `repos_list_for_org`), or `method_path` where it is missing. Operations that would share a
 * name all take their `method_path`; those that still share one end in eight characters of the SHA-256 of their method and path.
 *
 * @param maxLength longer names are cut and end in that hash too
 */
export function operationNames(sites: readonly OperationSite[], maxLength: number): readonly string[] {
  const byPath = sites.map((site) => bounded(snakeCase(`${site.method} ${site.path}`), site, maxLength));
  const byId = sites.map(
    (site, index) => bounded(snakeCase(site.operation['operationId']), site, maxLength) || byPath[index],
  );
  const hashed = sites.map((site, index) => withHash(byPath[index] ?? '', site, maxLength));
  return replaceShared(replaceShared(byId, byPath), hashed);
}

/** Words in `[a-z0-9_]`, split where the case changes and at everything that is not a letter or a digit. */
export function snakeCase(text: unknown): string {
  if (typeof text !== 'string') return '';
  return text
    .slice(0, 1000)
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
    .replace(/([A-Z])([A-Z][a-z])/g, '$1_$2')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '_')
    .replace(/^_|_$/g, '');
}

function replaceShared(names: readonly (string | undefined)[], others: readonly (string | undefined)[]): string[] {
  const uses = new Map<string | undefined, number>();
  for (const name of names) uses.set(name, (uses.get(name) ?? 0) + 1);
  return names.map((name, index) => (uses.get(name) === 1 ? name : others[index]) ?? '');
}

function bounded(name: string, site: OperationSite, maxLength: number): string {
  return name.length <= maxLength ? name : withHash(name, site, maxLength);
}

function withHash(name: string, site: OperationSite, maxLength: number): string {
  const hash = createHash('sha256').update(`${site.method} ${site.path}`).digest('hex').slice(0, HASH_CHARS);
  return `${name.slice(0, maxLength - HASH_CHARS - 1)}_${hash}`;
}
