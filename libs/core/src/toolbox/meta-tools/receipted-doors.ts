import type { ToolboxDoors } from './meta-tool-spec.js';

/**
 * The doors for a meta tool, whatever its dialect: receipts are taken off the replies, because they belong to the end of the
 * result and not into its words.
 *
 * @param take told of every receipt
 */
export function receiptedDoors(doors: ToolboxDoors, take: (receipt: string) => void): ToolboxDoors {
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
