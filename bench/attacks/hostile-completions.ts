import type { SourceAnswer, ToolDeclaration, ToolSource } from '@tool-search/core';
import type { Completion, ListedResources } from '@tool-search/core/source';
import { listedReadings } from '@tool-search/core/internal';
import { type Attack, ATTACKER, OPERATOR } from './attack.js';

/** In every name of a resource that nobody may see. */
const CLOSED = 'closed';
const TEMPLATE = 'shelf:///{area}/{shelf}/{+book}';
const VERSION = '2026-07-28';
const PARAMS = {
  ref: { type: 'ref/resource', uri: TEMPLATE },
  argument: { name: 'shelf', value: '' },
  _meta: {
    'io.modelcontextprotocol/protocolVersion': VERSION,
    'io.modelcontextprotocol/clientInfo': { name: 'attacker', version: '1' },
    'io.modelcontextprotocol/clientCapabilities': {},
  },
};
const BODY = { jsonrpc: '2.0', id: 1, method: 'completion/complete', params: PARAMS };
const HEADERS = {
  accept: 'application/json, text/event-stream',
  'mcp-protocol-version': VERSION,
  'mcp-method': BODY.method,
};
/** More than a user may ask for in a minute. */
const MANY = 320;
const count = <T>(length: number, of: (index: number) => T) => Array.from({ length }, (_, index) => of(index));

/** Suggests as much as is looked at, most of it hidden, and lists what takes long to compare with it. */
class CostlySuggestions implements ToolSource {
  readonly name = 'shelf';
  readonly exposes = ['resource_template'] as const;
  readonly #listed: ListedResources = {
    readings: new Set(count(1000, (n) => [...listedReadings(`shelf:///a/${CLOSED}-${n}/b`)]).flat()),
    templates: count(300, (n) => `shelf:///a/${count(15, (v) => `{v${v}}`).join('-')}-${CLOSED}-${n}{end}`),
  };
  readonly #values = count(1000, (n) => (n % 9 === 0 ? `open-${n}-${'-'.repeat(900)}` : `${CLOSED}-${n}`));

  async load(): Promise<readonly ToolDeclaration[]> {
    const [kind, uri] = ['resource_template', TEMPLATE] as const;
    return [{ name: 'resources.any', kind, uri, description: 'Any book.', inputSchema: { type: 'object' } }];
  }

  listed(): ListedResources {
    return this.#listed;
  }

  async call(): Promise<SourceAnswer> {
    return { content: [] };
  }

  async complete(): Promise<Completion> {
    return { values: this.#values };
  }

  async close(): Promise<void> {}
}

/** A user who holds a key down. An answer that names what is hidden has the status 0. */
export const HOSTILE_COMPLETIONS: Attack = {
  name: 'a flood of completions, with costly and hidden values',
  sources: () => [new CostlySuggestions()],
  connections: 6,
  promised: [200],
  once: async (server) => {
    const { status, body } = await server.request('/mcp', ATTACKER, BODY, HEADERS);
    return JSON.stringify(body).includes(CLOSED) ? 0 : status;
  },
  // Refused beyond the limit, and one row of the record for each minute, not for each request.
  holds: async (server) => {
    let isRefused = false;
    for (let asked = 0; asked < MANY && !isRefused; asked += 8) {
      const answers = await Promise.all(count(8, () => server.request('/mcp', ATTACKER, BODY, HEADERS)));
      isRefused = JSON.stringify(answers).includes('LIMIT_REACHED');
    }
    const rows = await server.request('/admin/tools/calls?kind=completed&tenantId=acme', OPERATOR);
    const items = rows.body['items'] as readonly { readonly toolCount: number }[];
    const recorded = items.reduce((sum, { toolCount }) => sum + toolCount, 0);
    return isRefused && items.length <= 3 && recorded >= 300;
  },
};
