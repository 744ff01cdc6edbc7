import { stableHash } from '../../json/stable-hash.js';
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
  return deepFreeze({ ...definition, hash: stableHash(definition) });
}

const PRODUCTS = [
  { namespace: 'billing', things: 'invoice, refund, payment, credit note, tax rate', tags: 'money billing' },
  { namespace: 'crm', things: 'customer, contact, deal, sales pipeline, note', tags: 'sales' },
  { namespace: 'github', things: 'issue, pull request, branch, release, workflow run', tags: 'code git' },
  { namespace: 'files', things: 'file, folder, symbolic link, archive, file version', tags: 'filesystem' },
  { namespace: 'calendar', things: 'event, meeting room, reminder, attendee, free slot', tags: 'time' },
  { namespace: 'mail', things: 'message, draft, mailbox, attachment, filter rule', tags: 'communication' },
  { namespace: 'warehouse', things: 'shipment, stock level, parcel label, supplier, pallet', tags: 'logistics' },
  { namespace: 'metrics', things: 'dashboard, alert rule, time series, report, anomaly', tags: 'monitoring' },
];

const text = (description: string) => ({ type: 'string', description });
const choice = (options: string, description: string) => ({ type: 'string', enum: options.split(' '), description });
const id = text('Unique identifier.');
const limit = { type: 'integer', minimum: 1, maximum: 100, description: 'How many results to return at most.' };
const changes = { type: 'object', description: 'New values by field.' };
const force = { type: 'boolean', description: 'Also when it is in use.' };

const ACTIONS: readonly (readonly [verb: string, SideEffects, sentence: string, parameters: JsonSchema])[] = [
  ['create', 'write', 'Create a new', { title: text('What it is called.') }],
  ['get', 'read', 'Read the details of one', { id }],
  ['list', 'read', 'List every', { limit, order: choice('newest oldest name', 'Sort order.') }],
  ['update', 'write', 'Change fields of an existing', { id, changes }],
  ['delete', 'write', 'Remove for good a', { id, force }],
  ['search', 'read', 'Look by keywords for a', { query: text('Words to look for.'), limit }],
  ['export', 'external', 'Download as a spreadsheet each', { format: choice('csv xlsx', 'File format.') }],
];

const CIRCUMSTANCES = `of the current account, that belongs to a team, in the chosen region, with all of its history,
  shared with other people, awaiting approval, from the last thirty days, including archived ones`.split(/,\s+/);

/** Distinct, realistic tools by name. Equal arguments give equal catalogs; a larger `count` contains the smaller. */
export function fakeTools(count: number, seed = 1): ToolDefinition[] {
  const tools = new Map<string, ToolDefinition>();
  for (let number = 0; tools.size < count; number++) {
    const random = randomOf(seed * 1_000_003 + number);
    const product = pick(PRODUCTS, random);
    const [verb, sideEffects, sentence, properties] = pick(ACTIONS, random);
    const thing = pick(product.things.split(', '), random);
    const local = `${verb}_${thing.replaceAll(' ', '_')}`;
    // When the combinations are used up, tools come from further installations of the same product.
    const namespace = [product.namespace, ...(number < 60 ? [] : [`eu${Math.floor(number / 60)}`])].join('_');
    const name = `${namespace}.${local}`;
    if (tools.has(name)) continue;
    tools.set(
      name,
      fakeTool({
        name,
        namespace,
        ...(random() < 0.3 && { title: `${verb} ${thing}` }),
        description: `${sentence} ${thing} ${pick(CIRCUMSTANCES, random)}, ${pick(CIRCUMSTANCES, random)}.`,
        tags: product.tags.split(' ').filter(() => random() < 0.7),
        sideEffects,
        inputSchema: { type: 'object', properties },
        aliases: random() < 0.1 ? [`${namespace}.${verb}${thing.replaceAll(' ', '')}`] : [],
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
