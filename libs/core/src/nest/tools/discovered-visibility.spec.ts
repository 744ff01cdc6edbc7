import {
  Controller,
  Get,
  Inject,
  Injectable,
  Logger,
  type ModuleMetadata,
  Param,
  type Provider,
  Req,
  Scope,
} from '@nestjs/common';
import { DiscoveryModule, REQUEST } from '@nestjs/core';
import { Test } from '@nestjs/testing';
import request from 'supertest';
import {
  askVisibility,
  hidingReason,
  type ToolVisibilityPolicy,
  visibilityKey,
} from '../../access/visibility-policy.js';
import { type ToolContext, toolContext } from '../../tool/tool-context.js';
import type { ToolDefinition } from '../../tool/tool-definition.js';
import { DiscoveredVisibility } from './discovered-visibility.js';
import { linkRequest } from '../request/request-link.js';
import { CHECKED_OPTIONS } from '../module/tool-search.module-definition.js';
import { VisibilityPolicy } from '../decorators/visibility-policy.decorator.js';

const closing: (() => Promise<void>)[] = [];
beforeAll(() => Logger.overrideLogger(false));
afterEach(async () => {
  await Promise.all(closing.splice(0).map((close) => close()));
});

async function start(providers: Provider[], more: ModuleMetadata = {}) {
  const module = await Test.createTestingModule({
    imports: [DiscoveryModule],
    providers: [DiscoveredVisibility, ...providers],
    ...more,
  }).compile();
  const app = module.createNestApplication();
  closing.push(() => app.close());
  await app.init();
  return { app, visibility: app.get(DiscoveredVisibility) };
}

const TOOLS = ['a.one', 'a.two', 'b.one', 'b.two'].map((name) => ({ name }) as ToolDefinition);

const seen = async (policies: readonly ToolVisibilityPolicy[], context: ToolContext) =>
  [...(await askVisibility(policies, TOOLS, context, 1000)).visible].map(({ name }) => name);

const context = (link?: object) => {
  const made = toolContext({ tenantId: 'acme' });
  if (link) linkRequest(made, link);
  return made;
};

@VisibilityPolicy()
class OnlyA implements ToolVisibilityPolicy {
  filter(tools: readonly ToolDefinition[]) {
    return tools.filter(({ name }) => name.startsWith('a.'));
  }

  cacheKey() {
    return 'a';
  }
}

@Injectable()
class Suffix {
  readonly value = '.one';
}

@VisibilityPolicy()
class OnlyOne implements ToolVisibilityPolicy {
  constructor(private readonly suffix: Suffix) {}

  filter(tools: readonly ToolDefinition[]) {
    return tools.filter(({ name }) => name.endsWith(this.suffix.value));
  }
}

interface Live {
  readonly headers: { readonly prefix: string };
}

@VisibilityPolicy({ scope: Scope.REQUEST })
class OwnPrefix implements ToolVisibilityPolicy {
  static built = 0;

  constructor(@Inject(REQUEST) private readonly live: Live | undefined) {
    OwnPrefix.built += 1;
  }

  async filter(tools: readonly ToolDefinition[]) {
    await new Promise(setImmediate);
    return tools.filter(({ name }) => name.startsWith(this.live!.headers.prefix));
  }

  cacheKey() {
    return this.live!.headers.prefix;
  }

  reasonFor({ name }: ToolDefinition) {
    return `${name} does not begin with ${this.live!.headers.prefix}`;
  }
}

describe('discovered visibility policies', () => {
  it('are injectable, and each one narrows what the others leave', async () => {
    const { visibility } = await start([OnlyA, OnlyOne, Suffix]);
    expect(visibility.policies()).toHaveLength(2);
    expect(await seen(visibility.policies(), context())).toEqual(['a.one']);
    expect(await visibilityKey([visibility.policies()[0]!], context(), 1000)).toBe(JSON.stringify(['a']));
  });

  it('are none where the application has none', async () => {
    const { visibility } = await start([]);
    expect(await seen(visibility.policies(), context())).toHaveLength(4);
  });

  it.each<[string, Provider[], number]>([
    ['an alias is not a second policy', [OnlyA, { provide: 'policy', useExisting: OnlyA }], 1],
    ['a factory is one', [{ provide: 'policy', useFactory: async () => new OnlyA() }], 1],
    [
      'two instances are two',
      [1, 2].map((number) => ({ provide: `policy ${number}`, useFactory: () => new OnlyA() })),
      2,
    ],
    ['an undecorated subclass is one', [class StrictA extends OnlyA {}], 1],
    [
      'an undecorated class in the place of one is one',
      [
        {
          provide: OnlyA,
          useClass: class Other {
            filter = () => [];
          },
        },
      ],
      1,
    ],
    ['a plain object in the place of one is one', [{ provide: OnlyA, useValue: { filter: () => [] } }], 1],
  ])('%s', async (_, providers, count) => {
    const { visibility } = await start(providers);
    expect(visibility.policies()).toHaveLength(count);
    expect((await seen(visibility.policies(), context())).length).toBeLessThan(4);
  });

  it('keep the scope that @Injectable() gave them, in either order', async () => {
    @VisibilityPolicy()
    @Injectable({ scope: Scope.REQUEST })
    class Above extends OnlyA {
      readonly number = ++counter;
    }

    @Injectable({ scope: Scope.REQUEST })
    @VisibilityPolicy()
    class Below extends Above {}
    let counter = 0;
    const { visibility } = await start([Above, Below]);
    expect(await seen(visibility.policies(), context())).toEqual(['a.one', 'a.two']);
    expect(await seen(visibility.policies(), context())).toEqual(['a.one', 'a.two']);
    expect(counter).toBe(4);
  });

  it('fail the boot without a filter method', async () => {
    @VisibilityPolicy()
    class Half {
      filter: never;
    }

    @VisibilityPolicy({ scope: Scope.REQUEST })
    class ScopedHalf {
      filter: never;
    }
    const words = { code: 'INVALID_CONFIGURATION', hint: expect.stringContaining('filter(tools, context)') };
    await expect(start([Half])).rejects.toMatchObject({
      ...words,
      message: 'Half: a visibility policy needs a filter method.',
    });
    await expect(start([ScopedHalf])).rejects.toMatchObject({
      ...words,
      message: expect.stringMatching(/^ScopedHalf: /),
    });
    await expect(start([{ provide: OnlyA, useValue: {} }])).rejects.toMatchObject(words);
    await expect(start([{ provide: OnlyA, useFactory: () => undefined }])).rejects.toMatchObject(words);
  });
});

describe('a request-scoped visibility policy', () => {
  it('says of its own request why it hides a tool', async () => {
    const { visibility } = await start([OwnPrefix]);
    const own = context({ headers: { prefix: 'b.' } });
    const reasonOf = (tool: ToolDefinition) => hidingReason(visibility.policies(), tool, own, 1000);
    expect(await Promise.all(TOOLS.slice(1, 3).map(reasonOf))).toEqual(['a.two does not begin with b.', undefined]);
  });

  it('sees its own request, in parallel, and is built once for each context', async () => {
    @Controller()
    class ToolsController {
      constructor(@Inject(DiscoveredVisibility) private readonly visibility: DiscoveredVisibility) {}

      @Get(':rounds')
      async tools(@Req() live: object, @Param('rounds') rounds: string) {
        const own = context(live);
        const answers = await Promise.all(
          Array.from({ length: Number(rounds) }, () => seen(this.visibility.policies(), own)),
        );
        return { answers, key: await visibilityKey(this.visibility.policies(), own, 1000) };
      }
    }
    const { app } = await start([OwnPrefix], { imports: [DiscoveryModule], controllers: [ToolsController] });
    await app.listen(0);
    const built = OwnPrefix.built;
    const replies = await Promise.all(
      ['a', 'b', 'a', 'b', 'a', 'b'].map(async (prefix) => ({
        prefix,
        ...(await request(app.getHttpServer()).get('/3').set('prefix', prefix)).body,
      })),
    );
    for (const { prefix, answers, key } of replies) {
      expect(answers).toEqual(Array.from({ length: 3 }, () => [`${prefix}.one`, `${prefix}.two`]));
      expect(key).toBe(JSON.stringify([prefix]));
    }
    expect(OwnPrefix.built - built).toBe(replies.length);
  });

  it('is built once for each context where there is no request', async () => {
    let built = 0;

    @VisibilityPolicy({ scope: Scope.REQUEST })
    class Counted extends OnlyA {
      readonly number = ++built;
    }
    const { visibility } = await start([Counted]);
    const own = context();
    expect(await seen(visibility.policies(), own)).toEqual(await seen(visibility.policies(), own));
    expect(built).toBe(1);
    await seen(visibility.policies(), context());
    expect(built).toBe(2);
  });

  it('hides everything where there is no request to decide by', async () => {
    const { visibility } = await start([OwnPrefix]);
    expect(await askVisibility(visibility.policies(), TOOLS, context(), 1000)).toEqual({
      visible: new Set(),
      fault: 'visibility policy OwnPrefix threw',
    });
    expect(await visibilityKey(visibility.policies(), context(), 1000)).toBeUndefined();
  });

  it('lives among the request-scoped providers that the request already has', async () => {
    @Injectable({ scope: Scope.REQUEST })
    class Plan {
      name = 'none';
    }

    @VisibilityPolicy({ scope: Scope.REQUEST })
    class ByPlan implements ToolVisibilityPolicy {
      constructor(private readonly plan: Plan) {}

      filter(tools: readonly ToolDefinition[]) {
        return tools.filter(({ name }) => name.startsWith(this.plan.name));
      }
    }

    @Controller()
    class PlanController {
      constructor(
        private readonly plan: Plan,
        private readonly visibility: DiscoveredVisibility,
      ) {}

      @Get()
      tools(@Req() live: object) {
        this.plan.name = 'b';
        return seen(this.visibility.policies(), context(live));
      }
    }
    const { app } = await start([Plan, ByPlan], { imports: [DiscoveryModule], controllers: [PlanController] });
    expect((await request(app.getHttpServer()).get('/')).body).toEqual(['b.one', 'b.two']);
  });
});

describe('a visibility policy that no module provides', () => {
  @VisibilityPolicy()
  class Forgotten extends OnlyA {}

  const warnings = async (providers: Provider[]) => {
    const warned = jest.spyOn(Logger.prototype, 'warn');
    await start(providers);
    const lines = warned.mock.calls.map(([line]) => String(line)).filter((line) => line.includes('hide nothing'));
    warned.mockRestore();
    return lines.join();
  };

  it('is warned about by name, unless a class that extends or replaces it is provided', async () => {
    expect(await warnings([OnlyA])).toMatch(/hide nothing: .*\bForgotten\b.* List them/);
    class Special extends Forgotten {}
    for (const provider of [Forgotten, Special, { provide: Forgotten, useValue: new OnlyA() }]) {
      expect(await warnings([provider])).not.toContain('Forgotten');
    }
  });

  it('fails the boot where it is required', async () => {
    const required = { provide: CHECKED_OPTIONS, useValue: { visibility: { required: [Forgotten] } } };
    await expect(start([OnlyA, required])).rejects.toMatchObject({
      code: 'INVALID_CONFIGURATION',
      message: 'Forgotten is required and no module provides it.',
    });
    await start([Forgotten, required]);
  });
});
