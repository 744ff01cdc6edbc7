import {
  Body,
  type CanActivate,
  Controller,
  type ExecutionContext,
  HttpCode,
  type INestApplication,
  Injectable,
  Module,
  Post,
  Scope,
  UseGuards,
} from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import { Test } from '@nestjs/testing';
import {
  type InterceptedCall,
  type InterceptedResult,
  type NextCall,
  RequestToolbox,
  requestOf,
  RequiresTool,
  Tool,
  Toolbox,
  ToolCallInterceptor,
  type ToolEvent,
  ToolEvents,
  ToolSearchError,
  ToolSearchErrorFilter,
  ToolSearchModule,
} from '@tool-search/core';
import { FakeSource } from '@tool-search/core/testing';
import { ToolGatewayModule } from '@tool-search/gateway';
import { McpSource } from '@tool-search/mcp';
import request from 'supertest';
import { z } from 'zod';
import { USER_LOOKUP } from '../../src/auth/bearer.guard.js';
import { ToolboxController } from '../../src/toolbox/toolbox.controller.js';
import { LibraryServer } from '../gateway/support/library-server.js';
import { codeOf, ERAS, WireCaller } from '../gateway/support/wire.js';

/** What the interceptors of one application have seen, in order. */
const log: string[] = [];
const seen: InterceptedCall[] = [];

const Amount = z.object({ cents: z.number().transform((cents) => cents / 100), note: z.string().default('none') });

@Injectable()
class TillTools {
  @Tool({ description: 'Pay an amount.', input: Amount, loading: 'always' })
  pay({ cents, note }: z.infer<typeof Amount>) {
    log.push(`paid ${cents}, ${note}`);
    return { paid: cents };
  }
}

/** The last one before the tool. */
@ToolCallInterceptor({ order: 10 })
class Inner implements ToolCallInterceptor {
  intercept({ tool, arguments: given }: InterceptedCall, next: NextCall) {
    log.push(`inner ${tool.name} ${JSON.stringify(given)}`);
    return next();
  }
}

@ToolCallInterceptor()
class Outer implements ToolCallInterceptor {
  async intercept(call: InterceptedCall, next: NextCall): Promise<InterceptedResult> {
    seen.push(call);
    const { tool, arguments: given } = call;
    if (given['note'] === 'refuse' || tool.uri === 'lib:///secret') {
      throw new ToolSearchError('CALL_REFUSED', 'Nothing on Sundays.', { hint: 'Come back on Monday.' });
    }
    if (given['note'] === 'fail') throw new Error('hunter2');
    const result = await (tool.name === 'till.pay' ? next({ ...given, note: 'signed' }) : next());
    return { ...result, content: result.content.map(stamped) };
  }
}

function stamped(block: InterceptedResult['content'][number]): InterceptedResult['content'][number] {
  if (block.type === 'text') return { ...block, text: `${block.text} (seen)` };
  if (block.type !== 'resource') return block;
  return { ...block, resource: { ...block.resource, text: `${block.resource.text ?? ''} (seen)` } };
}

/** One for each request, which it reads. */
@ToolCallInterceptor({ scope: Scope.REQUEST, order: 5 })
class OfRequest implements ToolCallInterceptor {
  static built = 0;
  readonly #number = (OfRequest.built += 1);

  intercept({ context }: InterceptedCall, next: NextCall) {
    const live = requestOf(context) as { readonly headers: Readonly<Record<string, string>> } | undefined;
    log.push(`request of desk ${live?.headers['x-desk']}, interceptor ${this.#number}`);
    return next();
  }
}

@Injectable()
class Tokens implements CanActivate {
  canActivate(execution: ExecutionContext): boolean {
    const live = execution.switchToHttp().getRequest<{ headers: Record<string, string>; user?: object }>();
    const [tenantId, userId] = (live.headers['authorization'] ?? '').replace('Bearer ', '').split('.');
    live.user = { tenantId, userId };
    return true;
  }
}

@Controller('guarded')
@UseGuards(Tokens)
class GuardedController {
  @Post()
  @HttpCode(200)
  @RequiresTool('till.pay')
  guarded(@Body() _body: object) {
    return { done: true };
  }

  @Post('with')
  @HttpCode(200)
  async own(@RequestToolbox() toolbox: Toolbox) {
    const own = await toolbox.with(new FakeSource('mine', [{ name: 'tool', run: () => 'mine' }]));
    return own.call('mine.tool', { note: 'of this request' });
  }
}

describe('an interceptor is passed by every way in', () => {
  const library = new LibraryServer();
  const events: ToolEvent[] = [];
  let app: INestApplication;
  let url: string;

  beforeAll(async () => {
    const source = new McpSource({
      name: 'lib',
      url: await library.start(),
      expose: { resources: true, prompts: true },
      changes: 'trust',
    });

    @Module({
      imports: [
        ToolSearchModule.forRoot({
          context: (live: { user: { tenantId: string } }) => live.user,
          sources: [source],
          exposure: 'bridge',
        }),
        ToolGatewayModule.forRoot({
          path: 'mcp',
          guards: [Tokens],
          profiles: { plain: { exposure: 'all' } },
        }),
      ],
      controllers: [ToolboxController, GuardedController],
      providers: [
        TillTools,
        Tokens,
        Inner,
        Outer,
        OfRequest,
        {
          provide: USER_LOOKUP,
          useValue: (token: string) => ({ tenantId: token.split('.')[0], userId: token.split('.')[1] }),
        },
      ],
    })
    class App {}
    const module = await Test.createTestingModule({ imports: [App] })
      .setLogger(false as never)
      .compile();
    app = module.createNestApplication();
    app.useGlobalFilters(new ToolSearchErrorFilter(app.get(HttpAdapterHost)));
    app.get(ToolEvents).on('tool.called', (event) => void events.push(event));
    await app.listen({ port: 0, host: '127.0.0.1', backlog: 4096 } as never);
    url = await app.getUrl();
  });
  afterAll(async () => {
    await app.close();
    await library.stop();
  });
  beforeEach(() => [log, seen, events].forEach((list) => list.splice(0)));

  const post = (path: string, body: object) =>
    request(app.getHttpServer()).post(path).set('authorization', 'Bearer acme.ann').set('x-desk', 'seven').send(body);
  const paid = ['inner till.pay {"cents":250,"note":"signed"}', 'paid 2.5, signed'];
  const seenAs = () => seen.map(({ tool, arguments: given, context: { userId } }) => [tool.name, given, userId]);

  it.each([
    ['its name', { name: 'till.pay', arguments: { cents: 250 } }],
    ['the bridge', { name: 'tool_call', arguments: { name: 'till.pay', arguments: { cents: 250 } } }],
  ])('over HTTP, by %s', async (_, body) => {
    const { body: result } = await post('/toolbox/call', body).expect(200);
    expect(result).toMatchObject({ ok: true, structured: { paid: 2.5 }, content: [{ text: '{"paid":2.5} (seen)' }] });
    // JSON as the model wrote it, before the transforms of the tool.
    expect(seenAs()).toEqual([['till.pay', { cents: 250 }, 'ann']]);
    expect(log).toEqual([`request of desk seven, interceptor ${OfRequest.built}`, ...paid]);
  });

  it('over HTTP, as tools of one request', async () => {
    expect((await post('/guarded/with', {}).expect(200)).body).toMatchObject({ content: [{ text: 'mine (seen)' }] });
    expect(seenAs()).toEqual([['mine.tool', { note: 'of this request' }, 'ann']]);
  });

  it('not as a guarded route, and not as a meta tool', async () => {
    await post('/guarded', {}).expect(200);
    await post('/toolbox/call', { name: 'tool_search', arguments: { query: 'pay' } }).expect(200);
    expect(seen).toEqual([]);
  });

  it('refuses with its words and code, which are recorded, and fails without its words', async () => {
    const call = (note: string) => post('/toolbox/call', { name: 'till.pay', arguments: { cents: 1, note } });
    expect((await call('refuse')).body).toEqual({
      ok: false,
      code: 'CALL_REFUSED',
      message: 'Nothing on Sundays.',
      hint: 'Come back on Monday.',
    });
    const failed = (await call('fail')).body as object;
    expect(failed).toMatchObject({ ok: false, code: 'INTERNAL' });
    expect(JSON.stringify(failed)).not.toContain('hunter2');
    expect(events).toMatchObject([
      { tool: 'till.pay', outcome: 'CALL_REFUSED' },
      { tool: 'till.pay', outcome: 'INTERNAL' },
    ]);
    expect(log).toEqual([]);
  });

  describe.each(ERAS)('through the gateway: %s', (era) => {
    const ask = async (method: string, params: object, path = '/mcp/p/plain') =>
      (await WireCaller.of(url, era, { path })).ask(method, params);

    it('as a call, by its name and by the bridge', async () => {
      for (const [path, params] of [
        ['/mcp/p/plain', { name: 'till__pay', arguments: { cents: 250 } }],
        ['/mcp', { name: 'tool_call', arguments: { name: 'till.pay', arguments: { cents: 250 } } }],
      ] as const) {
        const { result } = await ask('tools/call', params, path);
        expect(result).toMatchObject({ content: [{ text: '{"paid":2.5} (seen)' }] });
      }
      expect(seenAs()).toEqual([1, 2].map(() => ['till.pay', { cents: 250 }, 'ann']));
      expect(log.filter((line) => !line.startsWith('request'))).toEqual([...paid, ...paid]);
    });

    it('as a refusal', async () => {
      const params = { name: 'till__pay', arguments: { cents: 1, note: 'refuse' } };
      const answer = await ask('tools/call', params);
      expect(codeOf(answer)).toBe('CALL_REFUSED');
      expect(JSON.stringify(answer.result)).toContain('Nothing on Sundays.');
    });

    it('as a read of a resource, of what fits a template, and of a prompt', async () => {
      const read = async (uri: string) => (await ask('resources/read', { uri })).result.contents[0].text as string;
      expect(await read('lib:///guide')).toBe('content of lib:///guide (seen)');
      expect(await read('lib:///any/page')).toBe('content of lib:///any/page (seen)');
      const [{ name }] = (await ask('prompts/list', {})).result.prompts;
      const { result } = await ask('prompts/get', { name, arguments: { language: 'Ada' } });
      expect(result.messages.map((message: { content: { text: string } }) => message.content.text)).toEqual([
        'Review this Ada. (seen)',
        'Show it. (seen)',
      ]);
      expect(seen.map(({ tool: { kind }, arguments: given }) => [kind, given])).toEqual([
        ['resource', {}],
        ['resource_template', { uri: 'lib:///any/page' }],
        ['prompt', { language: 'Ada' }],
      ]);
      const reads = library.reads.length;
      expect(codeOf(await ask('resources/read', { uri: 'lib:///secret' }))).toBe('CALL_REFUSED');
      expect(library.reads).toHaveLength(reads);
    });
  });
});
