import { Body, Controller, Logger, Module, Post } from '@nestjs/common';
import { Test } from '@nestjs/testing';
import request from 'supertest';
import { ToolApprovals } from '../access/approvals/tool-approvals.js';
import { FakeSource } from '../testing/fakes/fake-source.js';
import { RequiresTool } from './decorators/requires-tool.decorator.js';
import { ToolSearchModule } from './module/tool-search.module.js';

const LARGE = {
  id: 'large',
  tools: ['billing.refund'],
  when: { required: ['amount'], properties: { amount: { exclusiveMinimum: 1000 } } },
  then: 'deny',
  reason: 'too much',
  message: 'Not over 1000.',
} as const;

const TYPO = { ...LARGE, id: 'typo', when: { required: ['amuont'] } } as const;

@Controller('refunds')
class RefundsController {
  @Post('named')
  @RequiresTool('billing.refund', { arguments: ({ body }: { readonly body: object }) => body })
  named(@Body() body: object) {
    return body;
  }

  @Post('any')
  @RequiresTool('billing.*', { arguments: ({ body }: { readonly body: object }) => body })
  any(@Body() body: object) {
    return body;
  }

  @Post('silent')
  @RequiresTool('billing.refund')
  silent() {
    return 'done';
  }

  @Post('other')
  @RequiresTool('crm.find')
  other() {
    return 'found';
  }
}

it('@RequiresTool() asks the rules on arguments about the request, and boot names what is wrong', async () => {
  const warn = jest.spyOn(Logger.prototype, 'warn').mockImplementation(() => undefined);
  @Module({
    imports: [
      ToolSearchModule.forRoot({
        context: () => ({ tenantId: 'acme' }),
        policy: { arguments: [LARGE, TYPO] },
        limits: { rules: [{ id: 'many', rate: { calls: 100, windowMs: 60_000 } }] },
        sources: [
          new FakeSource('billing', [
            'find',
            { name: 'refund', inputSchema: { type: 'object', properties: { amount: { type: 'number' } } } },
          ]),
          new FakeSource('crm', ['find']),
        ],
      }),
    ],
    controllers: [RefundsController],
  })
  class AppModule {}
  const app = (await Test.createTestingModule({ imports: [AppModule] }).compile()).createNestApplication();
  await app.init();
  const warnings = warn.mock.calls.map(([words]) => String(words)).filter((words) => /RequiresTool|typo/.test(words));
  warn.mockRestore();
  expect(warnings).toEqual([
    'policy: arguments.typo: no tool that it names has the argument amuont; check it for a typo',
    expect.stringContaining('@RequiresTool("billing.refund"): a rule on arguments names'),
  ]);
  const post = async (path: string, body: object) => {
    const { status, body: answer } = await request(app.getHttpServer()).post(`/refunds/${path}`).send(body);
    return [status, answer.detail ?? answer.amount];
  };
  for (const path of ['named', 'any']) {
    expect(await post(path, { amount: 1000 })).toEqual([201, 1000]);
    expect(await post(path, { amount: 1001 })).toEqual([403, 'Not over 1000.']);
  }
  // What the application cannot read before its interceptors, and what would become a number later.
  const send = (type: string, text: string) =>
    request(app.getHttpServer()).post('/refunds/named').set('content-type', type).send(text);
  expect((await send('multipart/form-data; boundary=x', '--x\r\n\r\n--x--')).status).toBe(403);
  expect((await send('application/x-www-form-urlencoded', 'amount=5000')).body).toMatchObject({
    code: 'INVALID_ARGUMENTS',
  });
  expect(await post('silent', { amount: 1 })).toEqual([403, 'Not over 1000.']);
  expect((await post('other', {}))[0]).toBe(201);
  await app.close();
});

it('@RequiresTool() waits for the approval that a rule on arguments asks for, and uses it up', async () => {
  const { message: _, ...rule } = LARGE;
  @Module({
    imports: [
      ToolSearchModule.forRoot({
        context: () => ({ tenantId: 'acme', userId: 'ada', sessionId: 's1' }),
        policy: { arguments: [{ ...rule, then: 'approve' }] },
        sources: [
          new FakeSource('billing', [
            { name: 'refund', inputSchema: { type: 'object', properties: { amount: { type: 'number' } } } },
          ]),
        ],
      }),
    ],
    controllers: [RefundsController],
  })
  class AppModule {}
  const warn = jest.spyOn(Logger.prototype, 'warn').mockImplementation(() => undefined);
  const app = (await Test.createTestingModule({ imports: [AppModule] }).compile()).createNestApplication();
  await app.init();
  warn.mockRestore();
  const approvals = app.get(ToolApprovals);
  const post = async (path: string, amount: number) => {
    const { status, body } = await request(app.getHttpServer()).post(`/refunds/${path}`).send({ amount });
    return [status, body.code ?? body.amount];
  };
  for (const path of ['named', 'any']) {
    expect(await post(path, 1000)).toEqual([201, 1000]);
    expect(await post(path, 1001)).toEqual([403, 'APPROVAL_REQUIRED']);
    expect(await post(path, 1001)).toEqual([409, 'APPROVAL_PENDING']);
    const [open, ...others] = (await approvals.list({ limit: 9 })).filter(({ status }) => status === 'pending');
    expect([open!.covers, open!.rule, others]).toEqual(['call', 'arguments:large', []]);
    await approvals.approve(open!.id, { actor: 'olga', reason: 'fine' });
    expect(await post(path, 1002)).toEqual([403, 'APPROVAL_REQUIRED']);
    expect(await post(path, 1001)).toEqual([201, 1001]);
    const [later] = (await approvals.list({ limit: 9 })).filter(({ status }) => status === 'pending');
    await approvals.refuse(later!.id, { actor: 'olga', reason: 'not now' });
    expect(await post(path, 1002)).toEqual([403, 'APPROVAL_REFUSED']);
    await approvals.approve(later!.id, { actor: 'olga', reason: 'now', expectedRevision: await revisionOf(later!.id) });
    expect(await post(path, 1002)).toEqual([201, 1002]);
  }
  expect(await post('silent', 1)).toEqual([403, 'ARGUMENTS_NOT_ALLOWED']);
  await app.close();

  async function revisionOf(id: string) {
    return (await approvals.list({ limit: 9 })).find((each) => each.id === id)!.revision;
  }
});
