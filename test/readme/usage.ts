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
} from '@nestjs/common';
import { aiSdk } from '@tool-search/agents/ai-sdk';
import {
  RequestToolbox,
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
import { OpenApiSource } from '@tool-search/openapi';
import { ToolSearchTypeOrmModule } from '@tool-search/typeorm';
import { generateText, isStepCount, type LanguageModel } from 'ai';
import { IsInt, IsPositive } from 'class-validator';

/** Injection token of the model; yours comes from your provider's package. */
export const MODEL = Symbol('MODEL');

/** A guard of the application's own. */
@Injectable()
export class FinanceOnly implements CanActivate {
  canActivate(execution: ExecutionContext): boolean {
    const request = execution.switchToHttp().getRequest<{ user?: { roles: string[] } } | undefined>();
    return request?.user?.roles.includes('finance') ?? false;
  }
}

// #region guarded
export class PayoutRequest {
  @IsInt()
  @IsPositive()
  readonly cents: number;
}

@Injectable()
export class PayoutTools {
  @UseGuards(FinanceOnly) // runs whoever calls: a model, a route, a job
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

@Controller('chat')
export class ChatController {
  constructor(private readonly agent: AgentService) {}

  @Post()
  chat(@RequestToolbox() toolbox: Toolbox, @Body() { text }: { text: string }) {
    return this.agent.reply(text, toolbox);
  }
}
// #endregion agent

// #region loop
export async function withoutSdk(toolbox: Toolbox) {
  const { tools, meta, prompt } = await toolbox.surface(); // ask again before every step
  const reply = { tool: 'tool_search', input: { query: 'pay out the balance' } }; // what your model answered
  const result = await toolbox.call(reply.tool, reply.input); // never throws for a model's fault
  return { definitions: [...tools, ...meta], system: prompt.guidance, result };
}
// #endregion loop

// #region outside
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
// #endregion outside

/** Controllers and providers of the examples, for one application. */
export function usageModule(model: LanguageModel, document: object, mcpUrl: string) {
  @Controller('tools')
  class ToolsController {
    @Get()
    async names(@RequestToolbox() toolbox: Toolbox) {
      return (await toolbox.visible()).map(({ name }) => name);
    }
  }

  // #region sources
  @Module({
    imports: [
      ToolSearchModule.forRoot({
        context: ({ user }: { user: ToolContext }) => user,
        sources: [
          new McpSource({ name: 'docs', url: mcpUrl, exclude: ['delete_*'] }),
          new OpenApiSource({ name: 'crm', document, include: ['list_*', 'get_*'] }),
        ],
        exposure: 'deferred',
      }),
      ToolSearchTypeOrmModule.forRoot({ database: ':memory:' }), // or { url: process.env.DATABASE_URL }
    ],
    controllers: [ChatController, ToolsController],
    providers: [PayoutTools, PlanPolicy, AgentService, NightlyJob, { provide: MODEL, useValue: model }],
  })
  class AppModule {}
  // #endregion sources
  return AppModule;
}
