/** One call of a tool of the MCP server, by the server's own name for the tool. */
export interface StoryCall {
  readonly tool: string;
  readonly arguments: Readonly<Record<string, unknown>>;
}

/** What a client did: the names that it listed, and the text of each result, in the order of {@link STORY}. */
export interface Played {
  readonly listed: readonly string[];
  readonly results: readonly string[];
}

/** The five requirements that each client is checked for. */
export interface Verdict {
  readonly listed: boolean;
  readonly searched: boolean;
  readonly called: boolean;
  readonly hiddenStaysHidden: boolean;
  readonly killedIsRefused: boolean;
}

/** Tool that the tenant may call; an operator switches it off before the last step. */
export const KILLED_TOOL = 'billing.get_invoice';
/** Tool that the reference server's policy hides from this tenant's plan. */
export const HIDDEN_TOOL = 'billing.refund_invoice';
/** Request that finds {@link HIDDEN_TOOL} for a tenant that may see it. */
export const HIDDEN_QUERY = 'refund a paid invoice';
// As long as the hidden name, so that the answers may not differ in length either.
const UNKNOWN_TOOL = 'billing.refund_inverse';
const META_TOOLS = ['tool_search', 'tool_get', 'tool_call', 'tool_call_read'];
const REFUSED = 'TOOL_NOT_AVAILABLE';
// The customer of the invoice in the reference server's seed.
const CUSTOMER = 'Homer Simpson';

// An argument in the schema of the tool.
const ARGUMENT = 'invoiceId';
// The beginning of the hidden tool's description.
const HIDDEN_WORDS = 'Refund';

const search = { tool: 'tool_search', arguments: { query: 'read one invoice' } };
const killed = viaBridge(KILLED_TOOL, { invoiceId: 'inv_1002' });
const refund = { invoiceId: 'inv_1001', amount: 1 };

/** What every client does, in this order. The tool is switched off before step {@link KILL_BEFORE}. */
export const STORY: readonly StoryCall[] = [
  search,
  { tool: 'tool_get', arguments: { names: [KILLED_TOOL, HIDDEN_TOOL, UNKNOWN_TOOL] } },
  { ...killed, tool: 'tool_call_read' },
  { tool: 'tool_search', arguments: { query: HIDDEN_QUERY } },
  viaBridge(HIDDEN_TOOL, refund),
  viaBridge(UNKNOWN_TOOL, refund),
  killed,
  search,
];
/** Index of the step before which the tool is switched off. */
export const KILL_BEFORE = STORY.indexOf(killed);

/** Judges what a client got. A client that ended early fails what it did not reach. */
export function verdictOf({ listed, results }: Played): Verdict {
  const [found = '', described = '', answer = '', foundHidden = '', hidden = '', unknown = '', killed = ''] = results;
  const foundLast = results[STORY.length - 1] ?? '';
  const isListed = (tool: string) => listed.some((name) => name.endsWith(tool));
  const localName = HIDDEN_TOOL.slice(HIDDEN_TOOL.indexOf('.') + 1);
  const called = answer.includes(CUSTOMER);
  return {
    listed: META_TOOLS.every(isListed),
    searched: found.includes(KILLED_TOOL) && described.includes(ARGUMENT),
    called,
    hiddenStaysHidden:
      !listed.some((name) => name.includes(localName)) &&
      foundHidden !== '' &&
      !foundHidden.includes(localName) &&
      !described.includes(HIDDEN_WORDS) &&
      hidden.includes(REFUSED) &&
      withoutDetails(hidden, HIDDEN_TOOL) === withoutDetails(unknown, UNKNOWN_TOOL),
    killedIsRefused:
      called &&
      killed.includes(REFUSED) &&
      !killed.includes(CUSTOMER) &&
      foundLast !== '' &&
      !foundLast.includes(KILLED_TOOL),
  };
}

// Clients add times and token counts to results.
function withoutDetails(text: string, tool: string): string {
  return text.replaceAll(tool, '<tool>').replaceAll(/\d+(\.\d+)?/g, '<number>');
}

function viaBridge(name: string, input: Readonly<Record<string, unknown>>): StoryCall {
  return { tool: 'tool_call', arguments: { name, arguments: input } };
}
