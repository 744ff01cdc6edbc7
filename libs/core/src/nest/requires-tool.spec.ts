import {
  type CanActivate,
  Controller,
  type ExecutionContext,
  Get,
  Global,
  Injectable,
  Logger,
  Module,
  UseGuards,
} from '@nestjs/common';
import { GUARDS_METADATA } from '@nestjs/common/constants';
import { ExecutionContextHost } from '@nestjs/core/helpers/execution-context-host';
import { type ModuleRef, ModuleRef as ModuleRefToken } from '@nestjs/core';
import { Test } from '@nestjs/testing';
import request from 'supertest';
import { KillSwitches } from '../access/kill-switches/kill-switches.js';
import { ControlStore, type ControlState } from '../access/control/control-store.js';
import { MemoryControlStore } from '../access/control/memory-control-store.js';
import { ToolApprovals } from '../access/approvals/tool-approvals.js';
import { ToolPolicies } from '../access/policies/tool-policies.js';
import { FakeSource } from '../testing/fakes/fake-source.js';
import { RequiresTool } from './decorators/requires-tool.decorator.js';
import { ToolSearchModule } from './module/tool-search.module.js';
import type { ToolSearchModuleOptions } from './module/tool-search.options.js';

const OLGA = { actor: 'olga', reason: 'incident 7' };
type Req = { headers: Record<string, string | undefined>; user?: { tenant: string } };

/** Sets the caller, like an application's authentication guard. */
@Injectable()
class AuthGuard implements CanActivate {
  canActivate(execution: ExecutionContext): boolean {
    const req = execution.switchToHttp().getRequest<Req>();
    const tenant = req.headers['x-tenant'];
    if (tenant !== undefined) req.user = { tenant };
    return true;
  }
}

@Controller('invoices')
@RequiresTool('billing.read')
@UseGuards(AuthGuard)
class InvoicesController {
  @Get()
  list() {
    return 'listed';
  }

  @Get('refund')
  @RequiresTool('billing.refund')
  refund() {
    return 'refunded';
  }

  @Get('both')
  @RequiresTool('billing.void')
  @RequiresTool('billing.refund')
  both() {
    return 'both';
  }

  @Get('gone')
  @RequiresTool('billing.no_such')
  gone() {
    return 'never';
  }
}

@Controller('several')
@UseGuards(AuthGuard)
class SeveralController {
  @Get('glob')
  @RequiresTool('billing.re*')
  glob() {
    return 'glob';
  }

  @Get('namespace')
  @RequiresTool({ namespace: 'billing' })
  namespace() {
    return 'namespace';
  }

  @Get('tag')
  @RequiresTool({ tag: 'money' })
  tag() {
    return 'tag';
  }

  @Get('approval')
  @RequiresTool('billing.v*')
  approval() {
    return 'approval';
  }

  @Get('none')
  @RequiresTool({ namespace: 'bill' })
  none() {
    return 'none';
  }
}

@Controller('early')
@UseGuards(AuthGuard)
@RequiresTool('billing.read')
class EarlyController {
  @Get()
  list() {
    return 'listed';
  }

  @Get('refund')
  @UseGuards(AuthGuard)
  @RequiresTool('billing.refund')
  @UseGuards(AuthGuard)
  refund() {
    return 'refunded';
  }
}

@Controller('heir')
@RequiresTool('billing.refund')
class HeirController extends EarlyController {}

@Controller('split')
@RequiresTool('billing.read')
class SplitController {
  @Get()
  @UseGuards(AuthGuard)
  list() {
    return 'listed';
  }

  @Get('open')
  open() {
    return 'open';
  }
}

class BreakingStore extends MemoryControlStore {
  isBroken = false;
  override async read(known?: number): Promise<ControlState | undefined> {
    if (this.isBroken) throw new Error('secret of the database');
    return super.read(known);
  }
}

async function start(store = new BreakingStore(), options: Partial<ToolSearchModuleOptions> = {}) {
  const billing = new FakeSource('billing', [
    { name: 'read', aliases: ['billing.show'] },
    { name: 'refund', tags: ['money'] },
    'void',
  ]);
  @Global()
  @Module({ providers: [{ provide: ControlStore, useValue: store }], exports: [ControlStore] })
  class StoreModule {}
  @Module({
    imports: [
      StoreModule,
      ToolSearchModule.forRoot({
        context: ({ user, headers }: Req) => {
          if (!user) return undefined;
          const runId = headers['x-run'];
          return { tenantId: user.tenant, userId: 'ada', ...(runId !== undefined && { runId }) };
        },
        sources: [billing],
        policy: { approval: [{ tools: 'billing.void', scope: 'session' }] },
        ...options,
      }),
    ],
    controllers: [InvoicesController, SeveralController, EarlyController, HeirController, SplitController],
  })
  class App {}
  const module = await Test.createTestingModule({ imports: [App] })
    .setLogger(false as never)
    .compile();
  const app = await module.createNestApplication().init();
  const get = async (path: string, headers: Record<string, string> = { 'x-tenant': 'acme' }) => {
    const { status, body, text } = await request(app.getHttpServer()).get(path).set(headers);
    return [status, body.code ?? text];
  };
  return { app, store, get };
}

describe('a route that requires a tool', () => {
  it('admits exactly the callers who may call the tool', async () => {
    const { app, get } = await start();
    expect(await get('/invoices')).toEqual([200, 'listed']);
    expect(await get('/invoices/refund')).toEqual([200, 'refunded']);
    app.get(ToolPolicies).setTenant('acme', { deny: ['billing.refund'] });
    expect(await get('/invoices/refund')).toEqual([404, 'TOOL_NOT_AVAILABLE']);
    expect(await get('/invoices/refund', { 'x-tenant': 'globex' })).toEqual([200, 'refunded']);
    await app.close();
  });

  it('answers about a tool that is off as about one that does not exist', async () => {
    const { app, get } = await start();
    const { killSwitch, revision } = await app
      .get(KillSwitches)
      .engage({ ...OLGA, kind: 'tool', value: 'billing.refund', tenantId: 'acme' });
    const off = await request(app.getHttpServer()).get('/invoices/refund').set('x-tenant', 'acme');
    const gone = await request(app.getHttpServer()).get('/invoices/gone').set('x-tenant', 'acme');
    expect([off.status, off.text]).toEqual([404, gone.text]);
    expect(await get('/invoices/refund', { 'x-tenant': 'globex' })).toEqual([200, 'refunded']);
    await app.get(KillSwitches).release(killSwitch.id, { ...OLGA, expectedRevision: revision });
    expect(await get('/invoices/refund')).toEqual([200, 'refunded']);
    await app.close();
  });

  it('needs every tool that it and its controller require', async () => {
    const { app, get } = await start();
    app.get(ToolPolicies).setTenant('acme', { deny: ['billing.read'] });
    expect(await get('/invoices/refund')).toEqual([404, 'TOOL_NOT_AVAILABLE']);
    app.get(ToolPolicies).setTenant('acme', { deny: ['billing.refund'] });
    expect(await get('/invoices')).toEqual([200, 'listed']);
    expect(await get('/invoices/both', { 'x-tenant': 'acme', 'x-run': 'r' })).toEqual([404, 'TOOL_NOT_AVAILABLE']);
    await app.close();
  });

  it('needs one of the tools of a glob, a namespace or a tag, and is closed when none is left', async () => {
    const { app, get } = await start();
    for (const path of ['glob', 'namespace', 'tag']) expect(await get(`/several/${path}`)).toEqual([200, path]);
    app.get(ToolPolicies).setTenant('acme', { deny: ['billing.refund'] });
    expect(await get('/several/glob')).toEqual([200, 'glob']);
    expect(await get('/several/tag')).toEqual([404, 'TOOL_NOT_AVAILABLE']);
    app.get(ToolPolicies).setTenant('acme', { deny: ['billing.re*'] });
    expect(await get('/several/glob')).toEqual([404, 'TOOL_NOT_AVAILABLE']);
    await app.get(KillSwitches).engage({ ...OLGA, kind: 'namespace', value: 'billing', tenantId: 'globex' });
    expect(await get('/several/namespace', { 'x-tenant': 'globex' })).toEqual([404, 'TOOL_NOT_AVAILABLE']);
    await app.close();
  });

  it('asks for an approval only where all of several tools need one', async () => {
    const { app, get } = await start();
    const headers = { 'x-tenant': 'acme', 'x-run': 'r2' };
    expect(await get('/several/namespace', headers)).toEqual([200, 'namespace']);
    expect(await get('/several/approval', headers)).toEqual([403, 'APPROVAL_REQUIRED']);
    await app.close();
  });

  it('is warned of at boot where no tool of the catalog meets it, once', async () => {
    const warned = jest.spyOn(Logger.prototype, 'warn');
    const { app, get } = await start();
    const lines = warned.mock.calls.map(([line]) => String(line)).filter((line) => line.includes('@RequiresTool'));
    expect(lines).toEqual(['@RequiresTool({"namespace":"bill"}): no tool matches, so nobody is let in']);
    expect(await get('/several/none')).toEqual([404, 'TOOL_NOT_AVAILABLE']);
    warned.mockRestore();
    await app.close();
  });

  it('waits for a second person as a call does', async () => {
    const { app, get } = await start();
    const headers = { 'x-tenant': 'acme', 'x-run': 'r1' };
    expect(await get('/invoices/both')).toEqual([400, 'SESSION_REQUIRED']);
    expect(await get('/invoices/both', headers)).toEqual([403, 'APPROVAL_REQUIRED']);
    expect(await get('/invoices/both', headers)).toEqual([409, 'APPROVAL_PENDING']);
    const [wish] = await app.get(ToolApprovals).list({ limit: 5 });
    const { revision } = await app.get(ToolApprovals).refuse(wish!.id, OLGA);
    expect(await get('/invoices/both', headers)).toEqual([403, 'APPROVAL_REFUSED']);
    await app.get(ToolApprovals).approve(wish!.id, { ...OLGA, expectedRevision: revision });
    expect(await get('/invoices/both', headers)).toEqual([200, 'both']);
    await app.close();
  });

  it.each([
    ['without limits', undefined],
    ['with limits', { rules: [{ id: 'many', rate: { calls: 1, windowMs: 60_000 } }] }],
  ])('uses an approval for one call up with each request, %s', async (_how, limits) => {
    const options = { policy: { approval: ['billing.void'] }, ...(limits && { limits }) };
    const { app, get } = await start(new BreakingStore(), options);
    const headers = { 'x-tenant': 'acme', 'x-run': 'r1' };
    const approvals = app.get(ToolApprovals);
    const approve = async () => {
      const [wish] = await approvals.list({ limit: 5 });
      expect(await approvals.argumentsOf(wish!)).toBe('not known: the application does this work itself');
      await approvals.approve(wish!.id, OLGA);
    };
    expect(await get('/several/approval')).toEqual([400, 'SESSION_REQUIRED']);
    expect(await get('/several/approval', headers)).toEqual([403, 'APPROVAL_REQUIRED']);
    expect(await get('/several/approval', headers)).toEqual([409, 'APPROVAL_PENDING']);
    await approve();
    expect(await get('/several/approval', headers)).toEqual([200, 'approval']);
    expect(await get('/several/approval', headers)).toEqual([403, 'APPROVAL_REQUIRED']);
    await approve();
    if (limits) {
      // A limit refuses first, so the approval stays.
      expect(await get('/several/approval', headers)).toEqual([429, 'LIMIT_REACHED']);
      expect(await approvals.list({ limit: 5 })).toMatchObject([{ status: 'approved' }]);
    } else {
      const both = await Promise.all([get('/several/approval', headers), get('/several/approval', headers)]);
      expect(both).toEqual(
        expect.arrayContaining([
          [200, 'approval'],
          [403, 'APPROVAL_REQUIRED'],
        ]),
      );
    }
    await app.close();
  });

  it("is closed while the operators' decisions are unknown", async () => {
    const store = new BreakingStore();
    store.isBroken = true;
    const { app, get } = await start(store);
    expect(await get('/invoices')).toEqual([503, 'GATE_CLOSED']);
    expect(await get('/invoices/gone')).toEqual([503, 'GATE_CLOSED']);
    await app.close();
  });

  it('reads the context after all guards of its class and method, and refuses an unauthenticated caller', async () => {
    const { app, get } = await start();
    expect(await get('/invoices', {})).toEqual([401, 'UNAUTHENTICATED']);
    for (const path of ['/early', '/early/refund', '/heir', '/heir/refund']) {
      expect(await get(path)).toEqual([200, path.endsWith('refund') ? 'refunded' : 'listed']);
      expect(await get(path, {})).toEqual([401, 'UNAUTHENTICATED']);
    }
    app.get(ToolPolicies).setTenant('acme', { deny: ['billing.refund'] });
    expect(await get('/early')).toEqual([200, 'listed']);
    for (const path of ['/early/refund', '/heir']) expect(await get(path)).toEqual([404, 'TOOL_NOT_AVAILABLE']);
    await app.close();
  });

  it('says in the log, once, that a guard of the method comes after one of the class', async () => {
    const warned = jest.spyOn(Logger.prototype, 'warn').mockImplementation(() => undefined);
    const { app, get } = await start();
    for (const path of ['/split', '/split', '/split/open']) expect(await get(path)).toEqual([401, 'UNAUTHENTICATED']);
    const lines = warned.mock.calls
      .map(([line]) => String(line))
      .filter((line) => line.includes('guards of the method'));
    expect(lines).toEqual([
      expect.stringMatching(
        /^SplitController\.list: @RequiresTool\("billing\.read"\) of the class refused .* put it on the class/,
      ),
    ]);
    warned.mockRestore();
    await app.close();
  });

  it('sends no HTTP client to the meta tools of a model', async () => {
    const { app } = await start();
    const { body } = await request(app.getHttpServer()).get('/invoices/gone').set('x-tenant', 'acme');
    expect(body).toEqual({
      type: 'about:blank',
      title: 'Not Found',
      status: 404,
      detail: 'This is not available.',
      code: 'TOOL_NOT_AVAILABLE',
      hint: 'You may not do this here, or not now. Operators of this application can find out why.',
    });
    await app.close();
  });

  it('is refused with what to do where a handler has no request that says who is asking', async () => {
    const { app } = await start();
    const guard = (Reflect.getMetadata(GUARDS_METADATA, EarlyController) as never[]).at(-1) as never;
    const moduleRef = app.get<ModuleRef>(ModuleRefToken as never);
    const instance = await moduleRef.create<CanActivate>(guard);
    for (const [type, args] of [
      ['necord', [{ headers: {}, user: { tenant: 'acme' } }]],
      ['graphql', [undefined, {}]],
      ['ws', []],
      ['http', []],
    ] as const) {
      const host = new ExecutionContextHost([...args]);
      host.setType(type);
      const refusal: unknown = await Promise.resolve(instance.canActivate(host)).catch((error: unknown) => error);
      expect(refusal instanceof Error && (refusal.cause ?? refusal)).toMatchObject({
        code: 'INVALID_CONFIGURATION',
        hint: expect.stringContaining('ToolSearchService.open(context)'),
      });
    }
    await app.close();
  });

  it.each([
    '',
    'a b',
    'a'.repeat(129),
    'billing/*',
    {},
    { namespace: 'a b' },
    { tag: '' },
    { tags: 'money' },
    { tag: 'money', namespace: 'billing' },
    undefined,
  ])('cannot require %j, which names no tool', (name) => {
    expect(() => RequiresTool(name as never)).toThrow(expect.objectContaining({ code: 'INVALID_CONFIGURATION' }));
  });
});
