import {
  type CanActivate,
  Controller,
  type ExecutionContext,
  Get,
  type INestApplication,
  Injectable,
  Module,
  Post,
  type Type,
  UnauthorizedException,
  UseGuards,
} from '@nestjs/common';
import { APP_GUARD } from '@nestjs/core';
import { Test } from '@nestjs/testing';
import { SkipThrottle, ThrottlerGuard, ThrottlerModule } from '@nestjs/throttler';
import { AuditTrail, ControlPlane, type ToolContext, ToolSearchModule } from '@tool-search/core';
import { AdminDecision, AdminRead } from './access/admin-route.decorator.js';
import { AdminGuard } from './access/admin.guard.js';
import { AdminThrottlerGuard } from './access/admin-throttler.guard.js';
import { ToolAdminController } from './tool-admin.controller.js';
import { ToolAdminModule } from './tool-admin.module.js';
import type { ToolAdminOptions } from './tool-admin.options.js';

const OLGA = { tenantId: 'ops', userId: 'olga', admin: true };
const KILL = { kind: 'tool', value: 'a.b', reason: 'a test' };

@Injectable()
class HeaderGuard implements CanActivate {
  canActivate(execution: ExecutionContext): boolean {
    const request = execution.switchToHttp().getRequest<{ headers: Record<string, string>; user?: unknown }>();
    request.user = JSON.parse(request.headers['x-user'] ?? 'null');
    return true;
  }
}

@Controller('admin/tools')
@UseGuards(HeaderGuard)
// Affects only the application's throttlers, not this library's.
@SkipThrottle()
class ToolsController extends ToolAdminController {
  readonly #greeting: string;

  constructor() {
    super();
    this.#greeting = 'hello';
  }

  @Get('greeting')
  @AdminRead('Greets')
  greeting() {
    return { greeting: this.#greeting };
  }

  // Without its decorators it is no longer a route.
  override verifyAudit(): never {
    throw new Error('was called');
  }
}

@Controller('admin/tools')
@UseGuards(HeaderGuard)
class OpenOverride extends ToolAdminController {
  @Post('kill-switches')
  override engageKillSwitch(): never {
    throw new Error('was called');
  }
}

@Controller('admin/tools')
@UseGuards(HeaderGuard)
class OpenRoute extends ToolAdminController {
  @Get('greeting')
  greeting() {
    return 'hello';
  }
}

@Controller('admin/tools')
@UseGuards(HeaderGuard)
@SkipThrottle()
class GuardedOverride extends ToolAdminController {
  @Post('kill-switches')
  @AdminDecision('Engage a kill switch in our own way')
  override async engageKillSwitch(): Promise<never> {
    return { own: true } as never;
  }
}

function contextOf({ user }: { user?: ToolContext | null }): ToolContext {
  if (!user) throw new UnauthorizedException();
  return user;
}

async function started(options: ToolAdminOptions = {}, controller: Type = ToolsController) {
  @Module({
    imports: [
      ToolSearchModule.forRoot({ context: contextOf }),
      ToolAdminModule.forRoot(options),
      ThrottlerModule.forRoot([{ ttl: 60_000, limit: 1 }]),
    ],
    controllers: [controller],
    providers: [{ provide: APP_GUARD, useClass: ThrottlerGuard }],
  })
  class Application {}

  const module = await Test.createTestingModule({ imports: [Application] }).compile();
  const app = module.createNestApplication({ logger: false });
  await app.listen(0, '127.0.0.1');
  return app;
}

describe('a controller that extends ToolAdminController', () => {
  let app: INestApplication;
  const ask = async (path: string, user: object | null = OLGA, body?: object) => {
    const response = await fetch(`${await app.getUrl()}/admin/tools/${path}`, {
      method: body ? 'POST' : 'GET',
      headers: { 'content-type': 'application/json', ...(user && { 'x-user': JSON.stringify(user) }) },
      ...(body && { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    return { status: response.status, headers: response.headers, body: text === '' ? undefined : JSON.parse(text) };
  };
  afterEach(() => app?.close());

  it('has every route behind the same two guards, and none that would become a tool of the application', () => {
    const guards: unknown[] = [];
    const extensions: unknown[] = [];
    for (let type = ToolAdminController.prototype; type !== Object.prototype; type = Object.getPrototypeOf(type)) {
      for (const { value } of Object.values(Object.getOwnPropertyDescriptors(type))) {
        if (!Reflect.hasMetadata('path', value)) continue;
        guards.push(Reflect.getMetadata('__guards__', value));
        extensions.push(Reflect.getMetadata('swagger/apiExtension', value));
      }
    }
    expect(guards.length).toBeGreaterThan(30);
    expect(guards).toEqual(guards.map(() => [AdminGuard, AdminThrottlerGuard]));
    expect(extensions).toEqual(guards.map(() => ({ 'x-tool-search': false })));
  });

  it('asks its own guards first, and may have a constructor and routes of its own', async () => {
    app = await started();
    expect((await ask('status')).status).toBe(200);
    expect((await ask('greeting')).body).toEqual({ greeting: 'hello' });
    expect((await ask('greeting', { tenantId: 'acme', userId: 'ada' })).status).toBe(403);
    expect((await ask('audit/verify')).status).toBe(404);
  });

  it.each([OpenOverride, OpenRoute, class Heir extends OpenOverride {}])(
    'does not boot with a route that lets everybody in: %p',
    async (controller) => {
      await expect(started({}, controller)).rejects.toMatchObject({
        code: 'INVALID_CONFIGURATION',
        message: expect.stringMatching(new RegExp(`${controller.name}.(engageKillSwitch|greeting)`)),
        hint: expect.stringContaining('@AdminRead or @AdminWrite'),
      });
    },
  );

  it('boots with a route that overrides one and is guarded itself', async () => {
    app = await started({}, GuardedOverride);
    expect((await ask('kill-switches', OLGA, KILL)).body).toEqual({ own: true });
    expect((await ask('kill-switches', { tenantId: 'acme', userId: 'ada' }, KILL)).status).toBe(403);
  });

  it.each([
    [null, 'UNAUTHENTICATED'],
    [{ tenantId: 'acme', userId: 'ada' }, 'FORBIDDEN'],
    [{ tenantId: 'acme', userId: 'ada', admin: false }, 'FORBIDDEN'],
    [{ tenantId: 'acme', userId: 'ada', roles: ['admin'] }, 'FORBIDDEN'],
    [{ tenantId: 'acme', userId: 'ada', admin: 'true' }, 'INVALID_CONTEXT'],
  ])('refuses %j with %s', async (user, code) => {
    app = await started();
    const response = await ask('status', user);
    expect(response.body.code).toBe(code);
    expect((await ask('kill-switches', user, KILL)).status).toBe(response.status);
  });

  it('notes who was refused, but not more than it takes to know', async () => {
    app = await started();
    for (let n = 0; n < 3; n++) await ask('status', { tenantId: 'acme', userId: 'mallory' });
    const trail = app.get(AuditTrail);
    await ask('status', { tenantId: 'globex', userId: 'mallory' });
    expect(await trail.list({}, { limit: 9 })).toMatchObject([
      { actor: 'mallory@globex', subject: 'status', tenantId: 'globex' },
      { actor: 'mallory@acme', subject: 'status', tenantId: 'acme' },
    ]);
    for (let n = 0; n < 80; n++) await ask('status', { tenantId: 'acme', userId: `mallory-${n}` });
    expect(await trail.list({}, { limit: 200 })).toHaveLength(60);
  });

  it('names a tenant where the context has no user, who then cannot approve', async () => {
    app = await started();
    const nobody = { tenantId: 'ops', admin: true };
    expect((await ask('kill-switches', nobody, KILL)).body.killSwitch.actor).toBe('@ops');
    const answer = await ask('approvals/ap_x/approve', nobody, { reason: 'x' });
    expect(answer).toMatchObject({
      status: 403,
      body: { code: 'FORBIDDEN', detail: expect.stringContaining('person') },
    });
  });

  it('takes the longest ids that a context may have', async () => {
    app = await started();
    const long = { tenantId: 't'.repeat(256), userId: 'u'.repeat(256), admin: true };
    const { body } = await ask('kill-switches', long, KILL);
    expect(body.killSwitch.actor).toBe(`${long.userId}@${long.tenantId}`);
    expect((await ask(`audit?actor=${body.killSwitch.actor}`, OLGA)).body.items).toHaveLength(1);
  });

  it('limits each operator, apart from the throttlers of the application', async () => {
    app = await started({ writesPerMinute: 2, readsPerMinute: 3 });
    const codes = async (count: number, path: string, user: object, body?: object) => {
      const answers = [];
      for (let n = 0; n < count; n++) answers.push(await ask(path, user, body));
      return answers.map(({ status }) => status);
    };
    expect(await codes(3, 'kill-switches', OLGA, KILL)).toEqual([200, 200, 429]);
    expect(await codes(2, 'kill-switches/ks_x/release', OLGA, { ...KILL, expectedRevision: 1 })).toEqual([429, 429]);
    expect(await codes(4, 'catalog', OLGA)).toEqual([200, 200, 200, 429]);
    expect(await codes(1, 'catalog', { ...OLGA, userId: 'otto' })).toEqual([200]);
    expect(await codes(1, 'catalog', { ...OLGA, tenantId: 'acme' })).toEqual([200]);
    const { status, headers, body } = await ask('sources');
    expect([status, body.code, headers.get('content-type')]).toEqual([
      429,
      'RATE_LIMITED',
      expect.stringContaining('application/problem+json'),
    ]);
    expect(Number(headers.get('retry-after'))).toBeGreaterThanOrEqual(1);
    expect(Number(headers.get('retry-after'))).toBeLessThanOrEqual(60);
    expect(app.get(ControlPlane).health().revision).toBe(2);
  });

  it.each([{ writesPerMinute: 0 }, { readsPerMinute: 1.5 }, { writesPerMinut: 5 } as ToolAdminOptions])(
    'does not boot with %j',
    async (options) => {
      await expect(started(options)).rejects.toMatchObject({ code: 'INVALID_CONFIGURATION' });
    },
  );
});
