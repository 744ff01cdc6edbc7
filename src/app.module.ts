import { type MiddlewareConsumer, Module, type NestModule } from '@nestjs/common';
import { ConfigModule } from '@nestjs/config';
import { ApiBearerAuth } from '@nestjs/swagger';
import { TerminusModule } from '@nestjs/terminus';
import { ToolAdminModule } from '@tool-search/admin';
import { ToolConsoleModule } from '@tool-search/console';
import { ToolSearchModule } from '@tool-search/core';
import { ToolGatewayModule } from '@tool-search/gateway';
import { ToolSearchTelemetryModule } from '@tool-search/telemetry/opentelemetry';
import { ToolSearchHealthIndicator } from '@tool-search/telemetry/terminus';
import { ToolSearchTypeOrmModule } from '@tool-search/typeorm';
import { AuthModule } from './auth/auth.module.js';
import { BearerGuard } from './auth/bearer.guard.js';
import { OwnHostMiddleware } from './auth/own-host.middleware.js';
import { McpGuard } from './auth/mcp.guard.js';
import { contextOf } from './auth/tool-context.js';
import { userOfClaims } from './auth/user-of-claims.js';
import { BillingModule } from './billing/billing.module.js';
import { AgentService } from './chat/agent.service.js';
import { ChatController } from './chat/chat.controller.js';
import { CHAT_MODEL, chatModel } from './chat/chat-model.js';
import { HealthController } from './health/health.controller.js';
import { databasePlace, ENV_FILES } from './settings/database-place.js';
import { type Environment, environment } from './settings/environment.js';
import { recordedContent } from './settings/recorded-content.js';
import { toolSources } from './settings/tool-sources.js';
import { ToolboxController } from './toolbox/toolbox.controller.js';

@Module({
  imports: [
    ConfigModule.forRoot({
      isGlobal: true,
      load: [environment],
      envFilePath: ENV_FILES,
    }),
    ToolSearchModule.forRootAsync({
      inject: [environment.KEY],
      useFactory: (env: Environment) => ({
        ...env.options,
        ...recordedContent(env),
        context: contextOf,
        sources: toolSources(env),
      }),
    }),
    ToolSearchTypeOrmModule.forRootAsync({
      inject: [environment.KEY],
      useFactory: databasePlace,
    }),
    ToolSearchTelemetryModule,
    AuthModule,
    ToolAdminModule.forRootAsync({
      path: 'admin/tools',
      guards: [BearerGuard],
      decorators: [ApiBearerAuth()],
      imports: [AuthModule],
      inject: [environment.KEY],
      useFactory: (env: Environment) => env.admin,
    }),
    // Public and without data: it asks for the operator's token and sends it to the routes above.
    ToolConsoleModule.forRoot({ path: 'console', api: '../admin/tools', gateway: '../mcp' }),
    ToolGatewayModule.forRootAsync({
      path: 'mcp',
      guards: [McpGuard],
      imports: [AuthModule],
      inject: [environment.KEY],
      useFactory: ({ gateway: { oauth, ...gateway } }: Environment) => ({
        ...gateway,
        ...(oauth && { oauth: { ...oauth, user: userOfClaims } }),
      }),
    }),
    BillingModule,
    TerminusModule.forRoot({ logger: false }),
  ],
  controllers: [ToolboxController, ChatController, HealthController],
  providers: [
    AgentService,
    ToolSearchHealthIndicator,
    { provide: CHAT_MODEL, inject: [environment.KEY], useFactory: chatModel },
  ],
})
export class AppModule implements NestModule {
  configure(consumer: MiddlewareConsumer): void {
    consumer.apply(OwnHostMiddleware).forRoutes('{*path}');
  }
}
