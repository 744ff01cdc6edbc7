import {
  type CanActivate,
  Controller,
  Get,
  Injectable,
  Logger,
  Module,
  type Provider,
  Scope,
  UseGuards,
  UsePipes,
  ValidationPipe,
} from '@nestjs/common';
import { APP_GUARD, DiscoveryModule } from '@nestjs/core';
import { Test, type TestingModuleBuilder } from '@nestjs/testing';
import { IsInt, ValidateNested } from 'class-validator';
import { z } from 'zod';
import { ingest } from '../../catalog/ingest/ingest.js';
import { toolContext } from '../../tool/tool-context.js';
import { ToolSearchError } from '../../tool/tool-search.error.js';
import { DecoratedToolSource } from './decorated-tools.js';
import { Tool } from '../decorators/tool.decorator.js';

const closing: (() => Promise<void>)[] = [];
beforeAll(() => Logger.overrideLogger(false));
afterEach(async () => {
  await Promise.all(closing.splice(0).map((close) => close()));
});

async function start(
  providers: Provider[],
  {
    controllers = [],
    imports = [],
    override = (builder: TestingModuleBuilder) => builder,
  }: {
    controllers?: (new () => object)[];
    imports?: (new () => object)[];
    override?: (builder: TestingModuleBuilder) => TestingModuleBuilder;
  } = {},
) {
  const builder = Test.createTestingModule({
    imports: [DiscoveryModule, ...imports],
    providers: [DecoratedToolSource, ...providers],
    controllers,
  });
  const module = await override(builder).compile();
  closing.push(() => module.close());
  await module.init();
  return module.get(DecoratedToolSource);
}

const names = async (source: DecoratedToolSource) => (await source.load()).map(({ name }) => name).sort();

const refusal = (providers: Provider[], more = {}) =>
  start(providers, more).then(
    () => 'booted',
    (error: unknown) => {
      expect(error).toBeInstanceOf(ToolSearchError);
      return error as ToolSearchError;
    },
  );

const call = (source: DecoratedToolSource, name: string, input: object = {}) =>
  source.call(name, input, toolContext({ tenantId: 'acme' }), {
    id: '1',
    signal: new AbortController().signal,
    deadline: Date.now() + 10_000,
    progress: () => undefined,
  });

@Injectable()
class BillingTools {
  @Tool({ description: 'Refund.', tags: ['money'], sideEffects: 'write', timeoutMs: 5000 })
  refund() {
    return this.own();
  }

  protected own() {
    return 'refunded';
  }
}

@Injectable()
class Refuse implements CanActivate {
  canActivate() {
    return false;
  }
}

@Injectable()
class Allow implements CanActivate {
  canActivate() {
    return true;
  }
}

describe('discovery of decorated tools', () => {
  it('keeps loading and examples of the decorator, with any option of the module', async () => {
    @Injectable()
    class CrmTools {
      @Tool({
        description: 'Find.',
        loading: 'deferred',
        input: { type: 'object', properties: { id: { type: 'integer' } } },
        examples: [{ args: { id: 7 }, description: 'One.', tags: ['minimal'] }],
      })
      find() {}

      @Tool({ description: 'List.', loading: 'always' })
      list() {}

      @Tool({ description: 'Drop.' })
      drop() {}
    }
    const source = await start([CrmTools]);
    for (const byDefault of ['always', 'deferred'] as const) {
      // The catalog's default when no glob of the module matches the tool.
      const { tools } = ingest(source, await source.load(), (_name, loading) => loading ?? byDefault);
      const kept = tools.map(({ definition: { name, loading, examples } }) => [name, loading, examples]);
      expect(Object.fromEntries(kept.map(([name, ...rest]) => [name, rest]))).toEqual({
        'crm.find': ['deferred', [{ args: { id: 7 }, description: 'One.', tags: ['minimal'] }]],
        'crm.list': ['always', []],
        'crm.drop': [byDefault, []],
      });
    }
  });

  it('names them after class and method by default', async () => {
    @Injectable()
    class HTTPStatusService {
      @Tool({ description: 'A.' })
      getURLFor2Hosts() {}

      @Tool({ description: 'B.', name: 'probe', namespace: 'net.http' })
      second() {}

      @Tool({ description: 'C.', namespace: '' })
      bare() {}
    }

    @Injectable()
    class Tools {
      @Tool({ description: 'D.' })
      run() {}
    }
    const source = await start([HTTPStatusService, Tools]);
    expect(await names(source)).toEqual(['bare', 'http_status.get_url_for2_hosts', 'net.http.probe', 'tools.run']);
  });

  it('hands the declarations over as the catalog wants them', async () => {
    const source = await start([BillingTools]);
    const [declaration] = await source.load();
    expect(declaration).toEqual({
      name: 'billing.refund',
      namespace: '',
      description: 'Refund.',
      tags: ['money'],
      sideEffects: 'write',
      timeoutMs: 5000,
      inputSchema: { type: 'object', properties: {}, additionalProperties: false },
    });
    const { tools, refused } = ingest(source, await source.load(), () => 'always');
    expect(refused).toEqual([]);
    expect(tools[0]).toMatchObject({
      definition: { name: 'billing.refund', source: 'app', loading: 'always' },
      executor: { timeoutMs: 5000 },
    });
    expect((await call(source, tools[0]!.executor.localName)).content).toEqual([{ type: 'text', text: 'refunded' }]);
  });

  it.each<[string, Provider[]]>([
    ['a class', [BillingTools]],
    ['useFactory', [{ provide: 'billing', useFactory: async () => new BillingTools() }]],
    [
      'a request-scoped useFactory',
      [{ provide: BillingTools, scope: Scope.REQUEST, useFactory: () => new BillingTools() }],
    ],
    ['useValue', [{ provide: 'billing', useValue: new BillingTools() }]],
    ['useExisting', [BillingTools, { provide: 'billing', useExisting: BillingTools }]],
    ['a stand-in with the same methods', [{ provide: BillingTools, useValue: { refund: () => 'refunded' } }]],
  ])('finds and calls tools provided by %s, once', async (_, providers) => {
    const source = await start(providers);
    const [name, ...others] = await names(source);
    expect(others).toEqual([]);
    expect((await call(source, name!)).content).toEqual([{ type: 'text', text: 'refunded' }]);
  });

  it('counts a class of two modules once, and its subclass as another', async () => {
    @Module({ providers: [BillingTools] })
    class Other {}

    @Injectable()
    class CreditTools extends BillingTools {
      protected override own() {
        return 'credited';
      }
    }
    const source = await start([BillingTools, CreditTools], {
      imports: [Other],
    });
    expect(await names(source)).toEqual(['billing.refund', 'credit.refund']);
    expect((await call(source, 'credit.refund')).content).toEqual([{ type: 'text', text: 'credited' }]);
  });

  it('constructs a transient class, and never calls the placeholder Nest keeps for it', async () => {
    @Injectable({ scope: Scope.TRANSIENT })
    class CounterTools {
      static built = 0;
      readonly number = ++CounterTools.built;

      @Tool({ description: 'Number.' })
      number_of() {
        return `number ${this.number}`;
      }
    }
    const source = await start([CounterTools]);
    expect((await call(source, 'counter.number_of')).content).toEqual([
      { type: 'text', text: expect.stringMatching(/^number \d$/) },
    ]);
  });

  it('finds tools on controllers that bring no guards of their own', async () => {
    @Controller()
    class StatusController {
      @Get()
      @Tool({ description: 'Status.' })
      status() {
        return 'up';
      }
    }
    const source = await start([], { controllers: [StatusController] });
    expect((await call(source, 'status.status')).content).toEqual([{ type: 'text', text: 'up' }]);
  });

  it('runs what a test puts in the place of a provider, behind the same guards', async () => {
    const refuse = { canActivate: () => false };

    @UseGuards(Allow)
    @Injectable()
    class GuardedTools {
      @Tool({ description: 'Run.' })
      run() {
        return 'real';
      }
    }
    const fake = { run: () => 'fake' };
    const source = await start([GuardedTools], {
      override: (builder) => builder.overrideProvider(GuardedTools).useValue(fake),
    });
    expect((await call(source, 'guarded.run')).content).toEqual([{ type: 'text', text: 'fake' }]);
    const shut = await start([GuardedTools], {
      override: (builder) =>
        builder.overrideProvider(GuardedTools).useValue(fake).overrideGuard(Allow).useValue(refuse),
    });
    await expect(call(shut, 'guarded.run')).rejects.toMatchObject({ code: 'TOOL_FORBIDDEN' });
  });
});

describe('input of decorated tools', () => {
  it('may be a Standard Schema, a DTO class or JSON Schema, each checked in its own way', async () => {
    class Line {
      @IsInt()
      quantity: number;
    }

    @Injectable()
    class InputTools {
      @Tool({
        description: 'Z.',
        input: z.object({ quantity: z.int().default(3) }),
        output: z.object({ ok: z.boolean().default(true) }),
      })
      standard(input: { quantity: number }) {
        return input;
      }

      @Tool({ description: 'D.', input: Line, output: Line })
      dto(input: Line) {
        return input;
      }

      @Tool({
        description: 'J.',
        input: { type: 'object', properties: { quantity: { type: 'integer' } }, required: ['quantity'] },
      })
      raw(input: { quantity: number }) {
        return input;
      }

      @Tool({ description: 'U.', input: z.union([z.object({ a: z.string() }), z.object({ b: z.string() })]) })
      either(input: { a: string } | { b: string }) {
        return input;
      }
    }
    const source = await start([InputTools]);
    const { tools } = ingest(source, await source.load(), () => 'always');
    const tool = (name: string) => tools.find(({ definition }) => definition.name === `input.${name}`)!;
    for (const name of ['standard', 'dto', 'raw']) {
      expect(tool(name).definition.inputSchema).toMatchObject({
        type: 'object',
        properties: { quantity: { type: 'integer' } },
      });
      expect(await tool(name).executor.validate({ quantity: '5' })).toMatchObject({ issues: [{ path: '/quantity' }] });
      expect(await tool(name).executor.validate({ quantity: 5 })).toEqual({ value: { quantity: 5 } });
    }
    expect(await tool('standard').executor.validate({})).toEqual({ value: { quantity: 3 } });
    expect(await tool('dto').executor.validate({ quantity: 5 })).toEqual({ value: expect.any(Line) });
    expect(tool('standard').definition.outputSchema).toMatchObject({ required: ['ok'] });
    expect(tool('dto').definition.outputSchema).toMatchObject({ required: ['quantity'] });
    const { inputSchema } = tool('either').definition;
    expect(inputSchema).toMatchObject({ type: 'object', properties: { a: expect.anything(), b: expect.anything() } });
    expect(inputSchema).not.toHaveProperty('anyOf');
  });
});

describe('the boot', () => {
  it('fails for two methods that claim one name or alias, and names both', async () => {
    @Injectable()
    class PayTools {
      @Tool({ description: 'A.', namespace: 'billing' })
      refund() {}
    }

    @Injectable()
    class GiveTools {
      @Tool({ description: 'B.', aliases: ['billing.refund'] })
      give() {}
    }
    expect(await refusal([BillingTools, PayTools])).toMatchObject({
      code: 'DUPLICATE_TOOL',
      message: 'PayTools.refund and BillingTools.refund both claim the name billing.refund.',
      hint: expect.stringContaining('namespace'),
    });
    expect(await refusal([BillingTools, GiveTools])).toMatchObject({
      message: 'GiveTools.give and BillingTools.refund both claim the name billing.refund.',
    });
  });

  class Nested {
    @ValidateNested()
    lines: object[];
  }

  const options: [string, object, RegExp][] = [
    ['an illegal name', { name: 'ref und' }, /^FaultyTools\.run: faulty\.ref und: the name must be/],
    ['a name with a dot', { name: 'a.b' }, /^FaultyTools\.run: a name has no dot/],
    ['the name of a meta tool', { namespace: '', name: 'tool_search' }, /reserved for a meta tool/],
    ['no description', { description: ' ' }, /the description is missing/],
    ['an example query that is too long', { exampleQueries: ['x'.repeat(201)] }, /exampleQueries must be/],
    ['an unknown side effect', { sideEffects: 'none' }, /sideEffects must be one of/],
    ['a deadline of nothing', { timeoutMs: 0 }, /timeoutMs must be a whole number/],
    ['an input that is no object', { input: z.string() }, /^FaultyTools\.run: The input is not an object/],
    ['an input that JSON cannot carry', { input: z.object({ at: z.date() }) }, /parts that JSON Schema cannot express/],
    ['an input that is no schema', { input: 'string' }, /The schema is none/],
    [
      'a reference to nowhere',
      { input: { type: 'object', properties: { a: { $ref: '#/$defs/Gone' } } } },
      /cannot be compiled/,
    ],
    [
      'a reference to elsewhere',
      { output: { type: 'object', $ref: 'https://example.com/a' } },
      /refers to another document/,
    ],
    ['a keyword misused', { output: { type: 'object', required: 'all' } }, /schema is invalid/],
    [
      'a DTO class without decorators',
      { input: class Empty {} },
      /The DTO class Empty .* no class-validator decorators/,
    ],
    ['a nested DTO without a type', { input: Nested }, /The DTO class Nested .* lines is nested/],
    [
      'an example that does not fit',
      {
        input: { type: 'object', properties: { id: { type: 'integer' } } },
        examples: [{ args: { id: 1 } }, { args: { id: 'one' } }],
      },
      /^FaultyTools\.run: faulty\.run: examples\[1\] does not fit the input schema: \/id /,
    ],
    ['a text with something hidden in it', { description: 'Run.\u202e' }, /does not see/],
  ];
  it.each(options)('fails for %s, with class, method and remedy', async (_, fault, words) => {
    @Injectable()
    class FaultyTools {
      @Tool({ description: 'Run.', ...fault } as never)
      run() {}
    }
    const error = await refusal([FaultyTools]);
    expect(error).toMatchObject({
      code: 'INVALID_CONFIGURATION',
      message: expect.stringMatching(words),
      hint: expect.any(String),
    });
    expect((error as ToolSearchError).message).toMatch(/^FaultyTools\.run: /);
  });

  it('fails where what is provided has no such method', async () => {
    expect(await refusal([{ provide: BillingTools, useValue: {} }])).toMatchObject({
      code: 'INVALID_CONFIGURATION',
      message: 'BillingTools.refund: billing.refund has no handler.',
    });
  });

  describe('fails where Nest would leave out a guard or pipe without a word:', () => {
    @UseGuards(Allow)
    @Injectable()
    class GuardedTools {
      @Tool({ description: 'Run.' })
      run() {
        return 'ran';
      }
    }

    @Injectable()
    class PipedTools {
      @UsePipes(ValidationPipe)
      @Tool({ description: 'Run.' })
      run() {}
    }

    @Injectable({ scope: Scope.TRANSIENT })
    class Fleeting extends Allow {}

    @UseGuards(Fleeting)
    @Injectable()
    class FleetingTools extends GuardedTools {}

    @UseGuards(Allow)
    @Controller()
    class GuardedController {
      @Tool({ description: 'Run.' })
      run() {}
    }

    @Injectable({ scope: Scope.REQUEST })
    class Scoped extends Allow {}

    @UseGuards(Scoped)
    @Injectable()
    class ScopedTools extends BillingTools {}

    class BesideTools extends ScopedTools {}

    it.each<[string, Provider[], (new () => object)[]]>([
      [
        'a request-scoped guard on a factory, beside a class that brings it',
        [ScopedTools, { provide: 'beside', useFactory: () => new BesideTools() }],
        [],
      ],
      ['a class guard on a factory', [{ provide: GuardedTools, useFactory: () => new GuardedTools() }], []],
      ['a class guard on a value', [{ provide: 'guarded', useValue: new GuardedTools() }], []],
      ['a class pipe on a factory', [{ provide: PipedTools, useFactory: () => new PipedTools() }], []],
      ['a class guard on a controller', [], [GuardedController]],
      ['a transient guard', [FleetingTools], []],
      ['a transient global guard', [BillingTools, { provide: APP_GUARD, useClass: Fleeting }], []],
    ])('%s', async (_, providers, controllers) => {
      expect(await refusal(providers, { controllers })).toMatchObject({
        code: 'INVALID_CONFIGURATION',
        message: expect.stringMatching(/^\w+\.\w+: Nest would not run .+ here\.$/),
      });
    });

    it('but not where a class guard can be bound: on a class under another token', async () => {
      @UseGuards(Refuse)
      @Injectable()
      class ClosedTools extends GuardedTools {}
      const source = await start([{ provide: 'closed', useClass: ClosedTools }]);
      await expect(call(source, 'closed.run')).rejects.toMatchObject({ code: 'TOOL_FORBIDDEN' });
    });

    it('while a guard that is an instance is always run', async () => {
      @UseGuards({ canActivate: () => false })
      @Injectable()
      class ShutTools extends BillingTools {}
      const source = await start([{ provide: 'shut', useFactory: () => new ShutTools() }]);
      await expect(call(source, 'shut.refund')).rejects.toMatchObject({ code: 'TOOL_FORBIDDEN' });
    });
  });
});
