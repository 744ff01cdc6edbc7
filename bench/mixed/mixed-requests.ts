import { GITHUB_REQUESTS } from '../datasets/github-requests.js';
import { CALLER, OPERATOR } from '../scenarios/killswitch.scenario.js';
import { randomOf } from '../measuring/random.js';

export const KINDS = ['search', 'get', 'call', 'list', 'admin'] as const;

/** A kind of request. */
export type Kind = (typeof KINDS)[number];

/** One request; with a body it is a POST. */
export interface MixedRequest {
  readonly kind: Kind;
  readonly path: string;
  readonly token: string;
  readonly body?: unknown;
}

// Number of each kind among twenty requests.
const SHARES: Readonly<Record<Kind, number>> = { search: 6, get: 4, call: 5, list: 4, admin: 1 };
const DECK = KINDS.flatMap((kind) => Array.from({ length: SHARES[kind] }, () => kind));

const SWITCHES = '/admin/tools/kill-switches';
const CALLS = [
  { name: 'billing.list_invoices', arguments: {} },
  { name: 'billing.get_invoice', arguments: { invoiceId: 'inv_1001' } },
  { name: 'billing.list_invoices', arguments: { status: 'paid' } },
  { name: 'everything.echo', arguments: { message: 'hello' } },
];

const READS = [
  'status',
  'catalog?limit=50',
  'kill-switches',
  'sources',
  'audit',
  'activations',
  'tokens',
  'search-gaps',
];

/** The requests of one connection, one after another: its own conversation, and sometimes an operator's request. */
export class MixedRequests {
  readonly #random: () => number;
  readonly #target: object;
  #found: readonly string[] = ['billing.get_invoice'];
  // The revision of the engaged switch.
  #revision: number | undefined;

  constructor(connection: number) {
    this.#random = randomOf(connection + 1);
    // A tenant that does not exist: no call is refused for it.
    const tenantId = `nobody-${connection}`;
    this.#target = { kind: 'tool', value: 'billing.refund_invoice', tenantId, reason: 'benchmark' };
  }

  next(): MixedRequest {
    const kind = this.#one(DECK);
    const toolbox = { kind, token: CALLER };
    switch (kind) {
      case 'search':
        return { ...toolbox, path: '/toolbox/search', body: { query: this.#one(GITHUB_REQUESTS).query } };
      case 'get':
        return { ...toolbox, path: '/toolbox/get', body: { names: this.#found } };
      case 'call':
        return { ...toolbox, path: '/toolbox/call', body: this.#one(CALLS) };
      case 'list':
        return { ...toolbox, path: '/toolbox' };
      case 'admin':
        return { kind, token: OPERATOR, ...this.#asOperator() };
    }
  }

  /** Remembers the search results for the next read, and the revision of an engaged switch for its release. */
  answered({ kind, path }: MixedRequest, answer: string): void {
    if (path === SWITCHES) this.#revision = (JSON.parse(answer) as { revision: number }).revision;
    if (kind !== 'search') return;
    const { tools } = JSON.parse(answer) as { tools: readonly { name: string }[] };
    if (tools.length > 0) this.#found = tools.slice(0, 3).map(({ name }) => name);
  }

  #asOperator(): Pick<MixedRequest, 'path' | 'body'> {
    // One in ten requests writes a decision.
    if (this.#random() >= 0.1) return { path: `/admin/tools/${this.#one(READS)}` };
    const expectedRevision = this.#revision;
    this.#revision = undefined;
    return expectedRevision === undefined
      ? { path: SWITCHES, body: this.#target }
      : { path: `${SWITCHES}/release`, body: { ...this.#target, expectedRevision } };
  }

  #one<T>(choices: readonly T[]): T {
    const chosen = choices[Math.floor(this.#random() * choices.length)];
    if (chosen === undefined) throw new Error('nothing to choose from');
    return chosen;
  }
}
