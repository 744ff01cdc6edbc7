// The docs' snippets about request bodies. Tested by test/server/hostile-bodies.e2e-spec.ts.
import type { NestExpressApplication } from '@nestjs/platform-express';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { checkJsonBody } from '@tool-search/core';
import { json } from 'express';

// #region express
export function onExpress(app: NestExpressApplication): void {
  // NestFactory.create(…, { bodyParser: false })
  app.use(json({ limit: '512kb', verify: (_request, _response, body, charset) => checkJsonBody(body, { charset }) }));
}
// #endregion express

// #region fastify
export function onFastify(app: NestFastifyApplication): void {
  app.useBodyParser('application/json', { bodyLimit: 524_288 }, (_request, body, done) => {
    try {
      checkJsonBody(body);
      done(null, JSON.parse(body.toString()));
    } catch (error) {
      done(error as Error);
    }
  });
}
// #endregion fastify
