import { AsyncLocalStorage } from 'node:async_hooks';
import {
  BadRequestException,
  type CallHandler,
  type CanActivate,
  ConflictException,
  Controller,
  type ExecutionContext,
  ForbiddenException,
  Get,
  HttpException,
  Inject,
  Injectable,
  Logger,
  type ModuleMetadata,
  type NestInterceptor,
  Param,
  type PipeTransform,
  type Provider,
  Req,
  Scope,
  SetMetadata,
  UseGuards,
  UseInterceptors,
  UsePipes,
  ValidationPipe,
} from '@nestjs/common';
import {
  APP_GUARD,
  APP_INTERCEPTOR,
  ContextIdFactory,
  DiscoveryModule,
  ModuleRef,
  Reflector,
  REQUEST,
} from '@nestjs/core';
import { Test } from '@nestjs/testing';
import { IsInt } from 'class-validator';
import { concatMap, delay, from, map, of, tap } from 'rxjs';
import request from 'supertest';
import { type ToolContext, toolContext } from '../../tool/tool-context.js';
import { ToolSearchError } from '../../tool/tool-search.error.js';
import type { SourceAnswer, ToolCall } from '../../tool/tool-source.js';
import { DecoratedToolSource } from './decorated-tools.js';
import { linkRequest, requestOf } from '../request/request-link.js';
import { toolOutput } from './tool-output.js';
import { toolCallOf } from './tool-pipeline.js';
import { Tool } from '../decorators/tool.decorator.js';

const ANY_OBJECT = { type: 'object' };

const closing: (() => Promise<void>)[] = [];
beforeAll(() => Logger.overrideLogger(false));
afterEach(async () => {
  await Promise.all(closing.splice(0).map((close) => close()));
});

async function start(providers: Provider[], more: ModuleMetadata = {}) {
  const module = await Test.createTestingModule({
    imports: [DiscoveryModule],
    providers: [DecoratedToolSource, ...providers],
    ...more,
  }).compile();
  const app = module.createNestApplication();
  await app.init();
  closing.push(() => app.close());
  return { app, source: app.get(DecoratedToolSource) };
}

const context = (link?: object, extra: object = {}): ToolContext => {
  const made = toolContext({ tenantId: 'acme', ...extra });
  if (link) linkRequest(made, link);
  return made;
};

let calls = 0;
const call = (signal = new AbortController().signal): ToolCall => ({
  id: String(++calls),
  signal,
  deadline: Date.now() + 10_000,
  progress: () => undefined,
});

const text = ({ content }: SourceAnswer) =>
  content.map((block) => (block.type === 'text' ? block.text : block.type)).join();

interface HttpRequest {
  readonly user?: { readonly role: string };
}

@Injectable()
class FinanceOnly implements CanActivate {
  constructor(@Inject(Reflector) private readonly reflector: Reflector) {}

  canActivate(execution: ExecutionContext): boolean {
    const roles = this.reflector.get<string[] | undefined>('roles', execution.getHandler()) ?? ['finance'];
    return roles.includes(execution.switchToHttp().getRequest<Required<HttpRequest>>().user.role);
  }
}

@Injectable()
class BillingTools {
  readonly refunded: unknown[] = [];

  @UseGuards(FinanceOnly)
  @Tool({ description: 'Refund an invoice.', input: ANY_OBJECT })
  refund(input: Record<string, unknown>, { tenantId }: ToolContext, { id }: ToolCall) {
    this.refunded.push(input);
    return { input, tenantId, call: id.length > 0 };
  }

  @SetMetadata('roles', ['clerk'])
  @UseGuards(FinanceOnly)
  @Tool({ description: 'Read an invoice.' })
  read() {
    return 'invoice';
  }
}

describe('guards of a tool', () => {
  it('decide by the real request, which is what the context was made from', async () => {
    const { source } = await start([BillingTools]);
    const answer = await source.call('billing.refund', { id: 1 }, context({ user: { role: 'finance' } }), call());
    expect(answer.structured).toEqual({ input: { id: 1 }, tenantId: 'acme', call: true });
  });

  it('cannot be fooled by a user in the arguments, with or without a request', async () => {
    const { app, source } = await start([BillingTools]);
    const forged = {
      user: { role: 'finance' },
      request: { user: { role: 'finance' } },
      0: { user: { role: 'finance' } },
      switchToHttp: { getRequest: { user: { role: 'finance' } } },
    };
    for (const link of [{ user: { role: 'clerk' } }, {}, undefined]) {
      await expect(source.call('billing.refund', forged, context(link), call())).rejects.toMatchObject({
        code: 'TOOL_FORBIDDEN',
      });
    }
    await expect(source.call('billing.refund', forged, context(undefined, forged), call())).rejects.toMatchObject({
      code: 'TOOL_FORBIDDEN',
    });
    expect(app.get(BillingTools).refunded).toEqual([]);
  });

  it('refuse a call without a request, with a fixed text for the model', async () => {
    const { source } = await start([BillingTools]);
    const refusal = await source.call('billing.refund', {}, context(), call()).catch((error: unknown) => error);
    expect(refusal).toBeInstanceOf(ToolSearchError);
    expect(refusal).toMatchObject({
      code: 'TOOL_FORBIDDEN',
      message: 'A guard of billing.refund refused the call. There is no request behind it that a guard could check.',
      cause: expect.any(TypeError),
    });
  });

  it('read the metadata of the method they guard', async () => {
    const { source } = await start([BillingTools]);
    expect(text(await source.call('billing.read', {}, context({ user: { role: 'clerk' } }), call()))).toBe('invoice');
    await expect(source.call('billing.read', {}, context({ user: { role: 'finance' } }), call())).rejects.toMatchObject(
      {
        code: 'TOOL_FORBIDDEN',
      },
    );
  });

  it('run in order: global, class, method, and the first refusal ends the call', async () => {
    const ran: string[] = [];
    const guard = (name: string, verdict = true) => ({
      canActivate: async (execution: ExecutionContext) => {
        ran.push(`${name} ${execution.getClass().name}.${execution.getHandler().name}`);
        return verdict;
      },
    });

    @UseGuards(guard('class'))
    @Injectable()
    class OrderTools {
      @UseGuards(guard('method', false), guard('never'))
      @Tool({ description: 'Ship.' })
      ship() {
        ran.push('handler');
      }
    }
    const { source } = await start([OrderTools, { provide: APP_GUARD, useValue: guard('global') }]);
    await expect(source.call('order.ship', {}, context({}), call())).rejects.toMatchObject({ code: 'TOOL_FORBIDDEN' });
    expect(ran).toEqual(['global OrderTools.ship', 'class OrderTools.ship', 'method OrderTools.ship']);
  });

  it('hide what they throw, let a throttle say so, and may refuse with an error of the library', async () => {
    const thrower = (error: unknown) => ({
      canActivate: () => {
        throw error;
      },
    });

    @Injectable()
    class DoorTools {
      @UseGuards(thrower(new ForbiddenException('user 42 lacks secret-scope')))
      @Tool({ description: 'One.' })
      one() {}

      @UseGuards(thrower(new HttpException('slow down', 429)))
      @Tool({ description: 'Two.' })
      two() {}

      @UseGuards(thrower(new ToolSearchError('TOOL_FORBIDDEN', 'Only on weekdays.')))
      @Tool({ description: 'Three.' })
      three() {}
    }
    const { source } = await start([DoorTools]);
    const refusal = await source.call('door.one', {}, context({}), call()).catch((error: ToolSearchError) => error);
    expect(refusal).toMatchObject({ code: 'TOOL_FORBIDDEN', message: 'A guard of door.one refused the call.' });
    await expect(source.call('door.two', {}, context({}), call())).rejects.toMatchObject({ code: 'RATE_LIMITED' });
    await expect(source.call('door.three', {}, context({}), call())).rejects.toMatchObject({
      message: 'Only on weekdays.',
    });
  });

  it('can decide by the tool context where there is no request', async () => {
    @Injectable()
    class TenantGuard implements CanActivate {
      canActivate(execution: ExecutionContext) {
        return toolCallOf(execution)?.context.roles?.includes('agent') ?? false;
      }
    }

    @UseGuards(TenantGuard)
    @Injectable()
    class QueueTools {
      @Tool({ description: 'Drain.' })
      drain() {
        return 'drained';
      }
    }
    const { source } = await start([QueueTools]);
    expect(text(await source.call('queue.drain', {}, context(undefined, { roles: ['agent'] }), call()))).toBe(
      'drained',
    );
    await expect(source.call('queue.drain', {}, context(), call())).rejects.toMatchObject({ code: 'TOOL_FORBIDDEN' });
  });

  it('are the same request-scoped ones that the request has, also as global guards', async () => {
    @Injectable({ scope: Scope.REQUEST })
    class OwnRequest implements CanActivate {
      constructor(@Inject(REQUEST) private readonly live: HttpRequest) {}

      canActivate(execution: ExecutionContext) {
        return this.live === execution.switchToHttp().getRequest() && this.live.user?.role === 'finance';
      }
    }

    @Injectable()
    class GlobalTools {
      @Tool({ description: 'Run.' })
      run() {
        return 'ran';
      }
    }

    @UseGuards(OwnRequest)
    @Injectable()
    class LocalTools extends GlobalTools {}

    const global = await start([GlobalTools, { provide: APP_GUARD, useClass: OwnRequest }]);
    const local = await start([LocalTools]);
    for (const [{ source }, name] of [
      [global, 'global.run'],
      [local, 'local.run'],
    ] as const) {
      expect(text(await source.call(name, {}, context({ user: { role: 'finance' } }), call()))).toBe('ran');
      await expect(source.call(name, {}, context({ user: { role: 'clerk' } }), call())).rejects.toMatchObject({
        code: 'TOOL_FORBIDDEN',
      });
      await expect(source.call(name, {}, context(), call())).rejects.toMatchObject({ code: 'TOOL_FORBIDDEN' });
    }
  });
});

describe('interceptors of a tool', () => {
  it('see the call before and change the answer after', async () => {
    const seen: unknown[] = [];

    @Injectable()
    class Envelope implements NestInterceptor {
      intercept(execution: ExecutionContext, next: CallHandler) {
        seen.push(toolCallOf(execution)?.input, execution.getType());
        return next.handle().pipe(map((data: unknown) => ({ data })));
      }
    }

    @UseInterceptors(Envelope)
    @Injectable()
    class EchoTools {
      @UseInterceptors({
        intercept: (_: ExecutionContext, next: CallHandler) => next.handle().pipe(map((value) => [value])),
      })
      @Tool({ description: 'Echo.', input: ANY_OBJECT })
      echo(input: { word: string }) {
        return of('first', input.word);
      }
    }
    const { source } = await start([EchoTools]);
    const answer = await source.call('echo.echo', { word: 'last' }, context(), call());
    expect(answer.structured).toEqual({ data: ['last'] });
    expect(seen).toEqual([{ word: 'last' }, 'http']);
  });

  it('may answer in place of the method, and keep asynchronous context around it', async () => {
    const storage = new AsyncLocalStorage<string>();
    const around = {
      intercept: (_: ExecutionContext, next: CallHandler) => storage.run('inside', () => next.handle()),
    };
    const instead = { intercept: () => of('cached') };

    @Injectable()
    class CacheTools {
      @UseInterceptors(around)
      @Tool({ description: 'Fresh.' })
      fresh() {
        return storage.getStore();
      }

      @UseInterceptors(instead)
      @Tool({ description: 'Cached.' })
      cached() {
        throw new Error('never entered');
      }
    }
    const { source } = await start([CacheTools]);
    expect(text(await source.call('cache.fresh', {}, context(), call()))).toBe('inside');
    expect(text(await source.call('cache.cached', {}, context(), call()))).toBe('cached');
  });

  it('distinguish a bad request from a refusal before the method, and leave errors after it unchanged', async () => {
    const before = (error: unknown) => ({
      intercept: () => {
        throw error;
      },
    });
    const after = {
      intercept: (_: ExecutionContext, next: CallHandler) =>
        next.handle().pipe(
          tap(() => {
            throw new BadRequestException('after');
          }),
        ),
    };

    @Injectable()
    class FaultTools {
      @UseInterceptors(before(new BadRequestException('card 4242')))
      @Tool({ description: 'One.' })
      bad() {}

      @UseInterceptors(before(new ForbiddenException('card 4242')))
      @Tool({ description: 'Two.' })
      no() {}

      @UseInterceptors(before(new TypeError('boom')))
      @Tool({ description: 'Three.' })
      boom() {}

      @UseInterceptors(after)
      @Tool({ description: 'Four.' })
      late() {}

      @Tool({ description: 'Five.' })
      conflict() {
        throw new ConflictException('in the method');
      }

      @Tool({ description: 'Six.' })
      own() {
        throw new ToolSearchError('NOT_FOUND', 'No such invoice.');
      }
    }
    const { source } = await start([FaultTools]);
    const outcome = (name: string) =>
      source.call(`fault.${name}`, {}, context({}), call()).catch((error: unknown) => error);
    expect(await outcome('bad')).toMatchObject({
      code: 'INVALID_ARGUMENTS',
      message: 'A pipe or interceptor of fault.bad refused the arguments.',
    });
    expect(await outcome('no')).toMatchObject({ code: 'TOOL_FORBIDDEN' });
    expect(await outcome('boom')).toBeInstanceOf(TypeError);
    expect(await outcome('late')).toBeInstanceOf(BadRequestException);
    expect(await outcome('conflict')).toBeInstanceOf(ConflictException);
    expect(await outcome('own')).toMatchObject({ code: 'NOT_FOUND', message: 'No such invoice.' });
  });
});

describe('pipes of a tool', () => {
  it('meet the input as a body, and neither the context nor the call', async () => {
    const met: unknown[] = [];

    @Injectable()
    class Doubling implements PipeTransform {
      transform(value: { amount: number }, metadata: unknown) {
        met.push(metadata);
        if (value.amount > 100) throw new BadRequestException('too much');
        return { amount: value.amount * 2 };
      }
    }

    class Amount {
      @IsInt()
      amount: number;
    }

    @UsePipes(Doubling)
    @Injectable()
    class PayTools {
      @UsePipes(new ValidationPipe())
      @Tool({ description: 'Pay.', input: Amount })
      pay(input: Amount, { tenantId }: ToolContext, { id }: ToolCall) {
        return [input.amount, tenantId, typeof id];
      }
    }
    const { source } = await start([PayTools]);
    expect((await source.call('pay.pay', { amount: 5 }, context(), call())).structured).toEqual([10, 'acme', 'string']);
    expect(met).toEqual([{ type: 'body', metatype: Amount, data: undefined, schema: undefined }]);
    await expect(source.call('pay.pay', { amount: 500 }, context(), call())).rejects.toMatchObject({
      code: 'INVALID_ARGUMENTS',
    });
  });
});

describe('a tool of a request-scoped class', () => {
  @Injectable({ scope: Scope.REQUEST })
  class Cart {
    static built = 0;
    readonly number = ++Cart.built;
  }

  @Injectable({ scope: Scope.REQUEST })
  class CartTools {
    constructor(
      @Inject(REQUEST) private readonly live: { readonly headers: { readonly name: string } } | undefined,
      @Inject(Cart) private readonly cart: Cart,
    ) {}

    @Tool({ description: 'Who.' })
    async who(_: object, own: ToolContext) {
      await new Promise(setImmediate);
      return { live: this.live?.headers.name, linked: requestOf(own) === this.live, cart: this.cart.number };
    }
  }

  it('is built among the providers of its request, once for all its calls, and never mixes two requests', async () => {
    @Controller()
    class CartController {
      constructor(
        @Inject(DecoratedToolSource) private readonly source: DecoratedToolSource,
        @Inject(Cart) private readonly cart: Cart,
      ) {}

      @Get(':name')
      async who(@Req() live: object, @Param('name') name: string) {
        const own = context(live, { userId: name });
        const answers = await Promise.all([1, 2].map(() => this.source.call('cart.who', {}, own, call())));
        return { answers: answers.map(({ structured }) => structured), cart: this.cart.number };
      }
    }
    const { app } = await start([CartTools, Cart], { imports: [DiscoveryModule], controllers: [CartController] });
    const names = Array.from({ length: 10 }, (_, number) => `user-${number}`);
    await app.listen(0);
    const replies = await Promise.all(
      names.map(async (name) => (await request(app.getHttpServer()).get(`/${name}`).set('name', name)).body),
    );
    expect(new Set(replies.map(({ cart }) => cart)).size).toBe(names.length);
    replies.forEach(({ answers, cart }, number) => {
      const own = { live: names[number], linked: true, cart };
      expect(answers).toEqual([own, own]);
    });
  });

  it('is built once for a request that never passed through the router, and again for the next one', async () => {
    const { source } = await start([CartTools, Cart]);
    const live = { headers: { name: 'socket' } };
    const cart = async (link: object) => (await source.call('cart.who', {}, context(link), call())).structured;
    const first = await cart(live);
    expect(first).toMatchObject({ live: 'socket', linked: true });
    expect(await cart(live)).toEqual(first);
    expect(await cart({ ...live })).not.toEqual(first);
  });

  it('keeps a REQUEST that another module has provided for the request', async () => {
    @Controller()
    class WrappingController {
      constructor(
        @Inject(DecoratedToolSource) private readonly source: DecoratedToolSource,
        @Inject(ModuleRef) private readonly moduleRef: ModuleRef,
        @Inject(Cart) readonly cart: Cart,
      ) {}

      @Get()
      async who(@Req() live: object) {
        const wrapped = { headers: { name: 'wrapped' } };
        this.moduleRef.registerRequestByContextId(wrapped, ContextIdFactory.getByRequest(live));
        return (await this.source.call('cart.who', {}, context(live), call())).structured;
      }
    }
    const { app } = await start([CartTools, Cart], { imports: [DiscoveryModule], controllers: [WrappingController] });
    expect((await request(app.getHttpServer()).get('/')).body).toMatchObject({ live: 'wrapped', linked: false });
  });

  it('is built anew for each call without a request', async () => {
    const { source } = await start([CartTools, Cart]);
    const own = context();
    const [one, two] = await Promise.all([1, 2].map(() => source.call('cart.who', {}, own, call())));
    expect(one!.structured).toMatchObject({ linked: true });
    expect((one!.structured as { cart: number }).cart).not.toBe((two!.structured as { cart: number }).cart);
  });

  it('is refused, not failed, where it cannot be built without a request', async () => {
    @Injectable({ scope: Scope.REQUEST })
    class NeedyTools {
      readonly role: string;

      constructor(@Inject(REQUEST) live: Required<HttpRequest>) {
        this.role = live.user.role;
      }

      @Tool({ description: 'Role.' })
      role_of() {
        return this.role;
      }
    }
    const { source } = await start([NeedyTools]);
    expect(text(await source.call('needy.role_of', {}, context({ user: { role: 'clerk' } }), call()))).toBe('clerk');
    await expect(source.call('needy.role_of', {}, context(), call())).rejects.toMatchObject({ code: 'TOOL_FORBIDDEN' });
    await expect(source.call('needy.role_of', {}, context({}), call())).rejects.toBeInstanceOf(TypeError);
  });
});

describe('the execution of a tool', () => {
  it('keeps singletons of parallel requests apart by what is passed, not by what is stored', async () => {
    @Injectable()
    class EchoTools {
      @UseGuards({
        canActivate: (execution: ExecutionContext) => !!execution.switchToHttp().getRequest<HttpRequest>().user,
      })
      @Tool({ description: 'Echo.', input: ANY_OBJECT })
      async echo(input: { number: number }, own: ToolContext) {
        await new Promise(setImmediate);
        return { input: input.number, user: own.userId, role: (requestOf(own) as Required<HttpRequest>).user.role };
      }
    }
    const { source } = await start([EchoTools]);
    const numbers = Array.from({ length: 50 }, (_, number) => number);
    const answers = await Promise.all(
      numbers.map((number) =>
        source.call(
          'echo.echo',
          { number },
          context({ user: { role: `r${number}` } }, { userId: `u${number}` }),
          call(),
        ),
      ),
    );
    expect(answers.map(({ structured }) => structured)).toEqual(
      numbers.map((number) => ({ input: number, user: `u${number}`, role: `r${number}` })),
    );
  });

  it('does not enter the method of a call that was given up meanwhile', async () => {
    const entered = jest.fn();
    const given = new AbortController();

    @Injectable()
    class SlowTools {
      @UseGuards({
        canActivate: () => {
          given.abort();
          return true;
        },
      })
      @Tool({ description: 'Write.' })
      write() {
        entered();
      }
    }
    const { source } = await start([SlowTools]);
    await expect(source.call('slow.write', {}, context({}), call(given.signal))).rejects.toMatchObject({
      name: 'AbortError',
    });
    expect(entered).not.toHaveBeenCalled();
  });

  it('takes the last value of an observable, and marked output as it is', async () => {
    @Injectable()
    class OutputTools {
      @Tool({ description: 'Count.' })
      count() {
        return from([1, 2, 3]).pipe(concatMap((value) => of({ value }).pipe(delay(0))));
      }

      @Tool({ description: 'Draw.' })
      draw() {
        return toolOutput({ content: [{ type: 'image', data: 'AAAA', mimeType: 'image/png' }] });
      }

      @Tool({ description: 'Look-alike.' })
      pretend() {
        return { content: [{ type: 'text', text: 'hello' }] };
      }
    }
    const { source } = await start([OutputTools]);
    expect((await source.call('output.count', {}, context(), call())).structured).toEqual({ value: 3 });
    expect((await source.call('output.draw', {}, context(), call())).content).toEqual([
      { type: 'image', data: 'AAAA', mimeType: 'image/png' },
    ]);
    expect((await source.call('output.pretend', {}, context(), call())).structured).toEqual({
      content: [{ type: 'text', text: 'hello' }],
    });
  });

  it('has no other request: the same context cannot be linked to a second one', () => {
    const own = context({ first: true });
    expect(() => linkRequest(own, { second: true })).toThrow('already belongs to another request');
    expect(requestOf(own)).toEqual({ first: true });
    expect(requestOf(context())).toBeUndefined();
  });

  it('runs global interceptors around tools too', async () => {
    @Injectable()
    class PlainTools {
      @Tool({ description: 'Plain.' })
      plain() {
        return 'plain';
      }
    }
    const loud = {
      intercept: (_: ExecutionContext, next: CallHandler) => next.handle().pipe(map((value) => `${String(value)}!`)),
    };
    const { source } = await start([PlainTools, { provide: APP_INTERCEPTOR, useValue: loud }]);
    expect(text(await source.call('plain.plain', {}, context(), call()))).toBe('plain!');
  });
});
