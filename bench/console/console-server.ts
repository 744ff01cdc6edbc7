import 'reflect-metadata';
import { join } from 'node:path';
import { Module } from '@nestjs/common';
import { HttpAdapterHost, NestFactory } from '@nestjs/core';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import { ToolSearchModule } from '@tool-search/core';
import { McpSource } from '@tool-search/mcp';
import { AppModule } from '../../src/app.module.js';
import { APPLICATION_OPTIONS, configure } from '../../src/application.js';
import { ProblemFilter } from '../../src/problem.filter.js';
import { WideSource } from './wide-source.js';

// The reference server on Express or Fastify, with one more source: an MCP server whose tools change with a file. With the
// third argument `wide`, also with 10,000 tools.

async function main(): Promise<void> {
  const [, , adapter, versionFile = '', wide] = process.argv;
  const command = process.execPath;
  const docs = new McpSource({ name: 'docs', command, args: [join(__dirname, 'docs-mcp-server.js'), versionFile] });

  const sources = wide === 'wide' ? [docs, new WideSource()] : [docs];

  @Module({ imports: [AppModule, ToolSearchModule.forFeature({ sources })] })
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
