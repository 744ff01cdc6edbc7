import {
  type CanActivate,
  type ExecutionContext,
  type INestApplication,
  Injectable,
  type LoggerService,
} from '@nestjs/common';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import { Test } from '@nestjs/testing';
import { inspect } from 'node:util';
import { ToolAdminModule } from '@tool-search/admin';
import {
  type ToolContext,
  ToolEvents,
  ToolSearchError,
  ToolSearchModule,
  type ToolSearchModuleOptions,
  ToolSearchService,
} from '@tool-search/core';
import { ToolGatewayModule } from '@tool-search/gateway';
import type { Adapter } from '../../gateway/support/gateway-app.js';
import { McpSource, UserConnectionsModule, type McpSourceOptions } from '@tool-search/mcp';

/** The address of the connections in tests: a port that a client of the provider names, where nothing listens. */
export const CONNECT_URL = 'http://127.0.0.1:47114/connect';
/** Where the provider of the source `mail` sends browsers back to. */
export const REDIRECT_URI = `${CONNECT_URL}/callback/to/mail`;
export const KEY = { id: 'k1', key: Buffer.alloc(32, 7) };
const MAILS = ['ann', 'bob', 'eve'];

interface Incoming {
  readonly headers: Readonly<Record<string, string | undefined>>;
  user?: ToolContext;
}

/** Reads the user from a cookie, as the sign-in of an application does; a client of the gateway sends a bearer token. */
@Injectable()
class SignInGuard implements CanActivate {
  canActivate(execution: ExecutionContext): boolean {
    const request = execution.switchToHttp().getRequest<Incoming>();
    const { cookie = '', authorization = '' } = request.headers;
    const [tenantId, userId] = (
      /session=(\S+)/.exec(cookie)?.[1] ??
      /^Bearer (\S+)/.exec(authorization)?.[1] ??
      ''
    ).split('.');
    if (!tenantId || !userId) throw new ToolSearchError('UNAUTHENTICATED', 'Who are you?');
    request.user = { tenantId, userId, admin: userId === 'olga' };
    return true;
  }
}

/** An application with one source, `mail`, whose users have accounts of their own. */
export interface AccountsApp {
  readonly app: INestApplication;
  readonly url: string;
  readonly service: ToolSearchService;
  /** Everything that was logged or sent as an event, as text. */
  readonly written: () => string;
  /** Calls `mail.inbox` for a user of the tenant acme. */
  inbox(user?: string): Promise<{ ok: boolean; code?: string; hint?: string; text: string }>;
  /** Opens a path as a browser that is signed in. */
  visit(path: string, session: string, init?: { readonly method: string }): Promise<Response>;
}

/** Boots the application. Sources of the options are added to `mail`. */
export async function startAccountsApp(
  mail: Partial<McpSourceOptions>,
  options: Partial<ToolSearchModuleOptions> = {},
  imports: NonNullable<Parameters<typeof Test.createTestingModule>[0]['imports']> = [],
  adapter: Adapter = 'express',
): Promise<AccountsApp> {
  const written: string[] = [];
  const write = (...lines: unknown[]) => void written.push(inspect(lines, { depth: 10 }));
  const logger: LoggerService = { log: write, warn: write, error: write, debug: write, verbose: write, fatal: write };
  const source = new McpSource({
    name: 'mail',
    auth: 'user',
    changes: 'trust',
    // 1,000 calls at once take longer than the default of 30 s on a busy machine.
    callTimeoutMs: 600_000,
    loadTimeoutMs: 600_000,
    egress: { allow: ['127.0.0.1', 'localhost'] },
    ...mail,
  } as McpSourceOptions);
  const module = await Test.createTestingModule({
    imports: [
      ToolSearchModule.forRoot({
        context: (request: Incoming) => request.user,
        // 1,000 calls at once keep a busy machine from reading the provider's answer for longer than the default of 15 s.
        tuning: {
          userCredentials: { refreshBeforeMs: 0, providerTimeoutMs: 120_000 },
          tenantSources: { waitMs: 600_000 },
        },
        userCredentials: { keys: [KEY], connectUrl: CONNECT_URL },
        ...options,
        sources: [source, ...(options.sources ?? [])],
      }),
      UserConnectionsModule.forRoot({ path: 'connect', guards: [SignInGuard] }),
      ToolAdminModule.forRoot({ path: 'admin', guards: [SignInGuard], readsPerMinute: 100_000 }),
      ToolGatewayModule.forRoot({ path: 'mcp', guards: [SignInGuard] }),
      ...imports,
    ],
  })
    .setLogger(logger)
    .compile();
  const app =
    adapter === 'fastify' ? module.createNestApplication(new FastifyAdapter()) : module.createNestApplication();
  app.get(ToolEvents).on('*', (event) => write(event));
  await app.listen(0, '127.0.0.1');
  const url = await app.getUrl();
  const service = app.get(ToolSearchService);
  return {
    app,
    url,
    service,
    written: () => written.join('\n'),
    async inbox(user = MAILS[0]) {
      const result = await service.open({ tenantId: 'acme', userId: user! }).call('mail.inbox', {});
      write(result);
      const [block] = result.ok ? result.content : [];
      return { ...result, text: block?.type === 'text' ? block.text : '' } as never;
    },
    visit: (path, session, init) =>
      fetch(`${url}${path}`, {
        redirect: 'manual',
        ...init,
        headers: { cookie: `session=${session}` },
      }),
  };
}
