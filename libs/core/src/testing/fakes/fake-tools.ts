import { definitionHash } from '../../catalog/definition-hash.js';
import { deepFreeze, type JsonSchema } from '../../json/json.js';
import type { SideEffects, ToolDefinition } from '../../tool/tool-definition.js';

/**
 * A complete definition with defaults for all omitted parts. The hash is computed as in the catalog, so tools that
 * differ in any field have different hashes.
 *
 * @param parts the default of `namespace` is the part of `name` before the last dot
 */
export function fakeTool(parts: Partial<Omit<ToolDefinition, 'hash'>> = {}): ToolDefinition {
  const name = parts.name ?? 'billing.refund';
  const namespace = parts.namespace ?? name.split('.').slice(0, -1).join('.');
  const definition = {
    name,
    namespace,
    description: `Does what ${name} says.`,
    tags: [],
    sideEffects: 'external' as const,
    inputSchema: { type: 'object', properties: {} },
    examples: [],
    exampleQueries: [],
    loading: 'deferred' as const,
    aliases: [],
    authScopes: [],
    source: namespace === '' ? 'fake' : namespace,
    owner: '',
    ...parts,
  };
  return deepFreeze({ ...definition, hash: definitionHash(definition) });
}

interface Product {
  readonly namespace: string;
  readonly things: readonly string[];
  readonly tags: readonly string[];
}

const PRODUCTS: readonly Product[] = [
  {
    namespace: 'billing',
    things: ['invoice', 'refund', 'payment', 'credit note', 'tax rate'],
    tags: ['money', 'billing'],
  },
  { namespace: 'crm', things: ['customer', 'contact', 'deal', 'sales pipeline', 'note'], tags: ['sales'] },
  {
    namespace: 'github',
    things: ['issue', 'pull request', 'branch', 'release', 'workflow run'],
    tags: ['code', 'git'],
  },
  { namespace: 'files', things: ['file', 'folder', 'symbolic link', 'archive', 'file version'], tags: ['filesystem'] },
  { namespace: 'calendar', things: ['event', 'meeting room', 'reminder', 'attendee', 'free slot'], tags: ['time'] },
  { namespace: 'mail', things: ['message', 'draft', 'mailbox', 'attachment', 'filter rule'], tags: ['communication'] },
  {
    namespace: 'warehouse',
    things: ['shipment', 'stock level', 'parcel label', 'supplier', 'pallet'],
    tags: ['logistics'],
  },
  {
    namespace: 'metrics',
    things: ['dashboard', 'alert rule', 'time series', 'report', 'anomaly'],
    tags: ['monitoring'],
  },
];

interface Action {
  readonly verb: string;
  readonly sideEffects: SideEffects;
  readonly sentence: string;
  readonly parameters: Readonly<Record<string, JsonSchema>>;
}

const id = { type: 'string', description: 'Unique identifier.' };
const limit = { type: 'integer', minimum: 1, maximum: 100, description: 'How many results to return at most.' };

const ACTIONS: readonly Action[] = [
  {
    verb: 'create',
    sideEffects: 'write',
    sentence: 'Create a new',
    parameters: { title: { type: 'string', description: 'What it is called.' } },
  },
  { verb: 'get', sideEffects: 'read', sentence: 'Read the details of one', parameters: { id } },
  {
    verb: 'list',
    sideEffects: 'read',
    sentence: 'List every',
    parameters: { limit, order: { type: 'string', enum: ['newest', 'oldest', 'name'], description: 'Sort order.' } },
  },
  {
    verb: 'update',
    sideEffects: 'write',
    sentence: 'Change fields of an existing',
    parameters: { id, changes: { type: 'object', description: 'New values by field.' } },
  },
  {
    verb: 'delete',
    sideEffects: 'write',
    sentence: 'Remove for good a',
    parameters: { id, force: { type: 'boolean', description: 'Also when it is in use.' } },
  },
  {
    verb: 'search',
    sideEffects: 'read',
    sentence: 'Look by keywords for a',
    parameters: { query: { type: 'string', description: 'Words to look for.' }, limit },
  },
  {
    verb: 'export',
    sideEffects: 'external',
    sentence: 'Download as a spreadsheet each',
    parameters: { format: { type: 'string', enum: ['csv', 'xlsx'], description: 'File format.' } },
  },
];

const CIRCUMSTANCES = [
  'of the current account',
  'that belongs to a team',
  'in the chosen region',
  'with all of its history',
  'shared with other people',
  'awaiting approval',
  'from the last thirty days',
  'including archived ones',
];

/**
 * A catalog of distinct, realistic tools, sorted by name. Equal arguments give equal catalogs, and a larger `count`
 * with the same seed contains the smaller catalog.
 */
export function fakeTools(count: number, seed = 1): ToolDefinition[] {
  const tools = new Map<string, ToolDefinition>();
  for (let number = 0; tools.size < count; number++) {
    const random = randomOf(seed * 1_000_003 + number);
    const product = pick(PRODUCTS, random);
    const action = pick(ACTIONS, random);
    const thing = pick(product.things, random);
    const local = `${action.verb}_${thing.replaceAll(' ', '_')}`;
    // When the combinations are used up, tools come from further installations of the same product.
    const namespace = [product.namespace, ...(number < 60 ? [] : [`eu${Math.floor(number / 60)}`])].join('_');
    const name = `${namespace}.${local}`;
    if (tools.has(name)) continue;
    tools.set(
      name,
      fakeTool({
        name,
        namespace,
        ...(random() < 0.3 && { title: `${action.verb} ${thing}` }),
        description: `${action.sentence} ${thing} ${pick(CIRCUMSTANCES, random)}, ${pick(CIRCUMSTANCES, random)}.`,
        tags: product.tags.filter(() => random() < 0.7),
        sideEffects: action.sideEffects,
        inputSchema: { type: 'object', properties: action.parameters },
        aliases: random() < 0.1 ? [`${namespace}.${action.verb}${thing.replaceAll(' ', '')}`] : [],
      }),
    );
  }
  return [...tools.values()].sort((a, b) => (a.name < b.name ? -1 : 1));
}

function pick<T>(items: readonly T[], random: () => number): T {
  const item = items[Math.floor(random() * items.length)];
  if (item === undefined) throw new RangeError('nothing to pick from');
  return item;
}

/** Mulberry32: pseudo-random numbers from 0 to 1 that depend only on the seed. */
function randomOf(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
