import type { LeftOut } from '@tool-search/core/internal';

/** An operation that did not become a tool, or not all of it, and why. */
export interface OperationRemark {
  /** Method and path, for example `GET /pets`. */
  readonly operation: string;
  readonly reason: string;
}

/** Each reason once, with the first operation and the number of operations. */
export function byReason(remarks: readonly OperationRemark[]): readonly LeftOut[] {
  const operations = new Map<string, Set<string>>();
  for (const { operation, reason } of remarks) {
    const named = operations.get(reason) ?? new Set();
    operations.set(reason, named.add(operation));
  }
  return [...operations].map(([reason, named]) => {
    const [name = ''] = named;
    return { name, reason, ...(named.size > 1 && { count: named.size }) };
  });
}
