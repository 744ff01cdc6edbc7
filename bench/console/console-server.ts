import 'reflect-metadata';
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { type CanActivate, Controller, type ExecutionContext, Get, Header, Injectable, Module } from '@nestjs/common';
import { HttpAdapterHost, NestFactory } from '@nestjs/core';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import { ToolAdminModule } from '@tool-search/admin';
import { ConsoleForgeryGuard, ToolConsoleModule } from '@tool-search/console';
import { ToolSearchError, ToolSearchModule } from '@tool-search/core';
import { McpSource } from '@tool-search/mcp';
import { AppModule } from '../../src/app.module.js';
import { APPLICATION_OPTIONS, configure } from '../../src/application.js';
import type { AuthenticatedRequest } from '../../src/auth/user.js';
import { ProblemFilter } from '../../src/problem.filter.js';
import { WideSource } from './wide-source.js';

// The reference server on Express or Fastify, with one more source: an MCP server whose tools change with a file. With the
// third argument `wide`, also with 10,000 tools. A second console is for operators whom a cookie signs in.

const SESSION = { id: randomUUID(), isOpen: false };

@Controller('cookie')
class SessionController {
  @Get('sign-in')
  @Header('content-type', 'text/html; charset=utf-8')
  @Header('set-cookie', `session=${SESSION.id}; HttpOnly; SameSite=Lax; Path=/cookie`)
  signIn(): string {
    SESSION.isOpen = true;
    return '<!doctype html><html lang="en"><title>Application</title><h1>You are signed in</h1></html>';
  }

  @Get('end')
  end(): object {
    SESSION.isOpen = false;
    return {};
  }
}

@Injectable()
class SessionGuard implements CanActivate {
  canActivate(execution: ExecutionContext): boolean {
    const request = execution
      .switchToHttp()
      .getRequest<{ -readonly [Part in keyof AuthenticatedRequest]: AuthenticatedRequest[Part] }>();
    if (!SESSION.isOpen || request.headers['cookie'] !== `session=${SESSION.id}`) {
      throw new ToolSearchError('UNAUTHENTICATED', 'Your session has ended.', { hint: 'Sign in to the application.' });
    }
    request.user = { id: 'carla', tenantId: 'ops', plan: 'business', roles: ['admin'] };
    return true;
  }
}

async function main(): Promise<void> {
  const [, , adapter, versionFile = '', wide] = process.argv;
  const command = process.execPath;
  const docs = new McpSource({ name: 'docs', command, args: [join(__dirname, 'docs-mcp-server.js'), versionFile] });

  const sources = wide === 'wide' ? [docs, new WideSource()] : [docs];

  @Module({
    imports: [
      AppModule,
      ToolSearchModule.forFeature({ sources }),
      ToolAdminModule.forRoot({ path: 'cookie/tools', guards: [ConsoleForgeryGuard, SessionGuard] }),
      ToolConsoleModule.forRoot({ path: 'cookie/console', api: '../tools', signIn: '../sign-in' }),
    ],
    controllers: [SessionController],
  })
  class CheckedModule {}

  const app = adapter === 'fastify' ? await onFastify(CheckedModule) : await onExpress(CheckedModule);
  await app.listen(0, '127.0.0.1');
  console.log(`Ready on ${await app.getUrl()},`);
}

async function onExpress(module: object): Promise<NestExpressApplication> {
  const options = { ...APPLICATION_OPTIONS, logger: false as const };
  return configure(await NestFactory.create<NestExpressApplication>(module, options));
}

async function onFastify(module: object): Promise<NestFastifyApplication> {
  const options = { logger: false as const, forceCloseConnections: true };
  const app = await NestFactory.create<NestFastifyApplication>(module, new FastifyAdapter(), options);
  app.useGlobalFilters(new ProblemFilter(app.get(HttpAdapterHost)));
  app.enableShutdownHooks();
  return app;
}

void main();
