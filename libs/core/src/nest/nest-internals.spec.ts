import { Processor, WorkerHost } from '@nestjs/bullmq';
import {
  Controller,
  Get,
  Inject,
  Injectable,
  type Type,
  UseGuards,
  UseInterceptors,
  UsePipes,
  Body,
} from '@nestjs/common';
import {
  GUARDS_METADATA,
  INTERCEPTORS_METADATA,
  PATH_METADATA,
  PIPES_METADATA,
  ROUTE_ARGS_METADATA,
  SELF_DECLARED_DEPS_METADATA,
} from '@nestjs/common/constants';
import { RouteParamtypes } from '@nestjs/common/enums/route-paramtypes.enum';
import { DiscoveryModule, DiscoveryService, ExternalContextCreator, ModuleRef } from '@nestjs/core';
import { Test } from '@nestjs/testing';
import { toolContext } from '../tool/tool-context.js';
import type { ProviderWrapper } from './module/provider-class.js';
import { DecoratedToolSource } from './tools/decorated-tools.js';
import { NEST_VERSION } from './module/nest-host.js';
import { enhancersOf } from './tools/tool-enhancers.js';
import { Tool } from './decorators/tool.decorator.js';

const ANY_OBJECT = { type: 'object' };

@Injectable()
class BillingTools {
  @Tool({ description: 'Refund.', input: ANY_OBJECT })
  refund(input: object) {
    return { input };
  }
}

class Creditor {
  name: string;
}

// Another class of the same name, as two modules of an application may have.
const namesake = () => {
  @Injectable()
  class BillingTools {
    @Tool({ description: 'Refund.', namespace: 'other', input: ANY_OBJECT })
    refund(input: Creditor) {
      return { creditor: input };
    }
  }
  return BillingTools;
};

async function start(providers: Type[], change: (creator: ExternalContextCreator) => void) {
  const module = await Test.createTestingModule({
    imports: [DiscoveryModule],
    providers: [DecoratedToolSource, ...providers],
  }).compile();
  change(module.get(ExternalContextCreator));
  await module.init();
  return module.get(DecoratedToolSource);
}

const called = async (source: DecoratedToolSource, name: string) =>
  source
    .call(name, { id: 1 }, toolContext({ tenantId: 'acme' }), {
      id: '1',
      signal: new AbortController().signal,
      deadline: Date.now() + 10_000,
      progress: () => undefined,
    })
    .then(({ structured }) => structured);

/** Makes Nest cache a handler's parameters like 12.0 to 12.3 (by class and method) or 11 (by name of the class). */
function rememberBy(keyOf: (host: object, method: string) => string) {
  return (creator: ExternalContextCreator): void => {
    const kept = new Map<string, unknown>();
    const inner = creator as unknown as { handlerMetadataStorage: object };
    const method = (key: string) => key.split(':').at(-1)!;
    inner.handlerMetadataStorage = {
      get: (host: object, key: string) => kept.get(keyOf(host, method(key))),
      set: (host: object, key: string, value: unknown) => kept.set(keyOf(host, method(key)), value),
    };
  };
}

describe('the input of a tool', () => {
  it.each([
    ['12.0 to 12.3, by class and method', rememberBy((host, method) => `${classNumber(host.constructor)} ${method}`)],
    ['11, by the name of the class and method', rememberBy((host, method) => host.constructor.name + method)],
  ])('reaches the method where Nest remembers parameters as %s', async (_, change) => {
    const source = await start([BillingTools, namesake()], change);
    expect(await called(source, 'billing.refund')).toEqual({ input: { id: 1 } });
    expect(await called(source, 'other.refund')).toEqual({ creditor: { id: 1 } });
  });

  it('is not lost where something else has wrapped the same method before', async () => {
    const source = await start([BillingTools], (creator) => {
      rememberBy((host, method) => host.constructor.name + method)(creator);
      const host = Object.create(BillingTools.prototype) as object;
      creator.create(host, () => undefined, 'refund');
    });
    expect(await called(source, 'billing.refund')).toEqual({ input: { id: 1 } });
  });

  it('is checked at boot: a Nest that would lose it is refused, and no method runs', async () => {
    const entered = jest.fn();
    @Injectable()
    class ShyTools extends BillingTools {
      @Tool({ description: 'Refund.', namespace: 'billing', input: ANY_OBJECT })
      override refund(input: object) {
        entered();
        return { input };
      }
    }
    const boot = start([ShyTools], (creator) => {
      const create = creator.create.bind(creator) as (...args: unknown[]) => never;
      creator.create = ((...args: unknown[]) => create(...args.with(3, 'another key'))) as never;
    });
    await expect(boot).rejects.toMatchObject({
      code: 'INVALID_CONFIGURATION',
      message: `ShyTools.refund: NestJS ${NEST_VERSION} does not hand the input of billing.refund to its method.`,
      hint: expect.stringContaining('@nestjs/core'),
    });
    expect(entered).not.toHaveBeenCalled();
  });

  it('is refused rather than undefined where Nest loses it after the boot', async () => {
    let lose = false;
    const source = await start([BillingTools], (creator) => {
      const create = creator.create.bind(creator) as (...args: unknown[]) => never;
      creator.create = ((...args: unknown[]) => create(...(lose ? args.with(3, 'another key') : args))) as never;
      rememberBy(() => `${Math.random()}`)(creator);
    });
    lose = true;
    await expect(called(source, 'billing.refund')).rejects.toMatchObject({ code: 'INVALID_CONFIGURATION' });
  });
});

let classes = 0;
const numbers = new WeakMap<object, number>();
function classNumber(type: object): number {
  if (!numbers.has(type)) numbers.set(type, ++classes);
  return numbers.get(type)!;
}

/** Each test covers one internal of Nest that this library relies on, and fails when a version of Nest changes it. */
describe(`what is used of Nest ${NEST_VERSION} beyond its documentation (known: 11.1 to 12.5)`, () => {
  const pipe = { transform: (value: unknown) => value };
  const guard = { canActivate: () => true };
  const interceptor = { intercept: (_: unknown, next: { handle(): never }) => next.handle() };

  @Injectable()
  class Guard {
    canActivate() {
      return true;
    }
  }

  @Controller()
  @UseGuards(Guard)
  class Routes {
    @Get()
    @UseGuards(guard)
    @UseInterceptors(interceptor)
    @UsePipes(pipe)
    route(@Body() _body: Creditor) {}
  }

  it('is where @UseGuards, @UseInterceptors and @UsePipes leave their enhancers', () => {
    expect([GUARDS_METADATA, INTERCEPTORS_METADATA, PIPES_METADATA]).toEqual([
      '__guards__',
      '__interceptors__',
      '__pipes__',
    ]);
    // oxlint-disable-next-line typescript/unbound-method
    const route = Routes.prototype.route;
    expect(enhancersOf('__guards__', Routes)).toEqual([Guard]);
    expect(['__guards__', '__interceptors__', '__pipes__'].flatMap((kind) => enhancersOf(kind, route))).toEqual([
      guard,
      interceptor,
      pipe,
    ]);
  });

  it("is how libs/admin's AdminRouteCheck distinguishes a route from other methods, and finds its guards", () => {
    // oxlint-disable-next-line typescript/unbound-method
    expect(Reflect.hasMetadata(PATH_METADATA, Routes.prototype.route)).toBe(true);
    // oxlint-disable-next-line typescript/unbound-method
    expect(Reflect.hasMetadata(PATH_METADATA, Guard.prototype.canActivate)).toBe(false);
    // oxlint-disable-next-line typescript/unbound-method
    expect(Reflect.getMetadata(GUARDS_METADATA, Routes.prototype.route)).toEqual([guard]);
  });

  it('is where @Inject() leaves what a constructor gets, which toolRoutesOf() reads', () => {
    class Asks {
      constructor(@Inject('a token') readonly token: unknown) {}
    }
    expect(SELF_DECLARED_DEPS_METADATA).toBe('self:paramtypes');
    expect(Reflect.getMetadata(SELF_DECLARED_DEPS_METADATA, Asks)).toEqual([{ index: 0, param: 'a token' }]);
  });

  it('is where @Processor() of @nestjs/bullmq marks a class that UnguardedHandlers looks at', () => {
    @Processor('refunds')
    class Worker extends WorkerHost {
      async process() {}
    }
    expect(Reflect.hasMetadata('bullmq:processor_metadata', Worker)).toBe(true);
  });

  it('is the key of a body among the parameters of a route', () => {
    expect(RouteParamtypes.BODY).toBe(3);
    expect(Reflect.getMetadata(ROUTE_ARGS_METADATA, Routes, 'route')).toMatchObject({ '3:0': { index: 0, pipes: [] } });
  });

  it('is what a provider wrapper contains: class, scope, enhancers and module', async () => {
    const module = await Test.createTestingModule({
      imports: [DiscoveryModule],
      providers: [BillingTools, { provide: 'alias', useExisting: BillingTools }],
      controllers: [Routes],
    }).compile();
    const discovery = module.get(DiscoveryService);
    const wrapper = discovery.getProviders().find(({ token }) => token === BillingTools) as ProviderWrapper;
    expect(wrapper).toMatchObject({ isAlias: false, isNotMetatype: false, isTransient: false, metatype: BillingTools });
    expect(wrapper.isDependencyTreeStatic()).toBe(true);
    expect(wrapper.getEnhancersMetadata() ?? []).toEqual([]);
    expect(discovery.getProviders().find(({ token }) => token === 'alias')?.isAlias).toBe(true);
    expect(wrapper.host?.providers.get(BillingTools)?.id).toBe(wrapper.id);
    expect(wrapper.host?.getProviderByKey(ModuleRef).instance).toBeInstanceOf(ModuleRef);
    const [routes] = discovery.getControllers();
    expect(routes?.host?.injectables.get(Guard)?.isTransient).toBe(false);
  });
});
