import { type CanActivate, type ExecutionContext, type INestApplication, Injectable, Logger } from '@nestjs/common';
import { Test } from '@nestjs/testing';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import {
  CodeSource,
  defineTool,
  ToolApprovals,
  type ToolContext,
  type ToolDefinition,
  ToolSearchModule,
  type ToolVisibilityPolicy,
  VisibilityPolicy,
} from '@tool-search/core';
import { ToolGatewayModule } from '../tool-gateway.module.js';

interface Incoming {
  readonly headers: Record<string, string>;
  user?: ToolContext;
}

/** Bearer tokens are user ids. */
@Injectable()
class TokenGuard implements CanActivate {
  canActivate(execution: ExecutionContext): boolean {
    const request = execution.switchToHttp().getRequest<Incoming>();
    const userId = request.headers['authorization']!.slice('Bearer '.length);
    request.user = { tenantId: 'acme', userId, roles: refusing.has(userId) ? ['reader'] : [] };
    return true;
  }
}

/** Users who may no longer remove files. */
const refusing = new Set<string>();

@Injectable()
@VisibilityPolicy()
class Removers implements ToolVisibilityPolicy {
  filter(all: readonly ToolDefinition[], { roles = [] }: ToolContext) {
    return roles.includes('reader') ? all.filter(({ name }) => name !== 'files.remove') : all;
  }
}

let app: INestApplication;
let url: URL;
const ran: unknown[] = [];

const remove = { name: 'remove', description: 'Removes a file.', tags: ['confirm'] };
const input = { type: 'object', properties: { file: { type: 'string' } } } as const;
const open = { type: 'object', properties: { file: { type: 'string' }, times: { type: 'integer' } } } as const;

const OFTEN = {
  id: 'often',
  tools: ['files.copy'],
  when: { required: ['times'], properties: { times: { minimum: 3 } } },
  then: 'approve',
  reason: 'copies take room',
  message: 'Three copies or more are looked at.',
} as const;

beforeAll(async () => {
  const module = await Test.createTestingModule({
    imports: [
      ToolSearchModule.forRoot({
        context: (request: Incoming) => request.user,
        sources: [
          new CodeSource({
            name: 'files',
            tools: [
              defineTool({ ...remove, input, run: (given) => void ran.push(given) }),
              defineTool({ name: 'publish', description: 'Publishes.', run: () => void ran.push('published') }),
              defineTool({ ...remove, name: 'shred', input: open, run: (given) => void ran.push(given) }),
              defineTool({ name: 'copy', description: 'Copies.', input: open, run: (given) => void ran.push(given) }),
            ],
          }),
        ],
        policy: { approval: ['files.publish', 'files.shred'], arguments: [OFTEN] },
      }),
      ToolGatewayModule.forRoot({
        path: 'mcp',
        guards: [TokenGuard],
        approvalUrl: ({ tool, context }) => {
          if (context.userId === 'nobody') throw new Error('no such page');
          return `https://app.example/approvals/${tool.name}?for=${context.userId}`;
        },
      }),
    ],
    providers: [TokenGuard, Removers],
  }).compile();
  app = module.createNestApplication();
  await app.listen(0, '127.0.0.1');
  url = new URL(`${await app.getUrl()}/mcp`);
});
afterAll(() => app.close());
beforeEach(() => void ran.splice(0));

type Era = 'modern' | 'legacy';
type Answer = { action: 'accept' | 'decline' | 'cancel'; content?: Record<string, boolean> };

/** A client that answers every question in the same way; without an answer it cannot be asked. */
async function clientOf(era: Era, user: string, answer?: Answer) {
  const asked: unknown[] = [];
  const client = new Client(
    { name: 'test', version: '1.0.0' },
    {
      capabilities: answer ? { elicitation: { form: {}, url: {} } } : {},
      versionNegotiation: { mode: era === 'legacy' ? 'legacy' : { pin: '2026-07-28' } },
    },
  );
  if (answer) {
    client.setRequestHandler('elicitation/create', async ({ params }) => {
      asked.push(params);
      return answer;
    });
  }
  const requestInit = { headers: { authorization: `Bearer ${user}` } };
  await client.connect(new StreamableHTTPClientTransport(url, { requestInit }));
  return { client, asked };
}

const bridged = { name: 'tool_call', arguments: { name: 'files.remove', arguments: { file: 'a.txt' } } };
const direct = { name: 'files__remove', arguments: { file: 'a.txt' } };

describe.each(['modern', 'legacy'] as const)('a tool that must be confirmed, for a %s client', (era) => {
  it.each([
    ['directly', direct],
    ['through the bridge', bridged],
  ])('runs when it is called %s and the caller confirms', async (_how, call) => {
    const { client, asked } = await clientOf(era, 'ann', { action: 'accept', content: { confirm: true } });
    expect((await client.callTool(call)).isError).toBeFalsy();
    expect(ran).toEqual([{ file: 'a.txt' }]);
    expect(asked).toEqual([
      expect.objectContaining({ message: 'Run files.remove with these arguments?\nfile: "a.txt"' }),
    ]);
    await client.close();
  });

  it.each([
    ['declines', { action: 'decline' }],
    ['cancels', { action: 'cancel' }],
    ['accepts without a confirmation', { action: 'accept', content: { confirm: false } }],
  ] as const)('does not run when the caller %s, and the answer is final', async (_what, answer) => {
    const { client, asked } = await clientOf(era, 'ann', answer);
    const refused = await client.callTool(direct);
    expect(refused).toMatchObject({ isError: true, _meta: { 'tool-search/code': 'CONFIRMATION_REFUSED' } });
    expect(asked).toHaveLength(1);
    expect(ran).toEqual([]);
    await client.close();
  });

  it('shows no character that changes the order of others', async () => {
    const { client, asked } = await clientOf(era, 'ann', { action: 'decline' });
    await client.callTool({ ...direct, arguments: { file: 'a\u202etxt.b' } });
    expect(asked).toEqual([
      expect.objectContaining({ message: 'Run files.remove with these arguments?\nfile: "a\\u{202e}txt.b"' }),
    ]);
    await client.close();
  });

  it('shows every member, however long another is, and is refused where it cannot', async () => {
    const { client, asked } = await clientOf(era, 'ann', { action: 'decline' });
    await client.callTool({ ...direct, arguments: { note: 'n'.repeat(5_000), file: '/etc/passwd' } });
    expect(asked).toEqual([
      expect.objectContaining({
        message: expect.stringMatching(/\nnote: "n+… \d+ characters more\nfile: "\/etc\/passwd"$/),
      }),
    ]);
    const many = Object.fromEntries(Array.from({ length: 800 }, (_, n) => [`member_${n}`, n]));
    const refused = await client.callTool({ ...direct, arguments: { ...many, file: 'a.txt' } });
    expect(refused).toMatchObject({ isError: true, _meta: { 'tool-search/code': 'INVALID_ARGUMENTS' } });
    expect([asked.length, ran]).toEqual([1, []]);
    await client.close();
  });

  it('is refused where the client cannot ask', async () => {
    const { client } = await clientOf(era, 'ann');
    const refused = await client.callTool(direct);
    expect(refused).toMatchObject({ isError: true, _meta: { 'tool-search/code': 'CONFIRMATION_REQUIRED' } });
    expect(ran).toEqual([]);
    await client.close();
  });

  it('shows where an approval is decided, and runs once a second person has approved', async () => {
    const user = `publisher-${era}`;
    const { client, asked } = await clientOf(era, user, { action: 'accept' });
    const call = { name: 'tool_call', arguments: { name: 'files.publish' } };
    const waiting = await client.callTool(call);
    expect(waiting).toMatchObject({ isError: true, _meta: { 'tool-search/code': 'APPROVAL_PENDING' } });
    const shown = expect.objectContaining({ url: `https://app.example/approvals/files.publish?for=${user}` });
    expect(asked).toEqual([shown]);
    const approvals = app.get(ToolApprovals);
    const [open] = (await approvals.list({ limit: 100 })).filter(({ userId }) => userId === user);
    await expect(approvals.approve(open!.id, { actor: user, reason: 'I want it' })).rejects.toMatchObject({
      code: 'FORBIDDEN',
    });
    await approvals.approve(open!.id, { actor: 'olga', reason: 'fine' });
    expect((await client.callTool(call)).isError).toBeFalsy();
    expect(ran).toEqual(['published']);
    await client.close();
  });
});

describe.each(['modern', 'legacy'] as const)('a call that needs both, for a %s client', (era) => {
  const shred = (args: object) => ({ name: 'files__shred', arguments: { ...args } });

  it('is confirmed, shown where it is approved, and runs once, for exactly its arguments', async () => {
    const user = `shredder-${era}`;
    const { client, asked } = await clientOf(era, user, { action: 'accept', content: { confirm: true } });
    const waiting = await client.callTool(shred({ file: 'a.txt', times: 3 }));
    expect(waiting).toMatchObject({ isError: true, _meta: { 'tool-search/code': 'APPROVAL_PENDING' } });
    // The repeat after the page is not confirmed once more.
    expect(asked).toEqual([
      expect.objectContaining({ message: 'Run files.shred with these arguments?\nfile: "a.txt"\ntimes: 3' }),
      expect.objectContaining({ url: `https://app.example/approvals/files.shred?for=${user}` }),
    ]);
    const approvals = app.get(ToolApprovals);
    const [request] = (await approvals.list({ limit: 100 })).filter(({ userId }) => userId === user);
    expect(await approvals.argumentsOf(request!)).toBe('file: "a.txt"\ntimes: 3');
    await approvals.approve(request!.id, { actor: 'olga', reason: 'fine', note: 'Empty the bin, too.' });
    const other = await client.callTool(shred({ file: 'b.txt', times: 3 }));
    expect(other).toMatchObject({ _meta: { 'tool-search/code': 'APPROVAL_PENDING' } });
    const done = await client.callTool(shred({ times: 3, file: 'a.txt' }));
    expect(done.isError).toBeFalsy();
    expect(JSON.stringify(done.content)).toContain('Empty the bin, too.');
    expect(ran).toEqual([{ times: 3, file: 'a.txt' }]);
    const again = await client.callTool(shred({ file: 'a.txt', times: 3 }));
    expect(again).toMatchObject({ _meta: { 'tool-search/code': 'APPROVAL_PENDING' } });
    await client.close();
  });
});

describe.each(['modern', 'legacy'] as const)('a rule on arguments that asks, for a %s client', (era) => {
  it('shows where an approval is decided, and lets exactly this call run once', async () => {
    const user = `copier-${era}`;
    const { client, asked } = await clientOf(era, user, { action: 'accept' });
    const copy = async (times: number) => client.callTool({ name: 'files__copy', arguments: { file: 'a.txt', times } });
    expect((await copy(2)).isError).toBeFalsy();
    expect(asked).toEqual([]);
    expect(await copy(3)).toMatchObject({ isError: true, _meta: { 'tool-search/code': 'APPROVAL_PENDING' } });
    const url = `https://app.example/approvals/files.copy?for=${user}`;
    expect(asked).toEqual([expect.objectContaining({ url, message: expect.stringContaining(OFTEN.message) })]);
    const approvals = app.get(ToolApprovals);
    const [request] = (await approvals.list({ limit: 100 })).filter(({ userId }) => userId === user);
    expect(request).toMatchObject({ covers: 'call', rule: 'arguments:often' });
    await approvals.approve(request!.id, { actor: 'olga', reason: 'fine' });
    expect(await copy(4)).toMatchObject({ _meta: { 'tool-search/code': 'APPROVAL_PENDING' } });
    expect((await copy(3)).isError).toBeFalsy();
    expect(await copy(3)).toMatchObject({ _meta: { 'tool-search/code': 'APPROVAL_PENDING' } });
    expect(ran).toEqual([
      { file: 'a.txt', times: 2 },
      { file: 'a.txt', times: 3 },
    ]);
    await client.close();
  });
});

it('logs an error of the application, and does not return it', async () => {
  const logged = jest.spyOn(Logger.prototype, 'error').mockImplementation();
  const { client } = await clientOf('modern', 'nobody', { action: 'accept' });
  const failed: unknown = await client.callTool({ name: 'files__publish' }).catch((error: unknown) => error);
  expect(failed).toMatchObject({ code: -32603, message: expect.not.stringContaining('no such page') });
  expect(logged).toHaveBeenCalledWith(expect.stringContaining('no such page'));
  logged.mockRestore();
  await client.close();
});

it('asks a legacy caller with the rights of the answer, not of the question', async () => {
  const { client } = await clientOf('legacy', 'guest', { action: 'accept', content: { confirm: true } });
  client.setRequestHandler('elicitation/create', async () => {
    refusing.add('guest');
    return { action: 'accept', content: { confirm: true } };
  });
  await expect(client.callTool(direct)).rejects.toMatchObject({ code: -32602 });
  expect(ran).toEqual([]);
  await client.close();
});

describe('the state that a client carries', () => {
  const META = {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientInfo': { name: 'raw', version: '1' },
    'io.modelcontextprotocol/clientCapabilities': { elicitation: { form: {} } },
  };
  const CONFIRMED = { confirm: { action: 'accept', content: { confirm: true } } };

  async function call(user: string, more: object = {}, args: object = direct.arguments) {
    const response = await fetch(url, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${user}`,
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        'mcp-protocol-version': '2026-07-28',
        'mcp-method': 'tools/call',
        'mcp-name': direct.name,
      },
      body: JSON.stringify({
        jsonrpc: '2.0',
        id: 1,
        method: 'tools/call',
        params: { name: direct.name, arguments: args, _meta: META, ...more },
      }),
    });
    return (await response.json()) as { result?: Record<string, unknown>; error?: { code: number; message: string } };
  }
  const stateFor = async (user: string) => (await call(user)).result!['requestState'] as string;
  const refusal = expect.objectContaining({ code: -32602, message: 'Invalid or expired requestState' });

  it('holds no arguments, and counts once', async () => {
    const first = await call('ann');
    expect(first.result).toMatchObject({ resultType: 'input_required' });
    const requestState = first.result!['requestState'] as string;
    expect(Buffer.from(requestState, 'base64url').toString('latin1')).not.toContain('a.txt');
    expect((await call('ann', { requestState, inputResponses: CONFIRMED })).result).not.toHaveProperty('isError');
    expect((await call('ann', { requestState, inputResponses: CONFIRMED })).error).toEqual(refusal);
    expect(ran).toHaveLength(1);
  });

  it('counts once also where it is presented many times at once', async () => {
    const requestState = await stateFor('ann');
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => call('ann', { requestState, inputResponses: CONFIRMED })),
    );
    expect(answers.filter(({ error }) => error === undefined)).toHaveLength(1);
    expect(ran).toHaveLength(1);
  });

  it.each([
    [
      'tampered',
      async (state: string) => call('ann', { requestState: `${state.slice(0, -2)}xx`, inputResponses: CONFIRMED }),
    ],
    ['another caller’s', async (state: string) => call('bob', { requestState: state, inputResponses: CONFIRMED })],
    [
      'of other arguments, beside the same ones',
      async (state: string) =>
        call('ann', { requestState: state, inputResponses: CONFIRMED }, { ...direct.arguments, more: 1 }),
    ],
    [
      'of other arguments',
      async (state: string) => call('ann', { requestState: state, inputResponses: CONFIRMED }, { file: 'b.txt' }),
    ],
    ['made up', async () => call('ann', { requestState: 'eyJ4Ijox', inputResponses: CONFIRMED })],
  ])('is refused when it is %s', async (_what, present) => {
    expect((await present(await stateFor('ann'))).error).toEqual(refusal);
    expect(ran).toEqual([]);
  });

  it('belongs to the same arguments in another order, and to their JSON', async () => {
    const given = { file: 'a.txt', b: { c: 1, d: [0, 2] } };
    const first = await call('ann', {}, given);
    const requestState = first.result!['requestState'] as string;
    const turned = { b: { d: [-0, 2], c: 1 }, file: 'a.txt' };
    const done = await call('ann', { requestState, inputResponses: CONFIRMED }, turned);
    expect(done.result).not.toHaveProperty('isError');
    expect(ran).toEqual([given]);
  });

  it('is refused when it has expired', async () => {
    const requestState = await stateFor('ann');
    const clock = jest.spyOn(Date, 'now').mockReturnValue(Date.now() + 602_000);
    try {
      expect((await call('ann', { requestState, inputResponses: CONFIRMED })).error).toEqual(refusal);
    } finally {
      clock.mockRestore();
    }
    expect(ran).toEqual([]);
  });

  it('is not needed to be asked: an answer without a question asks first', async () => {
    expect((await call('ann', { inputResponses: CONFIRMED })).result).toMatchObject({ resultType: 'input_required' });
    expect(ran).toEqual([]);
  });
});
