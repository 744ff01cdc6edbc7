import { nameOf, PATTERN_FIELDS, type Setting } from '../../../libs/core/test/world-scenes.js';
import { initialize, legacy, modern, type WireCaller, type WireRequest } from './wire.js';

/*
 * What a client may send to learn of a tool X. Random steps of the library's own test ask in the same words; these are
 * the requests that only the wire has, and every form of a name.
 */

/** A message of a client: of a method, with parameters, and what is unusual about its request. */
export type Message = readonly [method: string, params?: object, more?: Partial<WireRequest>];

export const call = (name: string, input: unknown, more: object = {}): Message => [
  'tools/call',
  { name, arguments: input, ...more },
];
const withName = ([method, params]: Message, name: string): Message => [
  method,
  params,
  { headers: { 'mcp-name': name } },
];
const search = (input: object) => call('tool_search', input);

/** The greeting of an era. */
export const GREETING: Message = ['greet'];
export const LISTED: Message = ['tools/list'];
export const pageAfter = (name: string): Message => [
  'tools/list',
  { cursor: Buffer.from(`1 ${name}`).toString('base64url') },
];

/** What a client that can be asked declares, in each of its messages or when its session begins. */
export const CAPABILITIES = { elicitation: { form: {}, url: {} } };

/** A message as one caller sends it. Equal for callers of equal sessions. */
export function requestOf(
  [method, params = {}, more = {}]: Message,
  { era, session }: Pick<WireCaller, 'era' | 'session'>,
  common: Partial<WireRequest>,
): WireRequest {
  const greeting = () => (era === 'modern' ? modern('server/discover') : initialize());
  const message = () => (era === 'modern' ? modern(method, params, CAPABILITIES) : legacy(method, params, session));
  const { headers, body } = method === 'greet' ? greeting() : message();
  const isNotice = method.startsWith('notifications/');
  return {
    body: { ...(body as object), ...(isNotice ? { id: undefined } : { id: 7 }) },
    ...common,
    ...more,
    headers: { ...headers, ...more.headers },
  };
}

/** Requests that look for X, each in another way. */
export function probesFor({ x, pool }: Setting): readonly Message[] {
  const full = nameOf(x);
  const visible = nameOf(pool[0]!);
  const names = [
    full,
    full.toUpperCase(),
    `${full} `,
    `${full}\u200b`,
    full.replaceAll('.', '__'),
    full.replaceAll(/[._]/g, '-'),
    full.replaceAll(/[._]/g, ''),
    full.replace('i', '\uff49'),
    full.slice(0, -1),
    `${full}s`,
    x.name,
    `${x.source}.zeppelin`,
    `${x.source}.far.${x.name}`,
    `${x.source}.*`,
    x.source,
    visible,
  ];
  const words = [
    x.name.replaceAll('_', ' '),
    x.description,
    `${x.description} ${x.title ?? ''}`,
    x.name.split('_').map((word) => word.slice(0, -1)).join(' '), // prettier-ignore
    'zeppelin',
    'zepelin',
    'airship',
    'fetch remove erase enumerate repay',
    'doomed confirm kept',
    x.source,
  ];
  const patterns = ['.', `^${full.replaceAll('.', '\\.')}$`, x.name, '(?i)ZEPPELIN', `^${x.source}`, '[', '(a+)+$'];
  const stored = {
    requestState: 'eyJ4Ijox',
    inputResponses: { confirm: { action: 'accept', content: { confirm: true } } },
  };
  return [
    LISTED,
    GREETING,
    ...words.map((query) => search({ query })),
    ...words.slice(0, 5).map((query) => search({ query, type: 'fts', limit: 30, includeAlwaysLoaded: true })),
    search({ queries: words.slice(0, 5), limit: 1 }),
    ...patterns.map((query) =>
      search({ query, type: 'regex', fields: [...PATTERN_FIELDS], includeAlwaysLoaded: true }),
    ),
    ...names.map((query) => search({ query, type: 'exact', includeAlwaysLoaded: true })),
    ...[x.source, `${x.source}.far`, full].map((namespace) => search({ query: words[0]!, namespace, limit: 30 })),
    ...(['always', 'deferred'] as const).map((loading) => search({ query: words[1]!, loading })),
    ...names.map((name) => call('tool_get', { names: [name] })),
    call('tool_get', { names }),
    call('tool_get', { names: [full, visible] }),
    call('tool_get', { names: [visible, full, full] }),
    ...['tool_load', 'tool_result'].map((tool) => call(tool, { names: [full], handle: full })),
    // Through the bridge, and by a name of the list: good, bad and missing arguments.
    ...names.map((name) => call('tool_call', { name, arguments: {} })),
    // Modern clients repeat the name in a header.
    ...names.filter((name) => /^[ -~]+$/.test(name)).map((name) => call(name, {})),
    ...[{ a: 1 }, [], 'text', null, undefined].flatMap((input) => [
      call('tool_call', { name: full, arguments: input }),
      call(full.replaceAll('.', '__'), input),
    ]),
    call('tool_call', { name: 'tool_call', arguments: { name: full, arguments: {} } }),
    call('tool_call', { name: 'tool_search', arguments: { query: full } }),
    call('tool_call', { name: 'tool_get', arguments: { names: [full] } }),
    // Progress, confirmations, cancellation.
    call(full, {}, { _meta: { progressToken: full } }),
    call('tool_call', { name: full, arguments: {} }, { _meta: { progressToken: 1 } }),
    call(full, {}, stored),
    call('tool_call', { name: full, arguments: {} }, stored),
    ['notifications/cancelled', { requestId: 7, reason: full }],
    // Names in headers and cursors, and methods that are served for other things than tools.
    withName(call(full, {}), visible),
    withName(call(visible, {}), full),
    ...[full, full.replaceAll('.', '__'), `${full.replaceAll('.', '__')}0`, x.name, x.source].map(pageAfter),
    ['prompts/get', { name: full }],
    ['resources/read', { uri: full }],
    ['resources/subscribe', { uri: full }],
    ['completion/complete', { ref: { type: 'ref/prompt', name: full }, argument: { name: 'name', value: x.name } }],
    // Other addresses: a profile, a session or a stream of this name.
    ['tools/list', {}, { path: `/mcp/p/${x.name}` }],
    ['tools/list', {}, { headers: { 'mcp-session-id': full } }],
    ['tools/list', {}, { method: 'GET', headers: { 'mcp-session-id': full }, body: undefined }],
    LISTED,
    GREETING,
  ];
}
