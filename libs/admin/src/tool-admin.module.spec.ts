import {
  type CanActivate,
  Controller,
  type ExecutionContext,
  Get,
  type INestApplication,
  Inject,
  Injectable,
  Module,
  Post,
  type Type,
  UnauthorizedException,
  UseGuards,
} from '@nestjs/common';
import { APP_GUARD, DiscoveryService } from '@nestjs/core';
import { Test } from '@nestjs/testing';
import { SkipThrottle, ThrottlerGuard, ThrottlerModule } from '@nestjs/throttler';
import { AuditTrail, ControlPlane, ToolCatalog, type ToolContext, ToolSearchModule } from '@tool-search/core';
import { AdminController, AdminDecision, AdminRead } from './access/admin-route.decorator.js';
import { AdminGuard } from './access/admin.guard.js';
import { AdminThrottlerGuard } from './access/admin-throttler.guard.js';
import { AuditController } from './audit/audit.controller.js';
import { KillSwitchesController } from './kill-switches/kill-switches.controller.js';
import { StatusController } from './status/status.controller.js';
import { adminControllers, ToolAdminModule } from './tool-admin.module.js';
import type { ToolAdminOptions, ToolAdminRoutes } from './tool-admin.options.js';

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
class OwnStatus extends StatusController {
  readonly #greeting: string;

  constructor(@Inject(ControlPlane) plane: ControlPlane, @Inject(ToolCatalog) catalog: ToolCatalog) {
    super(plane, catalog);
    this.#greeting = 'hello';
  }

  @Get('greeting')
  @AdminRead('Greets')
  greeting() {
    return { greeting: this.#greeting };
  }
}

class OwnAudit extends AuditController {
  // Without its decorators it is no longer a route.
  override verifyAudit(): never {
    throw new Error('was called');
  }
}

@Controller('admin/tools')
@UseGuards(HeaderGuard)
class OpenOverride extends KillSwitchesController {
  @Post('kill-switches')
  override engageKillSwitch(): never {
    throw new Error('was called');
  }
}

@Controller('admin/tools')
@UseGuards(HeaderGuard)
class OpenRoute extends StatusController {
  @Get('greeting')
  greeting() {
    return 'hello';
  }
}

@AdminController('admin/tools')
@UseGuards(HeaderGuard)
class OpenController {
  @Get('greeting')
  greeting() {
    return 'hello';
  }
}

/** Needs the user that another guard sets, as a guard for roles does. */
class RoleGuard implements CanActivate {
  canActivate(execution: ExecutionContext): boolean {
    return execution.switchToHttp().getRequest<{ user?: ToolContext }>().user?.admin === true;
  }
}

@Controller({ path: 'elsewhere', version: '2' })
@UseGuards(RoleGuard)
class VersionedStatus extends StatusController {}

class GuardedOverride extends KillSwitchesController {
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

const MOUNTED = { path: 'admin/tools', guards: [HeaderGuard], decorators: [SkipThrottle()] };

const replacing = (own: Type) =>
  adminControllers.map((controller) => (own.prototype instanceof controller ? own : controller));

async function started(options: ToolAdminOptions & ToolAdminRoutes = {}, ...own: Type[]) {
  @Module({
    imports: [
      ToolSearchModule.forRoot({ context: contextOf }),
      ToolAdminModule.forRoot(own.length > 0 ? options : { ...MOUNTED, ...options }),
      ThrottlerModule.forRoot([{ ttl: 60_000, limit: 1 }]),
    ],
    controllers: own,
    providers: [{ provide: APP_GUARD, useClass: ThrottlerGuard }],
  })
  class Application {}

  const module = await Test.createTestingModule({ imports: [Application] }).compile();
  const app = module.createNestApplication({ logger: false });
  await app.listen(0, '127.0.0.1');
  return app;
}

describe('the routes of operators', () => {
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
    for (const { prototype } of adminControllers) {
      for (const { value } of Object.values(Object.getOwnPropertyDescriptors<object>(prototype))) {
        if (value === prototype.constructor || !Reflect.hasMetadata('path', value)) continue;
        guards.push(Reflect.getMetadata('__guards__', value));
        extensions.push(Reflect.getMetadata('swagger/apiExtension', value));
      }
    }
    expect(guards.length).toBeGreaterThan(30);
    expect(guards).toEqual(guards.map(() => [AdminGuard, AdminThrottlerGuard]));
    expect(extensions).toEqual(guards.map(() => ({ 'x-tool-search': false })));
  });

  it('asks its own guards first, and an extended controller may have a constructor and routes of its own', async () => {
    app = await started({}, OwnStatus);
    expect((await ask('status')).status).toBe(200);
    expect((await ask('greeting')).body).toEqual({ greeting: 'hello' });
    expect((await ask('greeting', { tenantId: 'acme', userId: 'ada' })).status).toBe(403);
    expect((await ask('sources')).status).toBe(404);
  });

  it('registers the controllers that it is given, and does not change the exported classes', async () => {
    app = await started({ controllers: replacing(OwnAudit) });
    expect((await ask('audit/verify')).status).toBe(404);
    expect((await ask('audit')).status).toBe(200);
    expect((await ask('audit', null)).body.code).toBe('UNAUTHENTICATED');
    await app.close();
    app = await started({ controllers: [StatusController] });
    expect([(await ask('status')).status, (await ask('audit')).status]).toEqual([200, 404]);
    for (const controller of adminControllers) expect(Reflect.getMetadata('__guards__', controller)).toBeUndefined();
  });

  it.each([OpenOverride, OpenRoute, OpenController, class Heir extends OpenOverride {}])(
    'does not boot with a route that lets everybody in: %p',
    async (controller) => {
      const refusal = {
        code: 'INVALID_CONFIGURATION',
        message: expect.stringMatching(new RegExp(`${controller.name}.(engageKillSwitch|greeting)`)),
        hint: expect.stringContaining('@AdminRead or @AdminWrite'),
      };
      await expect(started({}, controller)).rejects.toMatchObject(refusal);
      await expect(started({ controllers: [controller] })).rejects.toMatchObject(refusal);
    },
  );

  it.each([
    [{ path: 'admin/tools', guards: undefined }, 'needs guards'],
    [{ path: undefined, guards: [HeaderGuard] }, 'only under a path'],
    [{ path: undefined, guards: undefined, controllers: [StatusController] }, 'only under a path'],
  ])('does not register routes with %j', async (options, message) => {
    await expect(started(options)).rejects.toMatchObject({
      code: 'INVALID_CONFIGURATION',
      message: expect.stringContaining(message),
    });
  });

  it('accepts options that are injected, and guards that inject what a module exports', async () => {
    @Module({ providers: [{ provide: 'NAME', useValue: 'olga' }], exports: ['NAME'] })
    class Names {}

    @Injectable()
    class NamedGuard implements CanActivate {
      constructor(@Inject('NAME') private readonly userId: string) {}

      canActivate(execution: ExecutionContext): boolean {
        execution.switchToHttp().getRequest<{ user: ToolContext }>().user = { ...OLGA, userId: this.userId };
        return true;
      }
    }

    const module = await Test.createTestingModule({
      imports: [
        ToolSearchModule.forRoot({ context: contextOf }),
        ToolAdminModule.forRootAsync({
          path: 'admin/tools',
          guards: [NamedGuard],
          imports: [Names],
          inject: ['NAME'],
          useFactory: (name: string) => ({ writesPerMinute: name === 'olga' ? 1 : 9 }),
        }),
      ],
    }).compile();
    app = module.createNestApplication({ logger: false });
    await app.listen(0, '127.0.0.1');
    expect((await ask('kill-switches', null, KILL)).body.killSwitch.actor).toBe('olga@ops');
    expect((await ask('kill-switches', null, KILL)).status).toBe(429);
  });

  it('boots with a route that overrides one and is guarded itself', async () => {
    app = await started({ controllers: replacing(GuardedOverride) });
    expect((await ask('kill-switches', OLGA, KILL)).body).toEqual({ own: true });
    expect((await ask('kill-switches', { tenantId: 'acme', userId: 'ada' }, KILL)).status).toBe(403);
  });

  it('runs its guards before those of a class, and keeps the version of the class', async () => {
    app = await started({ controllers: [VersionedStatus] });
    expect((await ask('status')).status).toBe(200);
    expect((await ask('status', { tenantId: 'acme', userId: 'ada' })).status).toBe(403);
    const [mounted] = app
      .get(DiscoveryService)
      .getControllers()
      .filter(({ name }) => name === 'VersionedStatus');
    expect(Reflect.getMetadata('__version__', mounted?.metatype as Type)).toBe('2');
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
    const noted = async (tenantId?: string) =>
      (await trail.list({ ...(tenantId && { tenantId }) }, { limit: 200 })).length;
    for (let n = 0; n < 80; n++) await ask('status', { tenantId: 'acme', userId: `mallory-${n}` });
    await ask('status', { tenantId: 'globex', userId: 'gus' });
    expect([await noted('acme'), await noted('globex')]).toEqual([20, 2]);
    for (let n = 0; n < 80; n++) await ask('status', { tenantId: `t${n % 10}`, userId: `mallory-${n}` });
    expect(await noted()).toBe(60);
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
