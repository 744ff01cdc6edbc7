import {
  type CanActivate,
  type ExecutionContext,
  type INestApplication,
  Injectable,
  type LoggerService,
} from '@nestjs/common';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import { Test } from '@nestjs/testing';
import {
  KillSwitches,
  type ToolContext,
  type ToolDefinition,
  type ToolEvent,
  ToolEvents,
  ToolSearchError,
  ToolSearchModule,
  type ToolSearchModuleOptions,
  type ToolVisibilityPolicy,
  VisibilityPolicy,
} from '@tool-search/core';
import { FakeSource, type FakeSourceTool } from '@tool-search/core/testing';
import { ToolGatewayModule, type ToolGatewayOptions, type ToolGatewayRoutes } from '@tool-search/gateway';
import { HeldCalls } from './held-calls.js';

/** The HTTP adapters of Nest. */
export type Adapter = 'express' | 'fastify';
export const ADAPTERS: readonly Adapter[] = ['express', 'fastify'];

/** A text of the application that no caller may read. */
export const SECRET = 'sk-live-hunter2-Sup3rSecret';

/** An application whose tools the gateway serves. Tokens have the form `tenant.user`. */
export interface GatewayApp {
  readonly app: INestApplication;
  readonly url: string;
  readonly shop: FakeSource;
  readonly events: readonly ToolEvent[];
  /** Calls of `shop.slow`, which run until they are released or cancelled. */
  readonly held: HeldCalls;
  /** Tokens that are refused from now on. */
  readonly revoked: Set<string>;
  /** Turns a tool off. Returns the function that turns it on again. */
  turnOff(tool: string): Promise<() => Promise<unknown>>;
}

/** How an application differs from the usual one. */
export interface GatewayAppSetup {
  /** `guards: undefined` leaves the check of tokens to the gateway. */
  readonly gateway?: ToolGatewayOptions & Pick<ToolGatewayRoutes, 'guards'>;
  /** @default none */
  readonly logger?: LoggerService;
  readonly tools?: (all: readonly FakeSourceTool[]) => readonly FakeSourceTool[];
  readonly options?: Partial<ToolSearchModuleOptions>;
  readonly imports?: NonNullable<Parameters<typeof Test.createTestingModule>[0]['imports']>;
}

interface Incoming {
  readonly headers: Readonly<Record<string, string | undefined>>;
  user?: ToolContext;
}

/** Of each tenant, one tool that only its own users see. */
@Injectable()
@VisibilityPolicy()
class OwnVault implements ToolVisibilityPolicy {
  filter(all: readonly ToolDefinition[], { tenantId }: ToolContext) {
    return all.filter(({ name }) => !name.startsWith('shop.vault_') || name === `shop.vault_${tenantId}`);
  }
}

const PICTURE = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR4nGNgYGD4DwABBAEAX+XDSwAAAABJRU5ErkJggg==';

/** The tools of the namespace `shop`. */
function shopTools(held: HeldCalls): readonly FakeSourceTool[] {
  const count = { type: 'object', properties: { count: { type: 'number' } }, required: ['count'] } as const;
  return [
    { name: 'ping', description: 'Answers pong.', loading: 'always', sideEffects: 'read', run: () => 'pong' },
    { name: 'refund', description: 'Refunds an order to the customer.', run: () => ({ refunded: true }) },
    { name: 'vault_acme', description: 'Opens the vault of the tenant acme.', run: () => 'gold' },
    { name: 'vault_globex', description: 'Opens the vault of the tenant globex.', run: () => 'silver' },
    { name: 'slow', description: 'Counts all parcels, which takes long.', run: (_, __, call) => held.run(call) },
    { name: 'stock', description: 'Counts the stock.', outputSchema: count, run: () => ({ count: 7 }) },
    {
      name: 'picture',
      description: 'Draws the product.',
      run: () => ({ content: [{ type: 'image', data: PICTURE, mimeType: 'image/png' }] }),
    },
    {
      name: 'manual',
      description: 'Links the manual of a product.',
      run: () => ({ content: [{ type: 'resource_link', uri: 'https://example.com/manual.pdf', name: 'Manual' }] }),
    },
    {
      name: 'receipt',
      description: 'Encloses the receipt of an order.',
      run: () => ({
        content: [{ type: 'resource', resource: { uri: 'order:7', mimeType: 'text/plain', text: 'paid' } }],
      }),
    },
    { name: 'dump', description: 'Exports all orders, 200 KB of text.', run: () => 'order '.repeat(34_200) },
    {
      name: 'broken',
      description: 'Fails with words of its own.',
      run: () => {
        throw new Error(SECRET);
      },
    },
    {
      name: 'echo',
      description: 'Repeats its input.',
      inputSchema: { type: 'object' },
      run: (input) => JSON.stringify(input),
    },
  ];
}

/** Boots an application with the gateway under `/mcp`. */
export async function startGatewayApp(
  adapter: Adapter,
  { gateway = {}, tools = (all) => all, options, imports = [], logger }: GatewayAppSetup = {},
): Promise<GatewayApp> {
  const revoked = new Set<string>();
  const held = new HeldCalls();
  const shop = new FakeSource('shop', tools(shopTools(held)));

  @Injectable()
  class TokenGuard implements CanActivate {
    canActivate(execution: ExecutionContext): boolean {
      const request = execution.switchToHttp().getRequest<Incoming>();
      const token = /^Bearer (.+)$/.exec(request.headers['authorization'] ?? '')?.[1] ?? '';
      const [tenantId, userId] = token.split('.');
      if (!tenantId || !userId || revoked.has(token)) throw new ToolSearchError('UNAUTHENTICATED', 'Who are you?');
      request.user = { tenantId, userId, roles: [] };
      return true;
    }
  }

  const module = await Test.createTestingModule({
    imports: [
      ToolSearchModule.forRoot({
        context: (request: Incoming) => request.user,
        ...options,
        sources: [shop, ...(options?.sources ?? [])],
      }),
      ToolGatewayModule.forRoot({ path: 'mcp', guards: [TokenGuard], ...gateway }),
      ...imports,
    ],
    providers: [TokenGuard, OwnVault],
  })
    .setLogger(logger ?? (false as never))
    .compile();
  const app =
    adapter === 'fastify' ? module.createNestApplication(new FastifyAdapter()) : module.createNestApplication();
  const events: ToolEvent[] = [];
  app.get(ToolEvents).on('*', (event) => void events.push(event));
  // A busy machine resets connections that do not fit into the queue of those that wait: 511 by default.
  await app.listen({ port: 0, host: '127.0.0.1', backlog: 4096 } as never);
  // Node.js closes connections whose requests arrive slowly, as all do on a busy machine.
  Object.assign(app.getHttpServer(), { headersTimeout: 0, requestTimeout: 0 });
  const switches = app.get(KillSwitches);
  return {
    app,
    url: await app.getUrl(),
    shop,
    events,
    held,
    revoked,
    async turnOff(value) {
      const operator = { actor: 'olga', reason: 'a test' };
      const { killSwitch } = await switches.engage({ ...operator, kind: 'tool', value, tenantId: '' });
      return () => switches.release(killSwitch.id, { ...operator, expectedRevision: killSwitch.revision });
    },
  };
}
