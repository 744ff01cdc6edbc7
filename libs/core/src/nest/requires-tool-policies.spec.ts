import { Body, Controller, Logger, Module, Post } from '@nestjs/common';
import { Test } from '@nestjs/testing';
import request from 'supertest';
import type { CallPolicyAnswer, PolicyCall } from '../access/call-policies/tool-call-policy.js';
import { FakeSource } from '../testing/fakes/fake-source.js';
import { RequiresTool } from './decorators/requires-tool.decorator.js';
import { ToolCallPolicy } from './decorators/tool-call-policy.decorator.js';
import { ToolSearchModule } from './module/tool-search.module.js';
import { ToolSearchService } from './module/tool-search.service.js';

@ToolCallPolicy({ tools: ['billing.refund'] })
class Amounts implements ToolCallPolicy {
  async decide({ arguments: { amount } }: PolicyCall): Promise<CallPolicyAnswer> {
    if (amount === 13) throw new Error('the decision point is down');
    return Number(amount) > 1000
      ? { outcome: 'deny', reason: 'too much', message: 'Not over 1000.' }
      : { outcome: 'allow' };
  }
}

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
    return { amount: 'found' };
  }
}

it('call policies decide about guarded routes, boot names what is wrong, and a fault is logged', async () => {
  const warn = jest.spyOn(Logger.prototype, 'warn').mockImplementation(() => undefined);
  const error = jest.spyOn(Logger.prototype, 'error').mockImplementation(() => undefined);
  @Module({
    imports: [
      ToolSearchModule.forRoot({
        context: () => ({ tenantId: 'acme' }),
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
    providers: [Amounts],
  })
  class AppModule {}
  const app = (await Test.createTestingModule({ imports: [AppModule] }).compile()).createNestApplication();
  await app.init();
  const warnings = warn.mock.calls.map(([words]) => String(words)).filter((words) => words.includes('RequiresTool'));
  warn.mockRestore();
  expect(warnings).toEqual([
    expect.stringMatching(/^@RequiresTool\("billing.refund"\): the call policy Amounts decides/),
  ]);

  const post = async (path: string, body: object) => {
    const { status, body: answer } = await request(app.getHttpServer()).post(`/refunds/${path}`).send(body);
    return [status, answer.detail ?? answer.amount];
  };
  for (const path of ['named', 'any']) {
    expect(await post(path, { amount: 1000 })).toEqual([201, 1000]);
    expect(await post(path, { amount: 1001 })).toEqual([403, 'Not over 1000.']);
    expect(await post(path, { amount: 13 })).toEqual([500, expect.stringContaining('could not decide')]);
  }
  expect(await post('silent', {})).toEqual([403, 'This call is not allowed here.']);
  expect(await post('other', {})).toEqual([201, 'found']);
  const lines = error.mock.calls.map(([words]) => String(words)).filter((words) => words.startsWith('Call policy'));
  error.mockRestore();
  expect(lines.length).toBeGreaterThan(1);
  expect(lines[0]).toMatch(/^Call policy Amounts failed, so the call is refused: Error: the decision point is down/);

  const toolbox = app.get(ToolSearchService).open({ tenantId: 'acme' });
  expect(await toolbox.call('billing.refund', { amount: 1001 })).toMatchObject({ code: 'ARGUMENTS_NOT_ALLOWED' });
  await app.close();
});
