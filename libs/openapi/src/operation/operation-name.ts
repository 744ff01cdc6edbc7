import { createHash } from 'node:crypto';
import type { OperationSite } from '../document/document.js';

const HASH_CHARS = 8;

/**
 * The tools' names, one per operation, unique and independent of the order of operations:
 * - `operationId` in snake case: `repos/list-for-org` becomes `repos_list_for_org`, Nest's `OrdersController_all`
 *   becomes `orders_all`.
 * - Without an `operationId`, or if several operations would share the name: `method_path`.
 * - If operations still share a name, it ends in 8 characters of the SHA-256 of method and path.
 *
 * Yields before each operation.
 *
 * @param maxLength longer names are cut and end in the same hash
 */
export function* operationNames(
  sites: readonly OperationSite[],
  maxLength: number,
): Generator<void, readonly string[]> {
  const byPath: string[] = [];
  const byId: string[] = [];
  for (const site of sites) {
    yield;
    const path = bounded(snakeCase(`${site.method} ${site.path}`), site, maxLength);
    byPath.push(path);
    byId.push(bounded(snakeCase(ownId(site.operation['operationId'])), site, maxLength) || path);
  }
  const names = yield* replaceShared(byId, (index) => byPath[index] ?? '');
  return yield* replaceShared(names, (index) =>
    withHash(byPath[index] ?? '', sites[index] as OperationSite, maxLength),
  );
}

// Nest's default operation id is `OrdersController_all`; controller and handler are enough.
function ownId(id: unknown): unknown {
  return typeof id === 'string' ? id.replace(/^([A-Za-z0-9]+)Controller_(?=[A-Za-z0-9])/, '$1_') : id;
}

/** Words in `[a-z0-9_]`, split at case changes and at all other characters. */
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

function* replaceShared(names: readonly string[], otherOf: (index: number) => string): Generator<void, string[]> {
  const uses = new Map<string, number>();
  for (const name of names) uses.set(name, (uses.get(name) ?? 0) + 1);
  const unique: string[] = [];
  for (const [index, name] of names.entries()) {
    yield;
    unique.push(uses.get(name) === 1 ? name : otherOf(index));
  }
  return unique;
}

function bounded(name: string, site: OperationSite, maxLength: number): string {
  return name.length <= maxLength ? name : withHash(name, site, maxLength);
}

function withHash(name: string, site: OperationSite, maxLength: number): string {
  const hash = createHash('sha256').update(`${site.method} ${site.path}`).digest('hex').slice(0, HASH_CHARS);
  return `${name.slice(0, maxLength - HASH_CHARS - 1)}_${hash}`;
}
