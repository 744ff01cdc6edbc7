import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { StoredPolicies } from '@tool-search/core';
import { build, type BuiltServer, startBuiltServer } from '../support/built-server.js';
import { ACME, GLOBEX, OPERATOR, type ReferenceServer, startReferenceServer } from '../support/reference-server.js';

interface ChatStep {
  readonly type: string;
  readonly tool?: string;
  readonly hits?: string[];
  readonly tokensShown: number;
}

describe('the agent', () => {
  let server: ReferenceServer;
  const chat = async (session: string, text: string, token = ACME) => {
    const { status, body } = await server.request(`/chat/${session}`, { body: { text }, token });
    expect(status).toBe(200);
    return body as { answer: string; steps: ChatStep[] };
  };
  const toolsOf = (steps: ChatStep[], type: string) =>
    steps.filter((step) => step.type === type).map(({ tool }) => tool);

  beforeAll(async () => {
    server = await startReferenceServer();
  });
  afterAll(() => server?.close());

  it('reads a file it had to find a tool for', async () => {
    const { answer, steps } = await chat('c1', 'What does the file notes/welcome.txt say?');
    expect(answer).toContain('Welcome');
    expect(steps[0]).toMatchObject({ type: 'list' });
    expect(toolsOf(steps, 'activate')).toEqual(toolsOf(steps, 'call'));
    expect(toolsOf(steps, 'call')[0]).toMatch(/^files\.read/);
    // Found in one step, callable in the next: the first step does not show its definition.
    expect(steps.at(-1)!.tokensShown).toBeGreaterThan(steps[0]!.tokensShown);
  });

  it('writes to the knowledge graph', async () => {
    await chat('c2', 'Remember that Ada Lovelace works at Analytical Engines.');
    const { body } = await server.request('/toolbox/call', { body: { name: 'memory.read_graph', arguments: {} } });
    expect(JSON.stringify(body.structured ?? body.content)).toContain('Ada Lovelace');
  });

  it('refunds for the tenant that may, and has no such tool for the one that may not', async () => {
    const request = 'Refund 25 euros of invoice inv_1001 because it was charged twice.';
    const mine = await chat('c3', request);
    expect(toolsOf(mine.steps, 'call')).toContain('billing.refund_invoice');
    const theirs = await chat('c3', request, GLOBEX);
    expect(theirs.steps.flatMap(({ hits = [] }) => hits)).not.toContain('billing.refund_invoice');
    expect(toolsOf(theirs.steps, 'call')).not.toContain('billing.refund_invoice');
    const { body } = await server.request('/toolbox/call', {
      body: { name: 'billing.get_invoice', arguments: { invoiceId: 'inv_1001' } },
    });
    expect(body.structured).toMatchObject({ refunded: 25 });
  });

  it('keeps what a session has activated', async () => {
    await chat('c4', 'What does the file notes/welcome.txt say?');
    const again = await chat('c4', 'What does the file notes/standup.md say?');
    expect(again.answer).toContain('Grace');
    expect(toolsOf(again.steps, 'activate')).toEqual([]);
  });

  it('leaves out what a policy of the agent takes away, which others keep', async () => {
    const operator = { actor: 'olga', reason: 'the agent reads too much' };
    const policies = server.app.get(StoredPolicies);
    await policies.set({ agentId: 'chat' }, { deny: ['files.*'] }, operator);
    const { steps } = await chat('c6', 'What does the file notes/welcome.txt say?');
    expect(steps.flatMap(({ hits = [] }) => hits).filter((name) => name.startsWith('files.'))).toEqual([]);
    expect(toolsOf(steps, 'call').filter((name) => name?.startsWith('files.'))).toEqual([]);
    const reading = { name: 'files.read_text_file', arguments: { path: 'notes/welcome.txt' } };
    expect((await server.request('/toolbox/call', { body: reading })).body).toMatchObject({ ok: true });
    await policies.remove({ agentId: 'chat' }, operator);
  });

  it('never sends a model the whole catalog', async () => {
    const { steps } = await chat('c5', 'Add the numbers 17 and 25.');
    const { body } = await server.request('/health/details', { token: OPERATOR });
    expect(body.info.catalog.tools).toBeGreaterThan(1250);
    for (const { tokensShown } of steps) expect(tokensShown).toBeLessThan(10_000);
  });
});

describe('the agent with a real provider', () => {
  let fake: Server;
  let server: BuiltServer;
  const data = mkdtempSync(join(tmpdir(), 'tool-search-chat-'));
  const seen: any[] = [];

  beforeAll(async () => {
    // Validates the wire format as the provider would, and responds from a script.
    fake = createServer((request, response) => {
      let text = '';
      request.on('data', (chunk) => (text += chunk));
      request.on('end', () => {
        const body = JSON.parse(text);
        seen.push({ url: request.url, authorization: request.headers.authorization, body });
        const names: string[] = body.tools.map((tool: any) => tool.function.name);
        for (const tool of body.tools) {
          if (!/^[a-zA-Z0-9_-]{1,64}$/.test(tool.function.name) || tool.function.parameters.type !== 'object') {
            response.writeHead(400).end('{}');
            return;
          }
        }
        const call = (name: string, args: unknown) => ({
          role: 'assistant',
          content: null,
          tool_calls: [
            { id: `call_${seen.length}`, type: 'function', function: { name, arguments: JSON.stringify(args) } },
          ],
        });
        const message =
          seen.length === 1
            ? call('tool_search', { query: 'read a text file' })
            : seen.length === 2
              ? call(
                  names.find((name) => name.startsWith('files__read_text'))!,
                  { path: 'notes/welcome.txt' },
                )
              : { role: 'assistant', content: 'It says: Welcome.' };
        response.setHeader('content-type', 'application/json');
        response.end(
          JSON.stringify({
            id: `r${seen.length}`,
            object: 'chat.completion',
            created: 1,
            model: 'a-model',
            choices: [{ index: 0, message, finish_reason: seen.length < 3 ? 'tool_calls' : 'stop' }],
            usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 },
          }),
        );
      });
    });
    await new Promise<void>((resolve) => fake.listen(0, '127.0.0.1', resolve));
    const { port } = fake.address() as AddressInfo;
    build();
    server = await startBuiltServer({
      DATA_DIR: data,
      DEMO_TOKENS: `${ACME}:acme:ada:business`,
      NODE_ENV: 'test',
      TOOL_SEARCH_EXPOSURE: 'deferred',
      OPENAI_BASE_URL: `http://127.0.0.1:${port}/v1`,
      OPENAI_API_KEY: 'a-key',
      MODEL: 'a-model',
    });
  });
  afterAll(async () => {
    await server?.kill();
    rmSync(data, { recursive: true, force: true });
    fake?.closeAllConnections();
    await new Promise((resolve) => fake?.close(resolve));
  });

  it('speaks the chat completions API and offers found tools from the next step on', async () => {
    const { body } = await server.request('/chat/real', { body: { text: 'What is in notes/welcome.txt?' } });
    expect(body.answer).toBe('It says: Welcome.');
    expect(seen).toHaveLength(3);
    expect(seen[0]).toMatchObject({
      url: '/v1/chat/completions',
      authorization: 'Bearer a-key',
      body: { model: 'a-model' },
    });
    const names = seen.map(({ body: sent }) => sent.tools.map((tool: any) => tool.function.name) as string[]);
    expect(names[0]).not.toContain('files__read_text_file');
    expect(names[1]).toContain('files__read_text_file');
    // Earlier tools keep their positions, so that the provider's prompt cache keeps its prefix.
    expect(names[1]!.slice(0, names[0]!.length)).toEqual(names[0]);
    const result = seen[2].body.messages.at(-1);
    expect(result).toMatchObject({ role: 'tool' });
    expect(JSON.stringify(result.content)).toContain('Welcome');
  });
});
