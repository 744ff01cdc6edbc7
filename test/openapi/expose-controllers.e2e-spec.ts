import {
  Body,
  type CanActivate,
  Controller,
  Delete,
  type ExecutionContext,
  forwardRef,
  Get,
  Inject,
  type INestApplication,
  Injectable,
  Module,
  Param,
  Post,
  UseGuards,
  VERSION_NEUTRAL,
} from '@nestjs/common';
import {
  ApiBearerAuth,
  ApiExcludeEndpoint,
  ApiExtension,
  ApiOperation,
  ApiProperty,
  DocumentBuilder,
  SwaggerModule,
} from '@nestjs/swagger';
import { Test } from '@nestjs/testing';
import {
  RequestToolbox,
  requestOf,
  Toolbox,
  ToolCatalog,
  ToolSearchModule,
  ToolSearchService,
} from '@tool-search/core';
import { exposeControllers, type ExposeControllersOptions } from '@tool-search/openapi';

interface Incoming {
  readonly headers: Readonly<Record<string, string | undefined>>;
}

const authorizationOf = (request: object | undefined) => (request as Incoming | undefined)?.headers['authorization'];

@Injectable()
class SignedIn implements CanActivate {
  canActivate(execution: ExecutionContext): boolean {
    return authorizationOf(execution.switchToHttp().getRequest<Incoming>())?.startsWith('Bearer ') ?? false;
  }
}

class NewNote {
  @ApiProperty()
  text: string;
}

@Controller('notes')
class NotesController {
  @Get(':id')
  @ApiOperation({ summary: 'Read a note.' })
  read(@Param('id') id: string) {
    return { id };
  }

  @Post()
  @UseGuards(SignedIn)
  @ApiBearerAuth()
  @ApiOperation({ summary: 'Write a note.' })
  write(@Body() { text }: NewNote) {
    return { written: text };
  }

  @Delete(':id')
  @ApiExcludeEndpoint()
  remove() {}

  @Delete()
  @ApiExtension('x-tool-search', false)
  removeAll() {}
}

@Controller('toolbox')
class ToolsController {
  @Get()
  async names(@RequestToolbox() toolbox: Toolbox) {
    return (await toolbox.visible()).map(({ name }) => name);
  }

  @Post('call')
  call(@RequestToolbox() toolbox: Toolbox, @Body() { name, input }: { name: string; input: object }) {
    return toolbox.call(name, input);
  }
}

/** Uses tools in an injected service, at a path that does not mention them. */
@Injectable()
class Assistant {
  constructor(@Inject(ToolSearchService) readonly tools: ToolSearchService) {}
}

@Controller({ path: 'helper', version: VERSION_NEUTRAL })
class HelperController {
  constructor(@Inject(Assistant) readonly assistant: Assistant) {}

  @Post(':id/ask')
  ask(@Param('id') id: string) {
    return id;
  }
}

@Controller('mixed')
class MixedController {
  @Get('words')
  words() {
    return [];
  }

  @Post('run/:name')
  run(@Param('name') name: string, @RequestToolbox() toolbox: Toolbox) {
    return toolbox.call(name, {});
  }
}

/** As compiled without type metadata, or with property injection. */
@Controller('errands')
class UntypedController {
  @Inject(ToolSearchService) readonly tools: unknown;

  @Post()
  errand() {
    return this.tools;
  }
}

@Controller('loose')
class LooseController {
  @Get('words')
  words() {
    return [];
  }

  @Post('run')
  run(@RequestToolbox() toolbox: unknown) {
    return toolbox;
  }
}

@Injectable()
class Circular {
  constructor(@Inject(forwardRef(() => ToolSearchService)) readonly tools: unknown) {}
}

@Controller('circle')
class CircularController {
  constructor(@Inject(Circular) readonly circular: unknown) {}

  @Post()
  turn() {
    return this.circular;
  }
}

async function create(): Promise<INestApplication> {
  @Module({
    imports: [ToolSearchModule.forRoot({ context: () => ({ tenantId: 't' }), catalog: { bootWaitMs: 600_000 } })],
    controllers: [
      NotesController,
      ToolsController,
      HelperController,
      MixedController,
      UntypedController,
      LooseController,
      CircularController,
    ],
    providers: [Assistant, Circular],
  })
  class App {}
  const module = await Test.createTestingModule({ imports: [App] })
    .setLogger(false as never)
    .compile();
  return module.createNestApplication({ forceCloseConnections: true });
}

const documentOf = (app: INestApplication) =>
  SwaggerModule.createDocument(app, new DocumentBuilder().setTitle('Notes').addBearerAuth().build());

describe("an application's own API as a source", () => {
  let app: INestApplication;
  let url: string;
  const start = async (options?: ExposeControllersOptions) => {
    app = await create();
    await exposeControllers(app, documentOf(app), options);
    await app.listen(0, '127.0.0.1');
    url = await app.getUrl();
  };
  afterEach(() => app?.close());

  const call = async (name: string, input: object, authorization?: string) => {
    const response = await fetch(`${url}/toolbox/call`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...(authorization ? { authorization } : {}) },
      body: JSON.stringify({ name, input }),
    });
    return (await response.json()) as object;
  };

  it('is its controllers, without the routes of the tools and without what is excluded', async () => {
    await start();
    expect(await (await fetch(`${url}/toolbox`)).json()).toEqual([
      'api.loose_words',
      'api.mixed_words',
      'api.notes_read',
      'api.notes_write',
    ]);
    expect(app.get(ToolCatalog).sources()[0]?.refused).toEqual([]);
  });

  it('has the routes of the tools as well where the application names none to leave out', async () => {
    await start({ toolRoutes: [] });
    expect(await (await fetch(`${url}/toolbox`)).json()).toEqual(
      expect.arrayContaining(['api.helper_ask', 'api.mixed_run', 'api.tools_call']),
    );
  });

  it('is called over HTTP, and its guards see an anonymous caller unless the application says otherwise', async () => {
    await start();
    expect(await call('api.notes_read', { id: 'a/../b?c' })).toMatchObject({ code: 'INVALID_ARGUMENTS' });
    expect(await call('api.notes_read', { id: 'a b' })).toMatchObject({ structured: { id: 'a b' } });
    expect(await call('api.notes_write', { text: 'hi' }, 'Bearer ada')).toMatchObject({
      ok: false,
      code: 'TOOL_FAILED',
      content: [{ text: expect.stringMatching(/^HTTP 403/) }],
    });
  });

  it("carries the user's own credentials, and none without a user", async () => {
    await start({
      namespace: 'own',
      headers: (context): Record<string, string> => {
        const authorization = authorizationOf(requestOf(context));
        return authorization === undefined ? {} : { authorization };
      },
    });
    const write = (authorization?: string) => call('own.notes_write', { text: 'hi' }, authorization);
    expect(await write('Bearer ada')).toMatchObject({ ok: true, structured: { written: 'hi' } });
    expect(await write()).toMatchObject({ ok: false, code: 'TOOL_FAILED' });
    const job = app.get(ToolSearchService).open({ tenantId: 't' });
    expect(await job.call('own.notes_write', { text: 'hi' })).toMatchObject({ code: 'TOOL_FAILED' });
  });

  it('can be added to an application that is running', async () => {
    app = await create();
    await app.listen(0, '127.0.0.1');
    url = await app.getUrl();
    const source = await exposeControllers(app, documentOf(app), { include: [{ paths: ['/notes*'] }] });
    expect(source.report.unused).toEqual([]);
    expect(await call('api.notes_read', { id: '1' })).toMatchObject({ structured: { id: '1' } });
  });

  it('says that it cannot be called before the application listens', async () => {
    app = await create();
    await exposeControllers(app, documentOf(app));
    await app.init();
    const toolbox = app.get(ToolSearchService).open({ tenantId: 't' });
    expect(await toolbox.call('api.notes_read', { id: '1' })).toMatchObject({ code: 'SOURCE_UNAVAILABLE' });
    await app.listen(0, '::');
    expect(await toolbox.call('api.notes_read', { id: '1' })).toMatchObject({ ok: true });
  });
});
