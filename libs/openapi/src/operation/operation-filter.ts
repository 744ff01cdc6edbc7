import { globSet, ToolSearchError } from '@tool-search/core';
import { foldTag } from './operation.mapper.js';

/**
 * Selects operations by their description in the document. All given fields must match; within a field, one entry must
 * match.
 */
export interface OperationFilter {
  /** Compared after normalization to the tools' spelling. */
  readonly tags?: readonly string[];
  /** For example `'GET'`; case does not matter. */
  readonly methods?: readonly string[];
  /** Globs over path templates; `*` also matches slashes: `/repos/*`. */
  readonly paths?: readonly string[];
  /** Globs over operation ids as written in the document. */
  readonly operationIds?: readonly string[];
}

/** The data that a filter compares. */
export interface FilteredOperation {
  readonly name: string;
  readonly method: string;
  readonly path: string;
  readonly operationId: string;
  readonly tags: readonly string[];
}

/** An entry of `include` or `exclude`: a glob over the tool names, without namespace, or a filter. */
export type OperationSelector = string | OperationFilter;

type Test = (operation: FilteredOperation) => boolean;

const METHODS = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE']);
const PARTS = ['tags', 'methods', 'paths', 'operationIds'] as const;

/** Several selectors; an operation is selected if one of them matches. */
export class OperationSelection {
  readonly #tests: readonly { readonly selector: OperationSelector; readonly matches: Test }[];

  /** @throws ToolSearchError `INVALID_CONFIGURATION` for a selector that no operation could match */
  constructor(
    private readonly option: string,
    selectors: readonly OperationSelector[],
  ) {
    this.#tests = selectors.map((selector) => ({ selector, matches: testOf(option, selector) }));
  }

  matches(operation: FilteredOperation): boolean {
    return this.#tests.some(({ matches }) => matches(operation));
  }

  /** The selectors that match no operation, described in words. */
  unused(operations: readonly FilteredOperation[]): readonly string[] {
    return this.#tests
      .filter(({ matches }) => !operations.some(matches))
      .map(({ selector }) => `${this.option} ${JSON.stringify(selector)}`);
  }
}

/**
 * Rejects a glob over tool names that can never match, because it would have no effect.
 *
 * @throws ToolSearchError `INVALID_CONFIGURATION`
 */
export function checkNameGlob(option: string, glob: unknown): void {
  // Tool names are lower case.
  if (typeof glob !== 'string' || !/^[a-z0-9_*?]{1,128}$/.test(glob))
    throw useless(option, glob, 'Names are of a-z, 0-9 and "_"; use "*" and "?".');
}

function testOf(option: string, selector: OperationSelector): Test {
  if (typeof selector === 'string') {
    checkNameGlob(option, selector);
    const matches = globSet([selector]);
    return ({ name }) => matches(name);
  }
  checkFilter(option, selector);
  const { tags, methods, paths, operationIds } = selector;
  const tests: Test[] = [];
  if (tags) {
    const wanted = new Set(tags.map(foldTag));
    tests.push((operation) => operation.tags.some((tag) => wanted.has(tag)));
  }
  if (methods) {
    const wanted = new Set(methods.map((method) => method.toUpperCase()));
    tests.push(({ method }) => wanted.has(method));
  }
  if (paths) {
    const matches = globSet(paths);
    tests.push(({ path }) => matches(path));
  }
  if (operationIds) {
    const matches = globSet(operationIds);
    tests.push(({ operationId }) => operationId !== '' && matches(operationId));
  }
  return (operation) => tests.every((matches) => matches(operation));
}

function checkFilter(option: string, filter: unknown): asserts filter is OperationFilter {
  const hint = `A filter has at least one of ${PARTS.join(', ')}, each a list of texts.`;
  if (typeof filter !== 'object' || filter === null) throw useless(option, filter, hint);
  const entries = Object.entries(filter).filter(([, value]) => value !== undefined);
  const isSound = entries.every(
    ([part, values]) =>
      PARTS.some((known) => known === part) &&
      Array.isArray(values) &&
      values.every((value) => typeof value === 'string' && value !== '' && value.length <= 256),
  );
  if (entries.length === 0 || !isSound) throw useless(option, filter, hint);
  const { methods = [], paths = [] } = filter as OperationFilter;
  if (!methods.every((method) => METHODS.has(method.toUpperCase())))
    throw useless(option, filter, `Methods are ${[...METHODS].join(', ')}.`);
  if (!paths.every((path) => /^[/*?]/.test(path))) throw useless(option, filter, 'Paths begin with "/" or "*".');
}

function useless(option: string, selector: unknown, hint: string): ToolSearchError {
  return new ToolSearchError('INVALID_CONFIGURATION', `${option}: ${JSON.stringify(selector)} matches no tool.`, {
    hint,
  });
}
