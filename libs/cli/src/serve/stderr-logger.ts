import { ConsoleLogger, type LogLevel } from '@nestjs/common';

/** Contexts of Nest itself, whose lines say nothing to the user of the command. */
const FRAMEWORK = new Set([
  'InstanceLoader',
  'NestApplication',
  'NestFactory',
  'RouterExplorer',
  'RoutesResolver',
  'WebSocketsController',
]);

/** Logs to standard error: while a client is served over stdio, standard output belongs to the protocol. */
export class StderrLogger extends ConsoleLogger {
  constructor() {
    super({ logLevels: ['log', 'warn', 'error', 'fatal'], colors: process.stderr.isTTY });
  }

  protected override printMessages(messages: unknown[], context?: string, level?: LogLevel): void {
    if (level === 'log' && FRAMEWORK.has(context ?? '')) return;
    super.printMessages(messages, context, level, 'stderr');
  }
}
