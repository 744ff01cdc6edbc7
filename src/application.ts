import { ValidationPipe } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { DocumentBuilder, SwaggerModule } from '@nestjs/swagger';
import { ToolSearchError } from '@tool-search/core';
import { json } from 'express';
import { ProblemFilter } from './problem.filter.js';
import { hasDuplicateKeys } from './toolbox/duplicate-keys.js';

/** What the application is created with; bodies are parsed by {@link configure}. */
export const APPLICATION_OPTIONS = { bodyParser: false, forceCloseConnections: true } as const;

const BODY_LIMIT = '512kb';

/** Everything the HTTP application needs besides its modules; the same for the server, the demo and the tests. */
export function configure(app: NestExpressApplication): NestExpressApplication {
  app.use(json({ limit: BODY_LIMIT, verify: refuseDuplicateKeys }));
  app.useGlobalFilters(new ProblemFilter(app.get(HttpAdapterHost)));
  app.disable('x-powered-by');
  app.useGlobalPipes(
    new ValidationPipe({
      whitelist: true,
      forbidNonWhitelisted: true,
      transform: true,
      exceptionFactory: (errors) =>
        new ToolSearchError(
          'INVALID_ARGUMENTS',
          `The body is not valid: ${errors.flatMap(({ constraints }) => Object.values(constraints ?? {})).join('; ')}.`,
          {
            hint: 'The routes and their bodies are described at /docs.',
          },
        ),
    }),
  );
  app.enableShutdownHooks();
  const document = new DocumentBuilder()
    .setTitle('ToolSearch reference server')
    .setDescription('One catalog, one decision, any model.')
    .addBearerAuth()
    .build();
  SwaggerModule.setup('docs', app, () => SwaggerModule.createDocument(app, document));
  return app;
}

function refuseDuplicateKeys(_request: unknown, _response: unknown, body: Buffer): void {
  const text = body.toString('utf8');
  try {
    JSON.parse(text);
  } catch {
    return; // the parser says so itself
  }
  if (hasDuplicateKeys(text)) throw Object.assign(new Error('The body has a key twice.'), { status: 400 });
}
