import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Test } from '@nestjs/testing';
import { ToolApprovals, ToolEvents, ToolSearchModule, ToolSearchService } from '@tool-search/core';
import { AuthZenPolicy, BillingTools, DECISION_POINT } from '../readme/authzen.js';

type Answer = (response: ServerResponse) => unknown;
const json =
  (body: unknown, status = 200): Answer =>
  (response) =>
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));

/** A decision point that answers as the test says, and keeps what it was asked. */
class LocalPoint {
  readonly asked: { readonly head: IncomingMessage; readonly body: unknown }[] = [];
  answer: Answer = json({ decision: true });
  readonly #server: Server = createServer((head, response) => {
    let text = '';
    head.setEncoding('utf8').on('data', (part: string) => (text += part));
    head.on('end', () => {
      this.asked.push({ head, body: JSON.parse(text) });
      this.answer(response);
    });
  });

  async listen(): Promise<string> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }
}

describe('a decision point with the Authorization API of AuthZEN', () => {
  const point = new LocalPoint();
  const closing: (() => Promise<unknown>)[] = [];
  let url = '';
  beforeAll(async () => {
    url = await point.listen();
  });
  afterEach(async () => {
    point.asked.length = 0;
    point.answer = json({ decision: true });
    await Promise.all(closing.splice(0).map((close) => close()));
  });
  afterAll(() => point.close());

  const open = async (deadlineMs = 60_000, at = url) => {
    const module = await Test.createTestingModule({
      imports: [
        ToolSearchModule.forRoot({
          context: () => ({ tenantId: 'acme' }),
          exposure: 'all',
          callPolicies: { deadlineMs },
        }),
      ],
      providers: [BillingTools, AuthZenPolicy, { provide: DECISION_POINT, useValue: { url: at, token: 't0k3n' } }],
    })
      .setLogger(false as never)
      .compile();
    await module.init();
    closing.push(() => module.close());
    const denied: { readonly layer: string; readonly rule: string; readonly reason: string }[] = [];
    module.get(ToolEvents).on('tool.denied', (event) => void denied.push(event));
    const context = { tenantId: 'acme', userId: 'ada', sessionId: 's1', agentId: 'bot', roles: ['finance'] };
    const toolbox = module.get(ToolSearchService).open(context);
    const refund = (cents = 500) => toolbox.call('billing.refund', { invoice: 'i7', cents });
    return { module, denied, refund };
  };

  it('is asked in the format of AuthZEN, and a call that it allows runs', async () => {
    const { refund } = await open();
    expect(await refund()).toMatchObject({ content: [{ text: 'refunded 500 of i7' }] });
    const [{ head, body } = {}] = point.asked;
    expect([head!.method, head!.url]).toEqual(['POST', '/access/v1/evaluation']);
    expect(head!.headers).toMatchObject({
      'content-type': 'application/json',
      authorization: 'Bearer t0k3n',
      'x-request-id': expect.stringMatching(/^[\w-]{36}$/),
    });
    expect(body).toEqual({
      subject: { type: 'user', id: 'ada', properties: { tenant: 'acme', roles: ['finance'] } },
      action: { name: 'call' },
      resource: {
        type: 'tool',
        id: 'billing.refund',
        properties: { source: expect.any(String), tags: ['money'], side_effects: expect.any(String) },
      },
      context: { arguments: { invoice: 'i7', cents: 500 }, agent: 'bot' },
    });
  });

  it('denies with a reason for operators and one for the caller', async () => {
    const { refund, denied } = await open();
    const context = { id: '0', reason_admin: { en: 'policy C076E82F' }, reason_user: { en: 'Ask the finance team.' } };
    point.answer = json({ decision: false, context });
    expect(await refund()).toMatchObject({ code: 'ARGUMENTS_NOT_ALLOWED', message: 'Ask the finance team.' });
    point.answer = json({ decision: false });
    expect(await refund()).toMatchObject({ code: 'ARGUMENTS_NOT_ALLOWED', message: 'This call is not allowed here.' });
    expect(denied.map(({ reason }) => reason)).toEqual(['policy C076E82F', 'the decision point denies it']);
  });

  it('asks for an approval, and the approved call runs while it still does', async () => {
    const { module, refund } = await open();
    point.answer = json({ decision: false, context: { approval: true } });
    expect(await refund()).toMatchObject({ code: 'APPROVAL_REQUIRED' });
    const approvals = module.get(ToolApprovals);
    const [asked] = await approvals.list({ limit: 9 });
    await approvals.approve(asked!.id, { actor: 'olga', reason: 'seen' });
    point.answer = json({ decision: false });
    expect(await refund()).toMatchObject({ code: 'ARGUMENTS_NOT_ALLOWED' });
    point.answer = json({ decision: false, context: { approval: true } });
    expect(await refund()).toMatchObject({ ok: true });
  });

  it.each<[string, Answer]>([
    ['an error of its own', json({ decision: true }, 500)],
    ['that it does not know the application', json({ decision: true }, 401)],
    ['another success than 200', json({ decision: true }, 201)],
    ['a redirect', (response) => response.writeHead(307, { location: '/other' }).end()],
    ['text that is no JSON', (response) => response.writeHead(200).end('{"decision":tru')],
    ['nothing', (response) => response.writeHead(200).end()],
    ['a list', json([{ decision: true }])],
    ['a decision as text', json({ decision: 'true' })],
    ['no decision', json({ allowed: true })],
    ['more than 64 KiB', json({ decision: true, padding: 'x'.repeat(70_000) })],
    [
      'half of an answer',
      (response) => response.writeHead(200, { 'content-length': 99 }).write('{"decision":') && response.destroy(),
    ],
    ['with a closed connection', (response) => response.destroy()],
  ])('refuses the call if it answers %s', async (_, answer) => {
    const { refund, denied } = await open();
    point.answer = answer;
    expect(await refund()).toMatchObject({ ok: false, code: 'INTERNAL' });
    expect(denied).toMatchObject([{ layer: 'call_policy', rule: 'fault' }]);
    expect(point.asked).toHaveLength(1);
  });

  it('refuses the call if it does not answer in time, and ends the request', async () => {
    const { refund, denied } = await open(1000);
    // The connection is there then.
    expect(await refund()).toMatchObject({ ok: true });
    const ended = new Promise((resolve) => {
      point.answer = (response) => response.on('close', () => resolve('closed'));
    });
    expect(await refund()).toMatchObject({ code: 'INTERNAL' });
    expect(denied).toMatchObject([{ reason: 'call policy AuthZenPolicy took longer than 1000 ms' }]);
    expect(await ended).toBe('closed');
  });

  it('refuses the call if it cannot be reached', async () => {
    const gone = new LocalPoint();
    const at = await gone.listen();
    await gone.close();
    const { refund } = await open(60_000, at);
    expect(await refund()).toMatchObject({ code: 'INTERNAL' });
  });
});
