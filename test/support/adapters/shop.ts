import type { ToolCallInterceptor, ToolContext } from '@tool-search/core';
import { FakeSource, fakeTools, type OpenToolbox, openToolbox } from '@tool-search/core/testing';

/** One call that reached a tool. */
export interface ExecutedCall {
  readonly tool: string;
  readonly arguments: unknown;
  readonly tenantId: string;
}

/** A small backend that all conversations use. */
export interface Shop {
  readonly world: OpenToolbox;
  /** Calls in the order in which they reached their tools. */
  readonly executed: readonly ExecutedCall[];
  /** Runs during `crm.close_day`. */
  whileClosing: () => Promise<unknown>;
}

const text = { type: 'string' };
const schema = (properties: Record<string, unknown>) => ({
  type: 'object',
  properties,
  required: Object.keys(properties),
  additionalProperties: false,
});

/**
 * Opens the shop: the two products of the conversations and some others, enough for `auto` to defer tools. A tool with
 * a tenant's tag is visible to that tenant only.
 *
 * @param interceptors of the application. @default none
 */
export async function openShop(interceptors: readonly ToolCallInterceptor[] = []): Promise<Shop> {
  const executed: ExecutedCall[] = [];
  const recorded =
    (tool: string, run: (input: Record<string, unknown>) => unknown) =>
    (input: Record<string, unknown>, { tenantId }: ToolContext) => {
      executed.push({ tool, arguments: input, tenantId });
      return run(input);
    };
  const tool = (
    namespace: string,
    name: string,
    description: string,
    properties: Record<string, unknown>,
    run: (input: Record<string, unknown>) => unknown,
  ) => ({ name, description, inputSchema: schema(properties), run: recorded(`${namespace}.${name}`, run) });
  const shop: { world?: OpenToolbox; whileClosing: Shop['whileClosing'] } = { whileClosing: async () => undefined };

  const crm = new FakeSource('crm', [
    tool('crm', 'find_customer', 'Find a customer by name.', { name: text }, ({ name }) => ({
      id: `customer-of-${String(name)}`,
    })),
    tool('crm', 'add_note', 'Write a note about a customer.', { customer: text, note: text }, () => 'noted'),
    tool('crm', 'close_day', 'Close the business day.', {}, () => shop.whileClosing().then(() => 'closed')),
  ]);
  const billing = new FakeSource('billing', [
    tool('billing', 'list_invoices', 'List the invoices of a customer.', { customer: text }, ({ customer }) => ({
      invoices: [`invoice-of-${String(customer)}`],
    })),
    tool(
      'billing',
      'refund_invoice',
      'Refund an invoice, fully or in part.',
      { invoice: text },
      ({ invoice }) => `refunded ${String(invoice)}`,
    ),
  ]);
  const secrets = new FakeSource('vault', [
    { ...tool('vault', 'read_acme_ledger', 'Read the secret ledger of Acme.', {}, () => 'gold'), tags: ['acme'] },
    {
      ...tool('vault', 'read_globex_ledger', 'Read the secret ledger of Globex.', {}, () => 'silver'),
      tags: ['globex'],
    },
  ]);
  const others = fakeTools(40).filter(({ namespace }) => !['crm', 'billing'].includes(namespace));
  const namespaces = [...new Set(others.map(({ namespace }) => namespace))];
  const crowd = namespaces.map(
    (namespace) =>
      new FakeSource(
        namespace,
        others
          .filter((other) => other.namespace === namespace)
          .map(({ name, description, inputSchema }) => ({
            name: name.slice(namespace.length + 1),
            description,
            inputSchema,
          })),
      ),
  );
  const world = await openToolbox({
    sources: [crm, billing, secrets, ...crowd],
    interceptors,
    visibility: {
      filter: (tools, { tenantId }) => tools.filter(({ tags }) => tags.length === 0 || tags.includes(tenantId)),
    },
    // Small enough for `auto` to defer tools.
    options: { exposure: { mode: 'auto', contextWindow: 8_000 } },
  });
  return Object.assign(shop, { world, executed });
}
