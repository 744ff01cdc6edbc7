import type Anthropic from '@anthropic-ai/sdk';
import type { Message, MessageParam } from '@anthropic-ai/sdk/resources/messages';
import {
  Controller,
  Get,
  Inject,
  Injectable,
  Module,
  Post,
  Body,
  UseGuards,
  type CanActivate,
  type ExecutionContext,
  type INestApplication,
} from '@nestjs/common';
import { DocumentBuilder, SwaggerModule } from '@nestjs/swagger';
import { HealthCheck, HealthCheckService, TerminusModule } from '@nestjs/terminus';
import { adminControllers, AdminRead, KillSwitchesController, ToolAdminModule } from '@tool-search/admin';
import { ConsoleForgeryGuard, ToolConsoleController, ToolConsoleModule } from '@tool-search/console';
import { anthropic } from '@tool-search/agents/anthropic';
import { aiSdk, AiSdkSource } from '@tool-search/agents/ai-sdk';
import {
  CodeSource,
  defineTool,
  requestOf,
  RequestToolbox,
  RequiresTool,
  type TenantSourceOptions,
  TenantSources,
  Tool,
  Toolbox,
  type ToolContext,
  type ToolDefinition,
  ToolEvents,
  ToolPolicies,
  ToolSearchModule,
  ToolSearchService,
  type ToolVisibilityPolicy,
  VisibilityPolicy,
} from '@tool-search/core';
import { McpSource } from '@tool-search/mcp';
import { exposeControllers, OpenApiSource } from '@tool-search/openapi';
import { ToolSearchTelemetryModule } from '@tool-search/telemetry/opentelemetry';
import { ToolSearchHealthIndicator } from '@tool-search/telemetry/terminus';
import { ToolSearchTypeOrmModule } from '@tool-search/typeorm';
import { generateText, isStepCount, type LanguageModel, tool } from 'ai';
import { IsInt, IsPositive } from 'class-validator';
import { z } from 'zod';
import { SignedIn } from './signed-in.guard.js';

// #region guarded
/** A guard of yours. A job has no request. */
@Injectable()
export class FinanceOnly implements CanActivate {
  canActivate(execution: ExecutionContext): boolean {
    const request = execution.switchToHttp().getRequest<{ user?: { roles: string[] } } | undefined>();
    return request?.user?.roles.includes('finance') ?? false;
  }
}

export class PayoutRequest {
  @IsInt()
  @IsPositive()
  readonly cents: number;
}

@Injectable()
export class PayoutTools {
  @UseGuards(FinanceOnly) // runs for every call: by a model, a route or a job
  @Tool({
    description: 'Pay out the balance.',
    input: PayoutRequest,
    tags: ['money'],
    sideEffects: 'write',
    loading: 'deferred',
  })
  payOut({ cents }: PayoutRequest, { tenantId }: ToolContext) {
    return { tenantId, cents };
  }
}
// #endregion guarded

// #region visibility
@VisibilityPolicy()
export class PlanPolicy implements ToolVisibilityPolicy {
  filter(tools: readonly ToolDefinition[], { roles = [] }: ToolContext) {
    return tools.filter((tool) => !tool.tags.includes('money') || roles.includes('finance'));
  }

  // Contexts with equal keys share one answer.
  cacheKey({ roles = [] }: ToolContext) {
    return roles.includes('finance') ? 'finance' : 'everybody';
  }
}
// #endregion visibility

// #region agent
// #region reply
export const MODEL = Symbol('MODEL'); // provide a model of your provider's package under this token

@Injectable()
export class AgentService {
  constructor(@Inject(MODEL) private readonly model: LanguageModel) {}

  async reply(prompt: string, toolbox: Toolbox) {
    const { text } = await generateText({
      model: this.model,
      prompt,
      stopWhen: isStepCount(20),
      ...(await aiSdk(toolbox)), // tools found in one step are callable in the next
    });
    return text;
  }
}
// #endregion reply

@Controller('chat')
export class ChatController {
  constructor(private readonly agent: AgentService) {}

  @Post()
  chat(@RequestToolbox() toolbox: Toolbox, @Body() { text }: { text: string }) {
    return this.agent.reply(text, toolbox);
  }
}
// #endregion agent

// #region anthropic
export async function converse(client: Anthropic, toolbox: Toolbox, messages: MessageParam[]): Promise<Message> {
  const tools = anthropic(toolbox);
  for (;;) {
    const request = await tools.request({ messages });
    const message = await client.messages.create({ model: 'claude-sonnet-5', max_tokens: 4096, ...request });
    messages.push({ role: 'assistant', content: message.content });
    if (message.stop_reason !== 'tool_use') return message;
    messages.push(await tools.answer(message)); // calls run in parallel
  }
}
// #endregion anthropic

// #region loop
export async function withoutSdk(toolbox: Toolbox) {
  const { tools, meta, prompt } = await toolbox.surface(); // ask again before every step
  const reply = { tool: 'tool_search', input: { query: 'pay out the balance' } }; // what your model answered
  const result = await toolbox.call(reply.tool, reply.input); // never throws for a model's fault
  return { definitions: [...tools, ...meta], system: prompt.guidance, result };
}
// #endregion loop

// #region code
export const calculator = new CodeSource({
  name: 'calculator',
  loading: 'deferred',
  tools: [
    defineTool({
      name: 'add',
      description: 'Add two numbers.',
      input: z.object({ a: z.number(), b: z.number() }),
      run: ({ a, b }, { tenantId }) => `${tenantId} has ${a + b}`,
    }),
  ],
});

const translate = tool({
  description: 'Translate a text into English.',
  inputSchema: z.object({ text: z.string() }),
  execute: async ({ text }) => `in English: ${text}`,
});

export const translator = new AiSdkSource({ name: 'text', tools: { translate } }); // your existing tools of generateText()
// #endregion code

// #region servers
/** Stands for your own store of credentials. There is no context while the tools are listed. */
const tokenOf = async (context?: ToolContext) => `token-of-${context?.userId ?? 'the-service'}`;

/** `sources: servers()` in the module's options. */
export const servers = () => [
  new McpSource({
    name: 'tickets',
    url: 'https://tickets.example.com/mcp',
    headers: async (context) => ({ authorization: `Bearer ${await tokenOf(context)}` }), // each user's own
    changes: 'additive', // a vendor may add tools and optional parameters; 'strict' asks an operator about everything
  }),
  new McpSource({ name: 'wiki', url: 'http://wiki.internal:8080/mcp', egress: { allow: ['wiki.internal'] } }),
  new McpSource({
    name: 'git',
    command: 'npx',
    args: ['-y', '@cyanheads/git-mcp-server@2.15.3'],
    env: { MCP_LOG_LEVEL: 'error' }, // the child gets only this, PATH, HOME and the like
    lazy: true, // the first call starts it, once its tools are known
    include: ['git_log', 'git_diff'],
  }),
  new OpenApiSource({
    name: 'crm',
    document: new URL('https://crm.example.com/openapi.json'),
    include: [{ tags: ['customers'], methods: ['GET'] }],
    auth: { bearerAuth: tokenOf }, // by the names of the document's security schemes
  }),
];
// #endregion servers

// #region tenants
const addresses = new Map<string, string>(); // yours come from a database

/** `tenantSources: ownWikis` in the module's options. */
export const ownWikis: TenantSourceOptions = {
  load: async (tenantId) => {
    const url = addresses.get(tenantId);
    return url === undefined ? [] : [new McpSource({ name: 'wiki', url })];
  },
};

@Injectable()
export class TenantSettings {
  constructor(private readonly tenantSources: TenantSources) {}

  async connect(tenantId: string, url: string) {
    addresses.set(tenantId, url);
    await this.tenantSources.refresh(tenantId);
  }
}
// #endregion tenants

@Injectable()
export class NightlyJob {
  constructor(
    private readonly toolSearch: ToolSearchService,
    private readonly policies: ToolPolicies,
    events: ToolEvents,
  ) {
    events.on('tool.denied', ({ tenantId, tool, layer, rule }) => console.warn({ tenantId, tool, layer, rule }));
  }

  async run(tenantId: string) {
    const toolbox = this.toolSearch.open({ tenantId, roles: ['finance'], runId: 'nightly' });
    return toolbox.call('payout.pay_out', { cents: 100 });
  }

  freeze(tenantId: string) {
    this.policies.setTenant(tenantId, { deny: ['*'] }); // from the next decision on
  }
}

// #region expose-controllers
export async function withOwnRoutes(app: INestApplication) {
  const document = SwaggerModule.createDocument(app, new DocumentBuilder().setTitle('Shop').build());
  await exposeControllers(app, document, { include: [{ methods: ['GET'] }], headers: asTheUser });
}

function asTheUser(context: ToolContext): Record<string, string> {
  const request = requestOf(context) as { headers: { authorization?: string } } | undefined;
  const authorization = request?.headers.authorization;
  return authorization === undefined ? {} : { authorization }; // the guards decide as usual
}
// #endregion expose-controllers

// #region governed
@Controller('payouts')
export class PayoutController {
  @Post()
  @RequiresTool('payout.pay_out') // the decision about the tool also applies to the route
  payOut(@RequestToolbox() toolbox: Toolbox) {
    const auditor = toolbox.narrow({ allow: ['payout.*', 'crm.*'], agentId: 'auditor' }); // a subset of the tools
    return auditor.call('payout.pay_out', { cents: 100 });
  }
}

/** For operators: each layer of the decision with its rule and reason. */
export async function whyNot(toolSearch: ToolSearchService, tool: string, context: ToolContext) {
  return (await toolSearch.open(context).explain(tool)).layers.find(({ verdict }) => verdict === 'deny');
}
// #endregion governed

// #region telemetry
@Controller('health')
export class HealthController {
  constructor(
    private readonly health: HealthCheckService,
    private readonly toolSearch: ToolSearchHealthIndicator,
  ) {}

  @Get()
  @HealthCheck()
  check() {
    return this.health.check([
      () => this.toolSearch.checkCatalog('catalog'),
      () => this.toolSearch.checkControl('control'),
    ]);
  }
}

@Module({
  imports: [ToolSearchTelemetryModule, TerminusModule],
  controllers: [HealthController],
  providers: [ToolSearchHealthIndicator],
})
export class ObservabilityModule {}
// #endregion telemetry

// #region admin
@Module({
  imports: [ToolAdminModule.forRoot({ path: 'admin/tools', guards: [SignedIn] })], // your own authentication
})
export class OperatorModule {} // every route requires a context with admin: true
// #endregion admin

// #region console
@Module({
  imports: [
    ToolAdminModule.forRoot({ path: 'admin/tools', guards: [SignedIn] }), // your own authentication
    ToolConsoleModule.forRoot({ path: 'console', api: '../admin/tools' }), // GET /console
  ],
})
export class ConsoleModule {}
// #endregion console

// #region console-cookie
export const withCookie = ToolAdminModule.forRoot({
  path: 'cookie/tools',
  guards: [ConsoleForgeryGuard, SignedIn], // SignedIn reads your session cookie
});
// #endregion console-cookie

// #region console-own
@Controller('ops/console')
@UseGuards(SignedIn)
export class OpsConsole extends ToolConsoleController {} // with ToolConsoleModule.forRoot({ api: '../../admin/tools' })
// #endregion console-own

// #region admin-own
export class CountedSwitches extends KillSwitchesController {
  @Get('kill-switches/count')
  @AdminRead('Count the live kill switches') // the guards and limits of operators
  count() {
    const live = this.killSwitches.list().filter((each) => this.killSwitches.isLive(each));
    return { count: live.length };
  }
}

export const ownOperatorRoutes = ToolAdminModule.forRoot({
  path: 'ops/tools',
  guards: [SignedIn],
  controllers: adminControllers.map((each) => (each === KillSwitchesController ? CountedSwitches : each)),
});
// #endregion admin-own

/** Controllers and providers of all examples, in one module. */
export function usageModule(model: LanguageModel, document: object, mcpUrl: string) {
  @Controller('tools')
  class ToolsController {
    @Get()
    async names(@RequestToolbox() toolbox: Toolbox) {
      return (await toolbox.visible()).map(({ name }) => name);
    }
  }

  @Module({
    imports: [
      ToolSearchModule.forRoot({
        context: ({ user }: { user: ToolContext }) => user,
        sources: [
          new McpSource({ name: 'docs', url: mcpUrl, exclude: ['delete_*'] }),
          new OpenApiSource({ name: 'crm', document, include: ['list_*', 'get_*'] }),
        ],
        tenantSources: ownWikis,
        exposure: 'deferred',
      }),
      ToolSearchTypeOrmModule.forRoot({ database: ':memory:' }),
    ],
    controllers: [ChatController, PayoutController, ToolsController],
    providers: [PayoutTools, PlanPolicy, AgentService, NightlyJob, TenantSettings, { provide: MODEL, useValue: model }],
  })
  class AppModule {}

  const CodeModule = ToolSearchModule.forFeature({ sources: [calculator, translator] });

  @Module({ imports: [AppModule, CodeModule, ObservabilityModule, OperatorModule, ownOperatorRoutes] })
  class ExamplesModule {}
  return ExamplesModule;
}
