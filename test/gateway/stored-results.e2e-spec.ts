import {
  Body,
  type CanActivate,
  Controller,
  type ExecutionContext,
  ForbiddenException,
  HttpCode,
  Injectable,
  Post,
  UseGuards,
} from '@nestjs/common';
import { RequestToolbox, Tool, Toolbox, type ToolContext, toolCallOf } from '@tool-search/core';
import { CachedResults } from '@tool-search/core/operators';
import { type GatewayApp, startGatewayApp } from './support/gateway-app.js';
import { WireCaller } from './support/wire.js';

const refused = new Set<string>();
let calls = 0;

@Injectable()
class NotRefused implements CanActivate {
  canActivate(execution: ExecutionContext): boolean {
    const { userId = '' } = toolCallOf(execution)!.context;
    if (refused.has(userId)) throw new ForbiddenException();
    return true;
  }
}

@Injectable()
class RateTools {
  @UseGuards(NotRefused)
  @Tool({ description: 'Rates of today.', sideEffects: 'read', cache: { ttlMs: 60_000, shared: 'tenant' } })
  rates(_input: object, { tenantId }: ToolContext) {
    return { tenantId, call: ++calls };
  }

  @Tool({ description: 'Sets the rates.', sideEffects: 'write', invalidates: ['rate.*'] })
  setRates() {
    return 'set';
  }
}

@Controller('toolbox')
class ToolboxController {
  @Post('call')
  @HttpCode(200)
  call(@RequestToolbox() toolbox: Toolbox, @Body() { name }: { name: string }) {
    return toolbox.call(name, {});
  }
}

class RatesModule {}

@Injectable()
class WriteTools {
  @Tool({ description: 'Writes.', sideEffects: 'write', cache: { ttlMs: 1000 } })
  write() {
    return 'written';
  }
}

describe('stored results', () => {
  let gateway: GatewayApp;
  let ann: WireCaller;
  let bob: WireCaller;
  let eve: WireCaller;
  const ask = async (caller: WireCaller, name: string) => (await caller.call(name)).result;
  const overHttp = async (name: string, user: string) => {
    const response = await fetch(`${gateway.url}/toolbox/call`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-user': user },
      body: JSON.stringify({ name }),
    });
    return { status: response.status, body: (await response.json()) as Readonly<Record<string, unknown>> };
  };

  beforeAll(async () => {
    gateway = await startGatewayApp('express', {
      options: {
        // Requests over plain HTTP name their user in a header in this test.
        context: ({ user, headers }) => user ?? { tenantId: 'acme', userId: headers['x-user'] },
        limits: {
          rules: [{ id: 'pings', match: { tool: 'shop.ping' }, per: ['user'], rate: { calls: 3, windowMs: 600_000 } }],
        },
        resultCache: { tools: [{ match: ['shop.*'], ttlMs: 60_000 }] },
      },
      imports: [{ module: RatesModule, controllers: [ToolboxController], providers: [RateTools, NotRefused] }],
    });
    [ann, bob, eve] = (await Promise.all(
      ['acme.ann', 'acme.bob', 'globex.eve'].map((token) =>
        WireCaller.of(gateway.url, 'modern', { token, path: '/mcp/all' }),
      ),
    )) as [WireCaller, WireCaller, WireCaller];
  });
  afterAll(() => gateway.app.close());

  it('answer the callers of a tenant over HTTP and over the gateway, and no other tenant', async () => {
    expect((await ask(ann, 'rate__rates')).structuredContent).toEqual({ tenantId: 'acme', call: 1 });
    expect((await ask(bob, 'rate__rates')).structuredContent).toEqual({ tenantId: 'acme', call: 1 });
    expect(await overHttp('rate.rates', 'carl')).toMatchObject({ body: { ok: true, structured: { call: 1 } } });
    expect((await ask(eve, 'rate__rates')).structuredContent).toEqual({ tenantId: 'globex', call: 2 });
    const recorded = gateway.events.filter((event) => event.type === 'tool.called');
    expect(recorded.map((event) => [event.tenantId, event.cached ?? false])).toEqual([
      ['acme', false],
      ['acme', true],
      ['acme', true],
      ['globex', false],
    ]);
  });

  it('are refused by the guards of the method, as a call is', async () => {
    refused.add('bob');
    const result = await ask(bob, 'rate__rates');
    expect(result).toMatchObject({ isError: true, _meta: { 'tool-search/code': 'TOOL_FORBIDDEN' } });
    expect(await overHttp('rate.rates', 'bob')).toMatchObject({ status: 200, body: { code: 'TOOL_FORBIDDEN' } });
    refused.clear();
  });

  it('are refused by a kill switch at once', async () => {
    const turnOn = await gateway.turnOff('rate.rates');
    expect(await overHttp('rate.rates', 'ann')).toMatchObject({ body: { code: 'TOOL_NOT_AVAILABLE' } });
    await turnOn();
    expect(await overHttp('rate.rates', 'ann')).toMatchObject({ body: { structured: { call: 1 } } });
  });

  it('are discarded by a declared write, and by the application', async () => {
    await overHttp('rate.set_rates', 'ann');
    expect((await ask(bob, 'rate__rates')).structuredContent).toEqual({ tenantId: 'acme', call: 3 });
    expect((await ask(eve, 'rate__rates')).structuredContent).toEqual({ tenantId: 'globex', call: 2 });
    await gateway.app.get(CachedResults).invalidate(['rate.rates'], 'globex');
    expect((await ask(eve, 'rate__rates')).structuredContent).toEqual({ tenantId: 'globex', call: 4 });
  });

  it('of other sources are those of the read tools that a glob matches, of one caller', async () => {
    const before = gateway.shop.calls.length;
    for (const caller of [ann, ann, bob]) await ask(caller, 'shop__ping');
    for (const caller of [ann, ann]) await ask(caller, 'shop__refund');
    const reached = gateway.shop.calls.slice(before).map(({ name, context }) => `${name} ${context.userId}`);
    expect(reached).toEqual(['ping ann', 'ping bob', 'refund ann', 'refund ann']);
  });

  it('count against limits', async () => {
    const codes = [];
    for (let i = 0; i < 2; i++) codes.push((await ask(ann, 'shop__ping'))._meta?.['tool-search/code']);
    expect(codes).toEqual([undefined, 'LIMIT_REACHED']);
  });
});

describe('an application whose writes would be stored', () => {
  it.each([
    ['named by the module', { options: { resultCache: { tools: [{ match: ['shop.refund'], ttlMs: 1000 }] } } }],
    [
      'declared in code',
      {
        imports: [{ module: RatesModule, providers: [WriteTools] }],
      },
    ],
  ])('does not boot: %s', async (_, setup) => {
    await expect(startGatewayApp('express', setup)).rejects.toMatchObject({
      code: 'INVALID_CONFIGURATION',
      message: expect.stringMatching(/side effects/),
    });
  });
});
