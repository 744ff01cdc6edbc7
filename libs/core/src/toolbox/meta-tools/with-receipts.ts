import type { ToolboxActions } from './meta-tool-spec.js';

/**
 * Operations whose replies contain no receipts, for any dialect: a receipt belongs at the end of the result, not in its
 * text.
 *
 * @param take called with every receipt
 */
export function withReceipts(doors: ToolboxActions, take: (receipt: string) => void): ToolboxActions {
  const without = <T extends { readonly receipt?: string }>({ receipt, ...reply }: T): Omit<T, 'receipt'> => {
    if (receipt !== undefined) take(receipt);
    return reply;
  };
  return {
    search: async (request, line) => without(await doors.search(request, line)),
    get: (names, options) => doors.get(names, options),
    activate: async (names) => without(await doors.activate(names)),
    loadable: () => doors.loadable(),
  };
}
