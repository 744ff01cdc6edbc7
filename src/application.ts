import { HttpAdapterHost } from '@nestjs/core';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { DocumentBuilder, SwaggerModule } from '@nestjs/swagger';
import { checkJsonBody } from '@tool-search/core';
import { json } from 'express';
import { pacedRequests } from './paced-requests.js';
import { ProblemFilter } from './problem.filter.js';

/** Options for creating the Nest application. {@link configure} installs the body parser. */
export const APPLICATION_OPTIONS = { bodyParser: false, forceCloseConnections: true } as const;
const BODY_LIMIT = '512kb';

export function configure(app: NestExpressApplication): NestExpressApplication {
  app.use(pacedRequests());
  app.use(
    json({ limit: BODY_LIMIT, verify: (_request, _response, body, charset) => checkJsonBody(body, { charset }) }),
  );
  app.useGlobalFilters(new ProblemFilter(app.get(HttpAdapterHost)));
  app.disable('x-powered-by');
  app.enableShutdownHooks();
  const document = new DocumentBuilder()
    .setTitle('ToolSearch reference server')
    .setDescription('One catalog, one decision, any model.')
    .addBearerAuth()
    .build();
  SwaggerModule.setup('docs', app, () => SwaggerModule.createDocument(app, document));
  return app;
}
