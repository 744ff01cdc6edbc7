import { Body, Controller, Logger, Module, Post } from '@nestjs/common';
import { Test } from '@nestjs/testing';
import request from 'supertest';
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
