import { described, list, object, type OptionsOf, part, rule, text, value, globSet } from '@tool-search/core/internal';
import { z } from 'zod';
import { foldTag } from './operation.mapper.js';

// Operations with a method of the document's own (OpenAPI 3.2) are chosen by their other parts.
const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'QUERY'];
const isMethod = (given: unknown) => typeof given === 'string' && METHODS.includes(given.toUpperCase());

const operationFilter = object({
  /** Compared after normalization to the tools' spelling. */
  tags: list(text(256)).optional(),
  /** For example `'GET'`; case does not matter. */
  methods: list(value<string>(isMethod, `one of ${METHODS.join(', ')}`)).optional(),
  /** Globs over path templates; `*` also matches slashes: `/repos/*`. */
  paths: list(described(z.string().regex(/^[/*?].{0,255}$/), 'a glob that begins with "/", "*" or "?"')).optional(),
  /** Globs over operation ids as written in the document. */
  operationIds: list(text(256)).optional(),
}).check(
  rule('tags', 'given, or another part: a filter has at least one', (filter) =>
    Object.values(filter).some((part) => part !== undefined),
  ),
);

/**
 * Selects operations by their description in the document. All given fields must match; within a field, one entry must
 * match.
 */
export interface OperationFilter extends OptionsOf<typeof operationFilter> {}

/** A glob over tool names, which are lower case: any other one would have no effect. */
export function nameGlob() {
  return described(
    z.string().regex(/^[a-z0-9_*?]{1,128}$/),
    'a glob of a-z, 0-9, "_", "*" and "?", as tools are named',
  );
}

export function operationSelector() {
  return z.union([nameGlob(), part<OperationFilter>(operationFilter).unwrap()]);
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

/** Several selectors; an operation is selected if one of them matches. */
export class OperationSelection {
  readonly #tests: readonly { readonly selector: OperationSelector; readonly matches: Test }[];

  constructor(
    private readonly option: string,
    selectors: readonly OperationSelector[],
  ) {
    this.#tests = selectors.map((selector) => ({ selector, matches: testOf(selector) }));
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

function testOf(selector: OperationSelector): Test {
  if (typeof selector === 'string') {
    const matches = globSet([selector]);
    return ({ name }) => matches(name);
  }
  const { tags, methods, paths, operationIds } = selector;
  const tests: Test[] = [];
  if (tags) {
    const wanted = new Set(tags.map(foldTag));
    tests.push((operation) => operation.tags.some((tag) => wanted.has(tag)));
  }
  if (methods) {
    const wanted = new Set(methods.map((method) => method.toUpperCase()));
    tests.push(({ method }) => wanted.has(method.toUpperCase()));
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
