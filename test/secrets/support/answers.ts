const bytes = Buffer.from('it is').toString('base64');
const annotations = { audience: ['user'], priority: 0.5, lastModified: '2026-01-01T00:00:00Z' };
const meta = { _meta: { 'example.com/note': 'n', deep: { note: 'n' } } };
const icons = [{ src: 'https://example.com/i.png', mimeType: 'image/png', sizes: ['48x48'], theme: 'light' }];

/** A tool as a server lists it. */
export const TOOL = {
  name: 'say',
  title: 'Say',
  description: 'Says what it was sent.',
  inputSchema: {
    type: 'object',
    title: 'Words',
    description: 'What is said.',
    $comment: 'For readers.',
    properties: {
      city: {
        type: 'string',
        title: 'City',
        description: 'Where.',
        default: 'Rome',
        examples: ['Oslo'],
        pattern: '^.*$',
        format: 'words',
      },
      size: { enum: ['small', 'large'], enumNames: ['Small', 'Large'] },
      way: { oneOf: [{ const: 'on foot', title: 'Walk' }, { $ref: '#/$defs/far' }] },
      list: { type: 'array', items: { type: 'object', properties: { inner: { type: 'string', default: 'd' } } } },
      free: { type: 'object', patternProperties: { '^x_': { type: 'string' } }, additionalProperties: { title: 'T' } },
      named: { type: 'object', propertyNames: { pattern: '^[a-z]+$' }, dependentRequired: { city: ['size'] } },
      odd: { type: 'string', 'x-note': 'n', default: { deep: 'd' } },
    },
    required: ['city'],
    $defs: { far: { const: 'by train', title: 'Ride' } },
    if: { properties: { city: { const: 'Oslo' } } },
    else: { required: ['size'] },
  },
  outputSchema: {
    type: 'object',
    description: 'What was said.',
    properties: { said: { type: 'string', description: 'Words.', enum: ['a', 'b'] } },
    required: ['said'],
  },
  annotations: { title: 'Say', readOnlyHint: true, note: 'n' },
  icons,
  ...meta,
};

/** A resource as a server lists it. */
export const RESOURCE = {
  uri: 'echo:///page',
  name: 'page',
  title: 'Page',
  description: 'A page.',
  mimeType: 'text/plain',
  annotations,
  icons,
  ...meta,
};

/** A resource template as a server lists it. */
export const TEMPLATE = { ...RESOURCE, uri: undefined, uriTemplate: 'echo:///pages/{page}' };

/** A prompt as a server lists it. */
export const PROMPT = {
  name: 'ask',
  title: 'Ask',
  description: 'Asks.',
  arguments: [{ name: 'city', title: 'City', description: 'Where.', required: true }],
  icons,
  ...meta,
};

/** What a server says of itself. */
export const ABOUT = {
  serverInfo: {
    name: 'echo',
    title: 'Echo',
    version: '1',
    description: 'Says what it was sent.',
    websiteUrl: 'https://example.com/',
    icons,
  },
  instructions: 'Call say.',
  ...meta,
};

const CONTENT = [
  { type: 'text', text: 'words', annotations, ...meta },
  { type: 'image', data: bytes, mimeType: 'image/png', annotations, ...meta },
  { type: 'audio', data: bytes, mimeType: 'audio/wav', ...meta },
  {
    type: 'resource_link',
    uri: 'https://example.com/',
    name: 'link',
    title: 'Link',
    description: 'A link.',
    mimeType: 'text/html',
    icons,
    ...meta,
  },
  { type: 'resource', resource: { uri: 'echo:///a', mimeType: 'text/plain', text: 'words', ...meta } },
  { type: 'resource', resource: { uri: 'echo:///b', mimeType: 'image/png', blob: bytes, ...meta } },
];

const FORM = {
  message: 'Which city?',
  requestedSchema: {
    type: 'object',
    properties: {
      city: { type: 'string', title: 'City', description: 'Where.', default: 'Rome', format: 'date' },
      size: { type: 'string', enum: ['s', 'l'], enumNames: ['Small', 'Large'] },
      way: { type: 'string', oneOf: [{ const: 'foot', title: 'Walk' }] },
      days: { type: 'array', items: { type: 'string', enum: ['mon'] } },
      hours: { type: 'array', items: { anyOf: [{ const: 'noon', title: 'Noon' }] } },
    },
    required: ['city'],
  },
  ...meta,
};
const PAGE = { mode: 'url', message: 'Sign in.', url: 'https://example.com/in?a=b', elicitationId: 'e1', ...meta };
const SAMPLING = {
  messages: [{ role: 'user', content: CONTENT[0] }],
  systemPrompt: 'Be brief.',
  stopSequences: ['stop'],
  modelPreferences: { hints: [{ name: 'small' }] },
  metadata: { note: 'n' },
  maxTokens: 10,
};

/** How a server answers a request: with a result, an error, a status of HTTP, or messages before its result. */
export type AnswerKind =
  | { readonly result: object }
  | { readonly error: object }
  | { readonly status: number; readonly body: object; readonly headers?: object }
  | { readonly question: string; readonly params: object }
  | { readonly notification: string; readonly params: object };

const FAULT = { code: -32_000, message: 'It failed.', data: { reason: 'why', list: ['a', { deep: 'd' }] } };

/** Answers to any request that fails. */
export const FAILURES = {
  'an error': { error: FAULT },
  'an error of arguments': { error: { ...FAULT, code: -32_602 } },
  'an error of the capability': { error: { ...FAULT, code: -32_021, data: { requiredCapabilities: { roots: {} } } } },
  'status 400': { status: 400, body: { said: 'no', deep: { said: 'no' } }, headers: { 'x-note': 'n' } },
  'status 401': {
    status: 401,
    body: { error: 'no' },
    headers: { 'www-authenticate': 'Bearer error="invalid_token", error_description="no"' },
  },
  'status 500': { status: 500, body: { said: 'no' }, headers: { 'x-note': 'n' } },
} satisfies Record<string, AnswerKind>;

/** Every kind of answer to a call of a tool. */
export const CALL_ANSWERS = {
  ...FAILURES,
  content: { result: { content: CONTENT, ...meta } },
  'structured content': {
    result: {
      content: [],
      structuredContent: { said: 'words', list: ['a', { deep: 'd' }], 'a name': { n: 1, b: 'b' } },
    },
  },
  'a failure of the tool': { result: { content: CONTENT.slice(0, 1), structuredContent: { why: 'w' }, isError: true } },
  'an unknown kind of result': { result: { resultType: 'odd', content: CONTENT.slice(0, 1) } },
  'no result': { result: { contents: 'words', note: 'n' } },
  'a form': { question: 'elicitation/create', params: FORM },
  'a page': { question: 'elicitation/create', params: PAGE },
  'a question to the model': { question: 'sampling/createMessage', params: SAMPLING },
  'a log entry': {
    notification: 'notifications/message',
    params: { level: 'info', logger: 'main', data: { said: 'words', list: ['a'] }, ...meta },
  },
  progress: { notification: 'notifications/progress', params: { progress: 1, total: 2, message: 'half', ...meta } },
} satisfies Record<string, AnswerKind>;

/** Every kind of answer to the reading of a resource. */
export const READ_ANSWERS = {
  ...FAILURES,
  contents: { result: { contents: CONTENT.slice(4).map(({ resource }) => resource), ...meta } },
} satisfies Record<string, AnswerKind>;

/** Every kind of answer to a prompt that is filled in. */
export const PROMPT_ANSWERS = {
  ...FAILURES,
  messages: {
    result: { description: 'It asks.', messages: CONTENT.map((content) => ({ role: 'user', content })), ...meta },
  },
} satisfies Record<string, AnswerKind>;

/** Every kind of answer to a completion. */
export const COMPLETION_ANSWERS = {
  ...FAILURES,
  values: { result: { completion: { values: ['Rome', 'Oslo'], total: 2, hasMore: false, note: 'n' }, ...meta } },
} satisfies Record<string, AnswerKind>;

/** The answers to each request that a caller causes. */
export const ANSWERS = {
  'tools/call': CALL_ANSWERS,
  'resources/read': READ_ANSWERS,
  'prompts/get': PROMPT_ANSWERS,
  'completion/complete': COMPLETION_ANSWERS,
} satisfies Record<string, Record<string, AnswerKind>>;

/** A request that a caller causes. */
export type CallersMethod = keyof typeof ANSWERS;

/** The part of an answer that a server says, which is a template. */
export function saidIn(answer: AnswerKind): object {
  if ('result' in answer) return answer.result;
  if ('error' in answer) return answer.error;
  if ('status' in answer) return { body: answer.body, headers: answer.headers };
  return answer.params;
}
