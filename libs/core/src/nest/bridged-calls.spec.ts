import {
  Body,
  type CanActivate,
  Controller,
  type ExecutionContext,
  Global,
  Injectable,
  Logger,
  Module,
  Post,
  Req,
  UseGuards,
} from '@nestjs/common';
import { Test } from '@nestjs/testing';
import request from 'supertest';
import { ToolApprovals } from '../access/approvals/tool-approvals.js';
import { type ToolEvent, ToolEvents } from '../tool/tool-event.js';
import { type TracedWork, ToolTracing } from '../tool/tool-tracing.js';
import type { Toolbox } from '../toolbox/toolbox.js';
import { RequestToolbox } from './decorators/request-toolbox.decorator.js';
import { ToolSearchModule } from './module/tool-search.module.js';
import { Tool } from './decorators/tool.decorator.js';

/*
 * A call through the bridge is a call of the tool: guards, approvals, events and spans name the tool, not the bridge.
 */

type Req = { headers: Record<string, string | undefined>; user?: { role: string } };

const asked: unknown[] = [];
const spans: TracedWork[] = [];

/** A typical guard of an application: decides by the request's user and the guarded method. */
@Injectable()
class FinanceOnly implements CanActivate {
  canActivate(execution: ExecutionContext): boolean {
    const { user } = execution.switchToHttp().getRequest<Req>();
    asked.push([execution.getClass().name, execution.getHandler().name, user?.role]);
    return user?.role === 'finance';
  }
}

@Injectable()
class PayoutTools {
  @UseGuards(FinanceOnly)
  @Tool({
    description: 'Pay out the balance.',
    loading: 'deferred',
    input: { type: 'object', properties: { cents: { type: 'integer' } }, required: ['cents'] },
  })
  payOut({ cents }: { cents: number }) {
    return `paid ${cents}`;
  }
}

@Controller('agent')
class AgentController {
  @Post()
  async call(@RequestToolbox() toolbox: Toolbox, @Req() _: unknown, @Body() body: { name: string; input: unknown }) {
    const { mode } = await toolbox.surface();
    return { mode, result: await toolbox.call(body.name, body.input) };
  }
}

@Injectable()
class Spans extends ToolTracing {
  async trace<T>(traced: TracedWork, work: () => Promise<T>): Promise<T> {
    spans.push(traced);
    return work();
  }
}

@Global()
@Module({ providers: [{ provide: ToolTracing, useClass: Spans }], exports: [ToolTracing] })
class TracingModule {}

@Module({
  imports: [
    TracingModule,
    ToolSearchModule.forRoot({
      context: ({ headers }: Req) => ({ tenantId: 'acme', userId: 'ada', sessionId: headers['x-session'] ?? 's1' }),
      exposure: 'bridge',
      policy: { approval: [{ tools: 'payout.*', scope: 'session' }] },
    }),
  ],
  providers: [PayoutTools],
  controllers: [AgentController],
})
class App {}

it('through the bridge a tool meets its guard, its approval, its events and its spans, under its own name', async () => {
  const module = await Test.createTestingModule({ imports: [App] })
    .setLogger(false as never)
    .compile();
  const app = module.createNestApplication();
  app.use((req: Req, _: unknown, next: () => void) => {
    req.user = { role: req.headers['x-role'] ?? 'nobody' };
    next();
  });
  await app.init();
  Logger.overrideLogger(false); // it logs the guard's error for operators
  const events: ToolEvent[] = [];
  app.get(ToolEvents).on('*', (event) => events.push(event));
  const call = async (name: string, input: unknown, role = 'finance') => {
    const { body } = await request(app.getHttpServer()).post('/agent').set('x-role', role).send({ name, input });
    expect(body.mode).toBe('bridge');
    return body.result;
  };
  // A model cannot impersonate another user through its arguments.
  const input = { name: 'payout.pay_out', arguments: { cents: 5, user: { role: 'finance' } } };

  expect(await call('tool_call', input)).toMatchObject({ ok: false, code: 'APPROVAL_REQUIRED' });
  expect(asked).toEqual([]);
  const [wish] = events.flatMap((event) => (event.type === 'approval.asked' ? [event] : []));
  expect(wish).toMatchObject({ tool: 'payout.pay_out', tenantId: 'acme', sessionId: 's1' });
  await app.get(ToolApprovals).approve(wish!.id, { actor: 'olga', reason: 'checked' });

  expect(await call('tool_call', input, 'guest')).toMatchObject({ ok: false, code: 'TOOL_FORBIDDEN' });
  const paid = await call('tool_call', input);
  expect(paid).toMatchObject({ ok: true, content: [{ type: 'text', text: 'paid 5' }] });
  expect(asked).toEqual([
    ['PayoutTools', 'payOut', 'guest'],
    ['PayoutTools', 'payOut', 'finance'],
  ]);
  // The direct call had the same result.
  expect({ ...(await call('payout.pay_out', { cents: 5 })), activated: undefined }).toEqual({
    ...paid,
    activated: undefined,
  });

  expect(events.flatMap((event) => (event.type === 'tool.called' ? [[event.tool, event.outcome]] : []))).toEqual([
    ['payout.pay_out', 'TOOL_FORBIDDEN'],
    ['payout.pay_out', 'ok'],
    ['payout.pay_out', 'ok'],
  ]);
  expect(spans.map(({ operation, target }) => [operation, target])).toEqual(
    Array(4).fill(['execute_tool', 'payout.pay_out']),
  );
  await app.close();
});
