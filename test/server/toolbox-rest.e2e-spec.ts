import { writeFileSync } from 'node:fs';
import { get } from 'node:http';
import { join } from 'node:path';
import { ToolCatalog, ToolSearchService } from '@tool-search/core';
import { DefinitionTokens } from '@tool-search/core/internal';
import { operatorDocument } from '../../bench/console/operator-document.js';
import { gatewayAccess } from '../../bench/tokens/gateway-access.js';
import { modeAccess } from '../../bench/tokens/mode-access.js';
import { REFERENCE_TASK } from '../../bench/tokens/reference-task.js';
import { costOf, definitionTokens } from '../../bench/tokens/token-task.js';
import { countTokens } from '../../src/chat/count-tokens.js';
import { OWNER, REPORT, WANTED } from '../support/large-report.js';
import { ACME, GLOBEX, OPERATOR, type ReferenceServer, startReferenceServer } from '../support/reference-server.js';

describe('the toolbox over HTTP', () => {
  let server: ReferenceServer;
  const post = (path: string, body: unknown, token = ACME, headers = {}) =>
    server.request(`/toolbox/${path}`, { body, token, headers });

  beforeAll(async () => {
    server = await startReferenceServer();
  });
  afterAll(() => server?.close());

  it('serves no host name that a web page could point to this machine', async () => {
    const statusAt = (path: string, host: string) =>
      new Promise((resolve, reject) => {
        const headers = { host, authorization: `Bearer ${OPERATOR}` };
        get(`${server.url}${path}`, { headers }, (response) => {
          response.resume();
          resolve(response.statusCode);
        }).on('error', reject);
      });
    for (const path of ['/admin/tools/status', '/toolbox', '/console/', '/health', '/mcp']) {
      expect([path, await statusAt(path, 'evil.example:3000')]).toEqual([path, 403]);
      expect(await statusAt(path, 'localhost:3000')).not.toBe(403);
    }
  });

  it('has at least 1,250 real tools and shows the model fewer than 1 % of their tokens', async () => {
    const { body: health } = await server.request('/health');
    expect(health.status).toBe('ok');
    expect(health.info.store.status).toBe('up');
    expect(health.info.control).toMatchObject({ status: 'up', state: 'ready' });
    expect(Object.keys(health.info.catalog.sources)).toEqual(['instances', 'ready']);
    expect(health.info.control.revision).toBeUndefined();
    expect((await server.request('/health/details')).body.code).toBe('FORBIDDEN');
    expect((await server.request('/health/details', { token: '' })).body.code).toBe('UNAUTHENTICATED');
    const { body: details } = await server.request('/health/details', { token: OPERATOR });
    expect(details.info.catalog.tools).toBeGreaterThanOrEqual(1250);
    expect(health.info.catalog.tools).toBe(details.info.catalog.tools);
    for (const source of ['app', 'everything', 'files', 'memory', 'github']) {
      const { instances, ready } = details.info.catalog.sources[source];
      expect([source, ready]).toEqual([source, instances]);
      expect(instances).toBe(source === 'files' || source === 'memory' ? 2 : 1);
    }
    const { status, body } = await server.request('/toolbox');
    expect(status).toBe(200);
    expect(body).toMatchObject({ mode: 'deferred', revision: expect.any(Number) });
    expect(body.reason).toMatch(
      /^tools that could be held back have \d{6} tokens, not less than the threshold of 12800$/,
    );
    expect(body.meta.map((tool: { name: string }) => tool.name)).toEqual(['tool_search', 'tool_get']);
    expect(body.tools).toEqual([
      {
        name: 'billing.list_invoices',
        description: expect.any(String),
        inputSchema: expect.objectContaining({ type: 'object' }),
        loading: 'always',
        active: false,
      },
    ]);
    const shown = [...body.tools, ...body.meta].map(({ name, description, inputSchema }) =>
      countTokens(JSON.stringify({ name, description, parameters: inputSchema })),
    );
    const tools = server.app.get(ToolCatalog).tools();
    const all = new DefinitionTokens(countTokens).sum(tools.filter(({ owner }) => owner === '' || owner === 'acme'));
    expect(shown.reduce((sum, tokens) => sum + tokens, 0) / all).toBeLessThan(0.01);
  });

  it.each(['deferred', 'bridge', 'native', 'auto', 'gateway'] as const)(
    'does a task of three tools for 5 %% of the tokens of all definitions, and begins with 1 %%: %s',
    async (mode) => {
      const open = (id: string) =>
        server.app
          .get(ToolSearchService)
          .open({ tenantId: 'acme', userId: 'ada', plan: 'business', roles: ['finance'], sessionId: id, runId: id });
      const all = (await open('all').visible()).reduce((sum, tool) => sum + definitionTokens(tool), 0);
      const access =
        mode === 'gateway' ? await gatewayAccess(`${server.url}/mcp`, ACME) : modeAccess(mode, open(`task-${mode}`));
      const { firstStep, task, taskSucceeded } = await costOf(access, REFERENCE_TASK);
      await access.close?.();
      expect(taskSucceeded).toBe(true);
      expect(firstStep / all).toBeLessThan(0.01);
      expect(task / all).toBeLessThan(0.05);
    },
  );

  it('finds, describes, activates and calls', async () => {
    const session = { 'x-session-id': 'rest-1' };
    const found = await post('search', { query: 'refund an invoice' }, ACME, session);
    expect(found.status).toBe(200);
    expect(found.body).toMatchObject({
      searchType: { requested: 'bm25', effective: 'bm25' },
      verdict: 'found',
      totalDeferred: expect.any(Number),
    });
    expect(found.body.tools[0]).toMatchObject({
      name: 'billing.refund_invoice',
      loading: 'deferred',
      active: false,
      score: expect.any(Number),
      match: expect.any(String),
    });

    const read = await post('get', { names: ['billing.refund_invoice'], includeExamples: false }, ACME, session);
    expect(read.body.tools[0].inputSchema.required).toEqual(['invoiceId', 'amount']);
    expect(read.body.tools[0].examples).toBeUndefined();

    const activated = await post('activate', { names: ['files.read_text_file', 'no.such_tool'] }, ACME, session);
    expect(activated.body).toMatchObject({
      activated: ['files.read_text_file'],
      alreadyActive: [],
      unavailable: ['no.such_tool'],
    });

    const called = await post(
      'call',
      { name: 'billing.refund_invoice', arguments: { invoiceId: 'inv_1001', amount: 5 } },
      ACME,
      session,
    );
    expect(called.body).toMatchObject({ ok: true, activated: true, structured: { id: 'inv_1001', refunded: 5 } });
    const { body: listed } = await server.request('/toolbox', { headers: session });
    expect(listed.tools.map(({ name, active }: { name: string; active: boolean }) => [name, active])).toEqual([
      ['billing.list_invoices', false],
      ['files.read_text_file', true],
      ['billing.refund_invoice', true],
    ]);
  });

  it('gives prompt parts, for a text and in another mode, and refuses what it does not know', async () => {
    const get = (query: string) => server.request(`/toolbox?${query}`, { headers: { 'x-session-id': 'prompt' } });
    const { body: plain } = await server.request('/toolbox');
    expect(plain.prompt).toEqual({ guidance: expect.stringContaining('tool_search') });
    const { body: bridge } = await get('mode=bridge&text=refund%20an%20invoice');
    expect(bridge).toMatchObject({ mode: 'bridge', prompt: { guidance: expect.stringContaining('tool_call') } });
    expect((await get('mode=all')).body).toMatchObject({ mode: 'all', prompt: {}, meta: [] });
    for (const wrong of ['mode=some', 'text=a&text=b', 'limit=1', `text=${'x'.repeat(4001)}`, 'mode[a]=b']) {
      const { status, body } = await get(wrong);
      expect([wrong.slice(0, 20), status, body.code]).toEqual([wrong.slice(0, 20), 400, 'INVALID_ARGUMENTS']);
    }
  });

  it('lists what a run was offered from the next request of that run on', async () => {
    const run = { 'x-run-id': 'run-1' };
    const found = await post('search', { query: 'star a repository', limit: 2 }, ACME, run);
    const { body } = await server.request('/toolbox', { headers: run });
    const listed = body.tools.map(({ name }: { name: string }) => name);
    for (const { name } of found.body.tools) expect(listed).toContain(name);
    const { body: other } = await server.request('/toolbox', { headers: { 'x-run-id': 'run-2' } });
    expect(other.tools).toHaveLength(1);
  });

  it('reads real files through the MCP server and refuses to leave its folder', async () => {
    const read = await post('call', { name: 'files.read_text_file', arguments: { path: 'notes/welcome.txt' } });
    expect(read.body.ok).toBe(true);
    expect(read.body.content[0].text).toContain('Welcome');
    const escape = await post('call', { name: 'files.read_text_file', arguments: { path: '/etc/passwd' } });
    expect(escape.body).toMatchObject({ ok: false, code: 'TOOL_FAILED' });
    expect(escape.text).not.toContain('root:');
  });

  it('shows each tenant its own tools and data', async () => {
    const mine = await post('call', { name: 'billing.get_invoice', arguments: { invoiceId: 'inv_1001' } }, GLOBEX);
    expect(mine.body.structured).toMatchObject({ customer: 'Hank Scorpio' });
    const found = await post('search', { query: 'refund an invoice', limit: 20 }, GLOBEX);
    expect(found.body.tools.map(({ name }: { name: string }) => name)).not.toContain('billing.refund_invoice');
  });

  it('keeps files and knowledge apart, though the tools have the same names', async () => {
    const remember = { entities: [{ name: 'Secret', entityType: 'plan', observations: ['of acme'] }] };
    expect((await post('call', { name: 'memory.create_entities', arguments: remember })).body.ok).toBe(true);
    expect((await post('call', { name: 'memory.read_graph', arguments: {} })).text).toContain('Secret');
    const theirs = await post('call', { name: 'memory.read_graph', arguments: {} }, GLOBEX);
    expect(theirs.body.ok).toBe(true);
    expect(theirs.text).not.toContain('Secret');
    const write = { path: 'notes/acme.txt', content: 'of acme' };
    expect((await post('call', { name: 'files.write_file', arguments: write })).body.ok).toBe(true);
    const list = { name: 'files.list_directory', arguments: { path: 'notes' } };
    expect((await post('call', list)).text).toContain('acme.txt');
    expect((await post('call', list, GLOBEX)).text).not.toContain('acme.txt');
  });

  it('answers a hidden tool exactly as one that does not exist', async () => {
    const both = async (path: string, bodyOf: (name: string) => unknown) => {
      const [hidden, unknown] = await Promise.all(
        ['billing.refund_invoice', 'billing.refund_invoicf'].map((name) => post(path, bodyOf(name), GLOBEX)),
      );
      expect({ ...hidden!, text: hidden!.text.replaceAll('refund_invoice', 'X'), body: undefined }).toEqual({
        ...unknown!,
        text: unknown!.text.replaceAll('refund_invoicf', 'X'),
        body: undefined,
      });
      return hidden!;
    };
    expect((await both('call', (name) => ({ name, arguments: { invoiceId: 7 } }))).body.code).toBe(
      'TOOL_NOT_AVAILABLE',
    );
    expect((await both('get', (name) => ({ names: [name] }))).body.code).toBe('TOOL_NOT_AVAILABLE');
    expect((await both('activate', (name) => ({ names: [name] }))).body.unavailable).toHaveLength(1);
    await both('search', (name) => ({ query: name, type: 'exact', includeAlwaysLoaded: true }));
    await both('search', (name) => ({ query: name, type: 'regex', includeAlwaysLoaded: true }));
  });

  describe('refuses with problem details', () => {
    it.each([
      ['no token', '', {}, { query: 'x' }, 401, 'UNAUTHENTICATED'],
      ['a wrong token', 'wrong-token-1', {}, { query: 'x' }, 401, 'UNAUTHENTICATED'],
      [
        'a session id that is too long',
        ACME,
        { 'x-session-id': 'a'.repeat(257) },
        { query: 'x' },
        400,
        'INVALID_SESSION',
      ],
      ['an empty query', ACME, {}, { query: ' ' }, 400, 'INVALID_QUERY'],
      ['an unknown field', ACME, {}, { query: 'x', limits: 3 }, 400, 'INVALID_ARGUMENTS'],
      ['a limit of zero', ACME, {}, { query: 'x', limit: 0 }, 400, 'INVALID_ARGUMENTS'],
      ['a query that is no text', ACME, {}, { query: ['x'] }, 400, 'INVALID_ARGUMENTS'],
      ['broken JSON', ACME, {}, '{"query":', 400, 'INVALID_REQUEST'],
      ['a key twice', ACME, {}, '{"query":"a","query":"b"}', 400, 'INVALID_REQUEST'],
      ['a huge body', ACME, {}, { query: 'x'.repeat(600_000) }, 413, 'ARGUMENTS_TOO_LARGE'],
    ])('%s', async (_, token, headers, body, status, code) => {
      const answer = await post('search', body, token, headers);
      expect(answer).toMatchObject({
        status,
        body: { status, code, detail: expect.any(String), title: expect.any(String) },
      });
      expect(answer.type).toContain('application/problem+json');
      expect(answer.text).not.toMatch(/node_modules|at \w+ \(|Error:/);
    });

    it('a route that does not exist', async () => {
      const answer = await server.request('/nowhere');
      expect(answer).toMatchObject({ status: 404, body: { code: 'NOT_FOUND' } });
    });
  });

  it('answers a search in a way that says what to make of it', async () => {
    const run = { 'x-run-id': 'rest-answers' };
    const search = async (body: object) => (await post('search', body, ACME, run)).body;
    const found = await search({ query: 'refund an invoice', limit: 20 });
    expect([found.notice, found.hint, found.queries]).toEqual([undefined, undefined, undefined]);
    const described = found.tools.map(({ description }: { description: string }) => description);
    expect(countTokens(described.join(''))).toBeLessThanOrEqual(600);
    expect(described.filter((line: string) => line.length > 160 || line.includes('\n'))).toEqual([]);

    const queries = ['refund an invoice', 'xyzzy'];
    expect(await search({ queries })).toMatchObject({
      verdict: 'found',
      queries: [
        { index: 0, verdict: 'found', unmatched: [] },
        { index: 1, verdict: 'none', unmatched: ['xyzzy'] },
      ],
    });
    // The run remembers that one of the two searches found nothing.
    expect(await search({ query: 'XYZZY' })).toMatchObject({
      tools: [],
      verdict: 'none',
      notice:
        'this run has searched for the same before, in vain; this is search 3 in a row, with no tool read or called in between',
      hint: expect.stringContaining('say that no tool does this'),
    });
    expect(await search({ query: 'XYZZY', type: 'exact' })).toMatchObject({
      notice: expect.stringMatching(/^no tool fits this search; this is search 4 in a row/),
    });

    const pattern = { query: 'refund a paid invoice|list_invoices', type: 'regex', includeAlwaysLoaded: true };
    const namesIn = async (fields: string[]) =>
      (await search({ ...pattern, fields })).tools.map(({ name }: { name: string }) => name);
    expect(await namesIn(['name'])).toEqual(['billing.list_invoices']);
    expect(await namesIn(['tags', 'description'])).toEqual(['billing.refund_invoice']);
    expect(await post('search', { query: 'refund', fields: ['name'] }, ACME, run)).toMatchObject({
      status: 400,
      body: { code: 'INVALID_ARGUMENTS' },
    });
    expect((await search({ query: 'refund', explain: true })).verdict).toBe('found');
  });

  it('shortens a file of 1 MB, and reads on in it by its handle, for its user only', async () => {
    writeFileSync(join(server.data, 'files', 'acme', 'report.json'), REPORT);
    const run = { 'x-run-id': 'large' };
    const call = async (name: string, input: object, token = ACME) =>
      (await post('call', { name, arguments: input }, token, run)).body;
    const report = await call('files.read_text_file', { path: 'report.json' });
    expect(report).toMatchObject({
      ok: true,
      handle: expect.stringMatching(/^r_/),
      note: expect.stringContaining('tool_result'),
    });
    expect(countTokens(report.content[0].text + report.note)).toBeLessThanOrEqual(2000);
    const { handle } = report;
    const item = await call('tool_result', { handle, pointer: `/items/${WANTED}` });
    expect(item.content[0].text).toContain(OWNER);
    const { body } = await server.request('/toolbox', { headers: run });
    expect(body.tools.map(({ name }: { name: string }) => name)).toContain('tool_result');
    const foreign = await call('tool_result', { handle }, GLOBEX);
    expect(foreign).toMatchObject({ ok: false, code: 'RESULT_NOT_AVAILABLE' });
    expect(await call('tool_result', { handle: `r_${'A'.repeat(22)}` }, GLOBEX)).toEqual(foreign);
  });

  it('documents itself', async () => {
    const { body } = await server.request('/docs-json');
    expect(Object.keys(body.paths)).toEqual(
      expect.arrayContaining([
        '/toolbox',
        '/toolbox/search',
        '/toolbox/get',
        '/toolbox/activate',
        '/toolbox/call',
        '/toolbox/pause',
        '/toolbox/resume',
        '/chat/{session}',
        '/health',
      ]),
    );
  });

  it('documents why a tool waits, until when one may be used, and what proves an activation', async () => {
    const { schemas } = (await server.request('/docs-json')).body.components;
    const members = (name: string) => Object.keys(schemas[name].properties);
    expect(members('ActivateAnswer')).toEqual(expect.arrayContaining(['waiting', 'receipt']));
    expect(members('FoundToolAnswer')).toContain('deprecated');
    expect(members('ToolDeprecationAnswer')).toEqual(['since', 'successor', 'sunset']);
    for (const name of ['SearchAnswer', 'CallSuccess', 'CallRefusal']) expect(members(name)).toContain('receipt');
  });

  it('documents the routes for operators with the same schemas as any other application', async () => {
    const { schemas } = (await server.request('/docs-json')).body.components;
    const { components } = JSON.parse(JSON.stringify(await operatorDocument()));
    expect(schemas).toMatchObject(components.schemas);
  });
});
