import { isToolSearchError } from '@tool-search/core';
import { openToolbox } from '@tool-search/core/testing';
import { McpSource, type McpSourceOptions } from '@tool-search/mcp';
import fc from 'fast-check';
import type { Era } from '../support/misbehaving-mcp-server.js';
import { type Change, type Loss, SloppyHttpServer } from '../support/sloppy-mcp-server.js';
import { changesOf, isOptional, listedTools, membersOf, SOUND_USE, useOf } from '../support/sloppy-world.js';

const never = new AbortController().signal;
const context = { tenantId: 'acme' };
const callOf = () => ({ id: 'c', signal: never, deadline: Date.now() + 600_000, progress: () => undefined });

/** Closed after each test, whether it passed or failed. */
const opened: { close(): Promise<unknown> }[] = [];
afterEach(async () => {
  for (const each of opened.splice(0).reverse()) await each.close();
});

describe.each<Era>(['2025-11-25', '2026-07-28'])('a sloppy server over HTTP, protocol %s', (era) => {
  const greets = era === '2025-11-25' ? 'initialize' : 'server/discover';
  const server = new SloppyHttpServer(era);
  let url: string;
  const source = (more: Partial<McpSourceOptions> = {}) => {
    const made = new McpSource({
      name: 'sloppy',
      url,
      expose: { resources: true, prompts: true },
      changes: 'trust',
      // No answer of this server takes long: a load that ends by its time was starved by a busy machine.
      loadTimeoutMs: 600_000,
      ...more,
    } as McpSourceOptions);
    opened.push(made);
    return made;
  };
  /** Uses a server with these changes once. */
  const used = async (changes: readonly Change[], isStream = false) => {
    server.isStream = isStream;
    server.change({ changes });
    const one = source();
    return useOf(one).finally(() => one.close());
  };
  const setTo = (value: unknown, method: string, ...path: readonly string[]): Change => ({ method, path, value });
  /** The status of a source after its first load. */
  const loaded = async (more: Partial<McpSourceOptions> = {}) => {
    const app = await openToolbox({ sources: [source(more)] });
    opened.push(app);
    return { ...app, status: () => app.catalog.sources()[0]! };
  };

  beforeAll(async () => {
    url = await server.start();
  });
  afterAll(() => server.stop());
  beforeEach(() => {
    server.isStream = false;
    server.loss = { status: 404 };
    server.change({ changes: [], brokenPage: undefined as never });
  });

  it('gives everything while its answers are sound', async () => {
    expect(await used([])).toEqual(SOUND_USE);
    expect(await used([], true)).toEqual(SOUND_USE);
  });

  const optional = membersOf(era).filter(isOptional);

  it('gives the same with null in place of every member that it need not send', async () => {
    expect(optional.length).toBeGreaterThan(80);
    const nulls = optional.map(({ method, path }) => ({ method, path, value: null }));
    const error = SOUND_METHODS.map((method) => setTo(null, method, 'error'));
    expect(await used([...nulls, ...error])).toEqual(SOUND_USE);
    expect(await used([...nulls, ...error], true)).toEqual(SOUND_USE);
  });

  it('gives the same whatever is in the place of members that it need not send, or beside them', async () => {
    const changes = fc.array(changesOf(optional), { minLength: 1, maxLength: 12 });
    await fc.assert(
      fc.asyncProperty(changes, fc.boolean(), async (some, isStream) => {
        expect(await used(some, isStream)).toEqual(SOUND_USE);
      }),
      { numRuns: 200 },
    );
  });

  it('refuses each entry of a list that names no tool', async () => {
    // The first entry of either page.
    const values = [null, 'echo', {}, { name: '' }, { name: null, description: 'Does echo.' }];
    for (const value of values) {
      server.change({ changes: [setTo(value, 'tools/list', 'result', 'tools', '0')] });
      const app = await loaded();
      expect((await app.toolbox.visible()).map(({ name }) => name)).toEqual(['sloppy.lose']);
      const refusal = { code: 'INVALID_TOOL', reason: 'the name is missing' };
      expect(app.status().refused).toMatchObject([refusal, refusal]);
      await app.close();
    }
  });

  it('gives what it has, or a reason, whatever its answers are', async () => {
    const changes = fc.array(changesOf(membersOf(era)), { minLength: 1, maxLength: 3 });
    await fc.assert(
      fc.asyncProperty(changes, fc.boolean(), async (some, isStream) => {
        server.isStream = isStream;
        server.change({ changes: some });
        const app = await loaded();
        const status = app.status();
        const names = (await app.toolbox.visible()).map(({ name }) => name);
        const listed = listedTools(era, some).length;
        if (status.state === 'ready' && status.hint === undefined) {
          expect(names.length + status.refused.length).toBeGreaterThanOrEqual(listed);
        } else expect(status.reason ?? status.hint).toMatch(/^(The (server|list)|Source)\b.{20,}/);
        if (!names.includes('sloppy.echo')) return app.close();
        const result = await app.toolbox.call('sloppy.echo', { words: 'hello' });
        if (result.ok) expect(Array.isArray(result.content)).toBe(true);
        else expect([result.code, result.message]).toEqual([expect.stringMatching(/^[A-Z_]+$/), expect.any(String)]);
        return app.close();
      }),
      { numRuns: 150 },
    );
  });

  it.each<[string, Change[]]>([
    ['an error that is null', [setTo(null, 'tools/list', 'error'), setTo(null, greets, 'error')]],
    ['an error that is empty', [setTo({}, 'tools/call', 'error'), setTo('', 'tools/list', 'error')]],
    ['an unknown member beside the result', [setTo(1, 'tools/call', 'took'), setTo('x', greets, 'server')]],
    ['no version of JSON-RPC', [{ method: 'tools/list', path: ['jsonrpc'] }, setTo(2, 'tools/call', 'jsonrpc')]],
    ['no id', [setTo(null, 'tools/call', 'id'), { method: 'tools/list', path: ['id'] }]],
    ['instructions that are null', [setTo(null, greets, 'result', 'instructions')]],
    ['capabilities that are null', [setTo(null, greets, 'result', 'capabilities', 'logging')]],
    ['capabilities that are true', [setTo(true, greets, 'result', 'capabilities', 'tools')]],
    ['capabilities that are empty lists', [setTo([], greets, 'result', 'capabilities', 'tools')]],
    [
      'experimental capabilities that are no objects',
      [setTo({ a: true }, greets, 'result', 'capabilities', 'experimental')],
    ],
    ['a server without a version', [{ method: greets, path: ['result', 'serverInfo', 'version'] }]],
    ['no self-description', [{ method: greets, path: ['result', 'serverInfo'] }]],
    ['structured content that is null', [setTo(null, 'tools/call', 'result', 'structuredContent')]],
    [
      'content that is null beside structured content',
      [setTo([{ type: 'text', text: 'hello' }], 'tools/call', 'result', 'content')],
    ],
    ['an error flag that is null', [setTo(null, 'tools/call', 'result', 'isError')]],
    [
      'metadata that is null',
      [setTo(null, 'tools/call', 'result', '_meta'), setTo(null, 'tools/list', 'result', '_meta')],
    ],
    ['metadata that is no object', [setTo('x', 'tools/call', 'result', '_meta'), setTo(7, greets, 'result', '_meta')]],
    ['annotations of a block that are null', [setTo(null, 'tools/call', 'result', 'content', '0', 'annotations')]],
    ['no type of the result', [{ method: 'tools/call', path: ['result', 'resultType'] }]],
    [
      'no time to live',
      [
        { method: 'tools/list', path: ['result', 'ttlMs'] },
        { method: 'resources/read', path: ['result', 'cacheScope'] },
      ],
    ],
    [
      'progress with members that are null',
      [
        setTo(null, 'notifications/progress', 'params', 'total'),
        setTo(null, 'notifications/progress', 'params', 'message'),
      ],
    ],
    ['progress with metadata that is null', [setTo(null, 'notifications/progress', 'params', '_meta')]],
    ['a notification with an id that is null', [setTo(null, 'notifications/progress', 'id')]],
    ['contents without their URI', [{ method: 'resources/read', path: ['result', 'contents', '0', 'uri'] }]],
    [
      'a message of a prompt with a list of blocks',
      [setTo([{ type: 'text', text: 'Hello ada' }], 'prompts/get', 'result', 'messages', '0', 'content')],
    ],
    ['more suggestions than are allowed', [setTo(null, 'completion/complete', 'result', 'completion', 'total')]],
  ])('gives everything although it sends %s', async (_, changes) => {
    expect(await used(changes)).toEqual(SOUND_USE);
    expect(await used(changes, true)).toEqual(SOUND_USE);
  });

  it('answers a call with text alone, where its content is null', async () => {
    server.change({ changes: [setTo(null, 'tools/call', 'result', 'content')] });
    const answer = await source().call('echo', { words: 'hello' }, context, callOf());
    expect(answer).toEqual({ content: [{ type: 'text', text: '{"words":"hello"}' }], structured: { words: 'hello' } });
  });

  it.each<[string, unknown, string]>([
    ['of an unknown type', { type: 'hologram', text: 'x' }, 'a block of the unknown type "hologram"'],
    ['of no type', { data: 'x' }, 'a block of an unknown type'],
    ['that is null', null, 'a block that is no object'],
    ['that is a picture without a type', { type: 'image', data: 'AAAA' }, 'an image without its mimeType'],
    ['whose bytes are none', { type: 'audio', data: '%', mimeType: 'audio/wav' }, 'a sound whose data is no base64'],
    ['that is an empty resource', { type: 'resource', resource: { uri: 'a:b' } }, 'a resource without content'],
  ])('loses only the block %s, and says so', async (_, block, fault) => {
    const text = { type: 'text', text: 'kept' };
    const picture = { type: 'image', data: 'data:image/png;base64,AAAA' };
    server.change({ changes: [setTo([text, block, picture], 'tools/call', 'result', 'content')] });
    const { content } = await source().call('echo', { words: 'hello' }, context, callOf());
    expect(content).toEqual([
      text,
      { type: 'image', data: 'AAAA', mimeType: 'image/png' },
      { type: 'text', text: `[1 block of this result was left out: ${fault}]` },
    ]);
  });

  it('has a hint for operators where the server says that it has no tools', async () => {
    server.change({ changes: [setTo(null, greets, 'result', 'capabilities', 'tools')] });
    const app = await loaded({ expose: {} });
    expect(app.status()).toMatchObject({ state: 'ready', tools: 0, hint: expect.stringContaining('no tools') });
    server.change({ changes: [] });
    await app.catalog.refresh('sloppy');
    expect(app.status()).toMatchObject({ state: 'ready', tools: 3 });
    expect(app.status()).not.toHaveProperty('hint');
  });

  it('is a source of nothing, with a hint, where its list is null', async () => {
    server.change({
      changes: [setTo(null, 'tools/list', 'result', 'tools'), setTo(null, 'tools/list', 'result', 'nextCursor')],
    });
    expect((await loaded({ expose: {} })).status()).toMatchObject({
      state: 'ready',
      tools: 0,
      hint: expect.stringContaining('null'),
    });
  });

  describe('whose list breaks off', () => {
    const brokenPage = { code: -32_603, message: 'upstream API token expired' };
    const names = (app: { catalog: { current(): { tools: readonly { name: string }[] } } }) =>
      app.catalog
        .current()
        .tools.map(({ name }) => name)
        .toSorted();

    it('has the tools that were read, at the first load, and says why not more', async () => {
      server.change({ brokenPage });
      const app = await loaded({ expose: {}, changes: 'strict' });
      expect(names(app)).toEqual(['sloppy.echo', 'sloppy.lose']);
      expect(app.status()).toMatchObject({
        state: 'degraded',
        code: 'UPSTREAM_INVALID',
        reason: expect.stringMatching(/broke off.*-32603.*It says: "upstream API token expired"\..*counts/),
      });
      server.change({ brokenPage: undefined as never });
      await app.catalog.refresh('sloppy');
      expect(names(app)).toEqual(['sloppy.echo', 'sloppy.lose', 'sloppy.shout']);
      expect(app.status()).toMatchObject({ state: 'ready' });
      expect(app.status()).not.toHaveProperty('reason');
    });

    it.each<[string, unknown, string]>([
      ['of more than 64 KiB', 'x'.repeat(64 * 1024), '65536 bytes'],
      ['of more than 64 KiB in other characters', '\u00e4'.repeat(33 * 1024), '65536 bytes'],
      ['of more than 64 KiB that is no text', { at: ['x'.repeat(64 * 1024)] }, '65536 bytes'],
      ['that is nested too deeply', JSON.parse('['.repeat(65) + ']'.repeat(65)), '64 levels'],
    ])('because of a cursor %s has what was read, and says so', async (_, cursor, fault) => {
      server.change({ changes: [setTo(cursor, 'tools/list', 'result', 'nextCursor')] });
      const asked = server.asked.length;
      const app = await loaded({ expose: {} });
      expect(names(app)).toEqual(['sloppy.echo', 'sloppy.lose']);
      expect(app.status()).toMatchObject({
        state: 'degraded',
        code: 'UPSTREAM_INVALID',
        reason: expect.stringMatching(
          `^The list broke off\\. The server of sloppy answered with a cursor of more than ${fault}`,
        ),
      });
      expect(server.asked.slice(asked).filter((method) => method === 'tools/list')).toHaveLength(1);
    });

    it('adds and changes tools later, and removes none', async () => {
      const app = await loaded({ expose: {} });
      expect(names(app)).toEqual(['sloppy.echo', 'sloppy.lose', 'sloppy.shout']);
      const added = { name: 'whisper', inputSchema: { type: 'object' } };
      const changes = [
        setTo(added, 'tools/list', 'result', 'tools', '1'),
        setTo('Anew.', 'tools/list', 'result', 'tools', '0', 'description'),
      ];
      server.change({ changes, brokenPage });
      await app.catalog.refresh('sloppy');
      expect(names(app)).toEqual(['sloppy.echo', 'sloppy.lose', 'sloppy.shout', 'sloppy.whisper']);
      expect(app.catalog.current().tools.find(({ name }) => name === 'sloppy.echo')?.description).toBe('Anew.');
      expect(app.status()).toMatchObject({ state: 'degraded', reason: expect.stringContaining('broke off') });
      expect(await app.toolbox.call('sloppy.shout', { words: 'hello' })).toMatchObject({ ok: true });
    });
  });

  it.each<[string, Change[], RegExp]>([
    [
      'an error at the list',
      [
        setTo({ code: -32_603, message: 'upstream API token expired' }, 'tools/list', 'error'),
        { method: 'tools/list', path: ['result'] },
      ],
      /error -32603\. It says: "upstream API token expired"\./,
    ],
    [
      'an error that is a text',
      [setTo('out of order', 'tools/list', 'error'), { method: 'tools/list', path: ['result'] }],
      /It says: "out of order"\./,
    ],
    [
      'a result and an error',
      [setTo({ code: 1, message: 'x' }, 'tools/list', 'error')],
      /did not answer with a list of tools/,
    ],
    ['no list', [setTo('none', 'tools/list', 'result', 'tools')], /did not answer with a list of tools/],
  ])('says to operators what it answered: %s', async (_, changes, reason) => {
    server.change({ changes });
    const { status } = await loaded();
    expect(status()).toMatchObject({ state: 'degraded', reason: expect.stringMatching(reason) });
  });

  it('says to operators what it says at the first request, in one line, bounded and without credentials', async () => {
    const message = `no\n\u001b[1maccount for Bearer sk-live-hunter2-hunter2-hunter2 ${'x'.repeat(500)}`;
    const changes = [
      setTo({ code: -32_603, message }, 'initialize', 'error'),
      { method: 'initialize', path: ['result'] },
    ];
    server.change({ era: '2025-11-25', changes });
    const { status } = await loaded();
    server.change({ era });
    const { reason = '' } = status();
    expect(reason).toMatch(
      /^The server of sloppy answered the first request with the error -32603\. It says: "no \[1m/,
    );
    for (const part of ['hunter2', '\n', '\u001B']) expect(reason).not.toContain(part);
    expect(reason.length).toBeLessThan(500);
  });

  it.each<[string, unknown, RegExp]>([
    ['an unknown one', '1999-01-01', /speaks a revision of the protocol that is not supported \(1999-01-01\)/],
    ['none', null, /does not say which revision of the protocol it speaks/],
  ])('says to operators that it speaks another revision: %s', async (_, revision, reason) => {
    server.change({ era: '2025-11-25', changes: [setTo(revision, 'initialize', 'result', 'protocolVersion')] });
    const { status } = await loaded();
    server.change({ era });
    expect(status()).toMatchObject({ state: 'degraded', reason: expect.stringMatching(reason) });
  });
});

/** Methods whose answers every use needs. */
const SOUND_METHODS = [
  'tools/list',
  'tools/call',
  'resources/list',
  'resources/read',
  'prompts/list',
  'prompts/get',
  'completion/complete',
];

describe('a server over HTTP that has lost its sessions', () => {
  const server = new SloppyHttpServer('2025-11-25');
  let url: string;
  const unknown = { code: -32_001, message: 'Session not found' };
  const calls = () => server.asked.filter((method) => method === 'tools/call').length;
  const greetings = () => server.asked.filter((method) => method === 'initialize').length;
  const source = () => {
    const made = new McpSource({ name: 'sloppy', url });
    opened.push(made);
    return made;
  };
  const call = (from: McpSource, words: string) => from.call('echo', { words }, context, callOf());

  beforeAll(async () => {
    url = await server.start();
  });
  afterAll(() => server.stop());

  /** Answers that say that the session is unknown: the calls have not run, and are repeated. */
  const SAID: readonly Loss[] = [
    { status: 404 },
    { status: 404, error: unknown },
    { status: 410 },
    { status: 400 },
    { status: 400, error: { code: -32_000, message: 'Bad Request: No valid session ID provided' } },
    { status: 400, error: unknown },
    { status: 400, error: { code: -32_600, message: 'Bad Request: Missing session ID' } },
    { status: 200, error: unknown },
    { status: 200, error: { code: -32_001, message: 'Unknown' } },
  ];
  /** Answers that leave open whether the calls have run. */
  const OPEN: readonly Loss[] = [
    { status: 500 },
    { status: 500, error: unknown },
    { status: 502 },
    { status: 503, error: unknown },
    { status: 400, error: { code: -32_000, message: 'Session closed after the form was submitted' } },
    { status: 400, error: { code: -32_001, message: 'Request timed out' } },
    { status: 401 },
    { status: 403 },
    { status: 422 },
    { status: 200, error: { code: -32_000, message: 'No valid session ID provided' } },
    { status: 200, error: { code: -32_001, message: 'Browser session closed after the form was submitted' } },
    { status: 200, error: { code: -32_001, message: 'Request timed out' } },
    { status: 200, error: { code: -32_602, message: 'Received request before initialization was complete' } },
  ];

  it.each(SAID)('opens one for all waiting calls, and repeats them: $status $error', async (loss) => {
    server.change({ changes: [] });
    server.loss = loss;
    const sloppy = source();
    await sloppy.load(never);
    server.forget();
    const before = greetings();
    const words = Array.from({ length: 10 }, (_, n) => `w${n}`);
    const answers = await Promise.all(words.map((each) => call(sloppy, each)));
    expect(answers.map(({ content }) => content)).toEqual(words.map((text) => [{ type: 'text', text }]));
    expect(greetings() - before).toBe(1);
  });

  it.each(OPEN)('opens one for the next call, and repeats none: $status $error', async (loss) => {
    server.change({ changes: [] });
    server.loss = loss;
    const sloppy = source();
    await sloppy.load(never);
    server.forget();
    const [before, asked] = [greetings(), calls()];
    const failed = await Promise.all([1, 2, 3].map((n) => call(sloppy, `w${n}`).catch((error: unknown) => error)));
    for (const each of failed) expect(isToolSearchError(each)).toBe(true);
    expect(calls() - asked).toBe(3);
    expect((await call(sloppy, 'again')).content).toEqual([{ type: 'text', text: 'again' }]);
    expect(greetings() - before).toBe(1);
  });

  it.each([...SAID, ...OPEN])('lists its tools in a new one: $status $error', async (loss) => {
    server.change({ changes: [] });
    server.loss = loss;
    const sloppy = source();
    await sloppy.load(never);
    server.forget();
    expect(await sloppy.load(never)).toHaveLength(3);
  });

  it.each([...SAID, ...OPEN])(
    'counts what was read of a list whose next page is lost: $status $error',
    async (loss) => {
      server.change({ changes: [] });
      server.loss = loss;
      server.lostPage = true;
      const sloppy = source();
      const tools = await sloppy.load(never).finally(() => (server.lostPage = false));
      expect(tools.map(({ name }) => name)).toEqual(['echo', 'lose']);
      expect(sloppy.incomplete()).toMatchObject({ message: expect.stringContaining('broke off') });
      expect(await sloppy.load(never)).toHaveLength(3);
      expect(sloppy.incomplete()).toBeUndefined();
    },
  );

  it('keeps a session of which the server knows, whatever one call is answered', async () => {
    const error = { code: -32_603, message: 'the session of the database is broken' };
    server.change({
      changes: [
        { method: 'tools/call', path: ['error'], value: error },
        { method: 'tools/call', path: ['result'] },
      ],
    });
    const sloppy = source();
    await sloppy.load(never);
    const before = greetings();
    await expect(call(sloppy, 'x')).rejects.toMatchObject({ code: 'TOOL_FAILED' });
    expect((await sloppy.load(never)).length).toBe(3);
    expect(greetings()).toBe(before);
  });
});
