import { Inject, Injectable, Logger, type Provider, Scope } from '@nestjs/common';
import { DiscoveryModule, REQUEST } from '@nestjs/core';
import { Test } from '@nestjs/testing';
import { type ToolContext, toolContext } from '../../tool/tool-context.js';
import type { InterceptedCall } from '../../tool/tool-call-interceptor.js';
import { ToolCallInterceptor } from '../decorators/tool-call-interceptor.decorator.js';
import { CHECKED_OPTIONS } from '../module/tool-search.module-definition.js';
import { linkRequest } from '../request/request-link.js';
import { DiscoveredInterceptors } from './discovered-interceptors.js';

const closing: (() => Promise<void>)[] = [];
beforeAll(() => Logger.overrideLogger(false));
afterEach(async () => {
  await Promise.all(closing.splice(0).map((close) => close()));
});

async function start(providers: Provider[]) {
  const module = await Test.createTestingModule({
    imports: [DiscoveryModule],
    providers: [DiscoveredInterceptors, ...providers],
  }).compile();
  const app = module.createNestApplication();
  closing.push(() => app.close());
  await app.init();
  return app.get(DiscoveredInterceptors);
}

/** What a chain of one's own reads: the texts that each interceptor adds. */
async function said(discovered: DiscoveredInterceptors, context: ToolContext = toolContext({ tenantId: 'acme' })) {
  const all: string[] = [];
  for (const { interceptor } of discovered.interceptors()) {
    const { content } = await interceptor.intercept({ context } as InterceptedCall, async () => ({ content: [] }));
    all.push(...content.map((block) => (block.type === 'text' ? block.text : '')));
  }
  return all;
}

const saying = (text: string): ToolCallInterceptor['intercept'] => {
  return async () => ({ content: [{ type: 'text', text }] });
};

@ToolCallInterceptor()
class Middle implements ToolCallInterceptor {
  intercept = saying('middle');
}

@Injectable()
class Word {
  readonly value = 'first';
}

@ToolCallInterceptor({ order: -1 })
class First implements ToolCallInterceptor {
  constructor(private readonly word: Word) {}

  intercept(...call: Parameters<ToolCallInterceptor['intercept']>) {
    return saying(this.word.value)(...call);
  }
}

@ToolCallInterceptor({ order: 1.5, scope: Scope.REQUEST })
class Last implements ToolCallInterceptor {
  static built = 0;

  constructor(@Inject(REQUEST) private readonly live: { readonly desk: string } | undefined) {
    Last.built += 1;
  }

  intercept(...call: Parameters<ToolCallInterceptor['intercept']>) {
    return saying(`last of ${this.live?.desk}`)(...call);
  }
}

const ALL: Provider[] = [Middle, First, Word, Last];

describe('discovered interceptors', () => {
  it('are in the order that they ask for, then in that of the providers', async () => {
    @ToolCallInterceptor()
    class AlsoMiddle extends Middle {
      override intercept = saying('also middle');
    }
    const discovered = await start([Last, AlsoMiddle, Middle, First, Word]);
    const names = discovered.interceptors().map(({ name }) => name);
    expect(names).toEqual(['First', 'AlsoMiddle', 'Middle', 'Last']);
  });

  it('may be made by a factory, replace the class of a token, or extend a decorated class', async () => {
    class Strict extends Middle {
      override intercept = saying('strict');
    }
    expect(
      await said(
        await start([
          { provide: 'made', useFactory: () => new Middle() },
          { provide: First, useValue: { intercept: saying('in its place') } },
          Strict,
          { provide: 'alias', useExisting: Strict },
        ]),
      ),
    ).toEqual(['in its place', 'middle', 'strict']);
  });

  it('may be request-scoped: one for each context, among the providers of its request', async () => {
    const discovered = await start(ALL);
    const context = toolContext({ tenantId: 'acme' });
    linkRequest(context, { desk: 'seven' });
    Last.built = 0;
    expect(await said(discovered, context)).toEqual(['first', 'middle', 'last of seven']);
    expect(await said(discovered, context)).toEqual(['first', 'middle', 'last of seven']);
    expect(Last.built).toBe(1);
    expect(await said(discovered)).toEqual(['first', 'middle', 'last of undefined']);
    expect(Last.built).toBe(2);
  });
});

describe('an interceptor that no module provides', () => {
  it('fails the boot, unless the application says that another one provides it', async () => {
    // All that were declared above are provided by some application of this process.
    await start(ALL);
    await start([Middle]);

    @ToolCallInterceptor()
    class Forgotten implements ToolCallInterceptor {
      intercept = saying('never');
    }
    await expect(start(ALL)).rejects.toMatchObject({
      code: 'INVALID_CONFIGURATION',
      message: expect.stringContaining('Forgotten'),
      hint: expect.stringContaining('providers of a module'),
    });
    const warnings = jest.spyOn(Logger.prototype, 'warn').mockImplementation();
    await start([...ALL, { provide: CHECKED_OPTIONS, useValue: { interceptors: { unused: 'warn' } } }]);
    expect(warnings.mock.calls.flat().join()).toContain('Forgotten');
    warnings.mockRestore();

    class Used extends Forgotten {}
    await start([Used]);
    await start(ALL);
  });
});

// Last: its class is never provided, so that no other application of this process starts.
describe('an interceptor that is none', () => {
  it('fails the boot without an intercept method, or has an order that is no number', async () => {
    @ToolCallInterceptor()
    class Half {
      intercept: never;
    }
    await expect(start([Half])).rejects.toMatchObject({
      code: 'INVALID_CONFIGURATION',
      message: 'Half: an interceptor of calls needs an intercept method.',
      hint: expect.stringContaining('intercept(call, next)'),
    });
    for (const order of [Number.NaN, Infinity, '1' as never]) {
      expect(() => ToolCallInterceptor({ order })(Middle)).toThrow(
        expect.objectContaining({ code: 'INVALID_CONFIGURATION' }),
      );
    }
  });
});
