import type { IncomingMessage, ServerResponse } from 'node:http';
import type { HttpAdapterHost } from '@nestjs/core';
import { sendResponse } from './send-response.js';
import { nodeExchange } from './web-request.js';

interface ExpressLike {
  use(handler: (request: IncomingMessage, response: ServerResponse, next: () => void) => Promise<void>): void;
}

interface FastifyLike {
  addHook(name: 'onRequest', hook: (request: { raw: IncomingMessage }, reply: object) => Promise<void>): void;
}

const STALLED_MS = 10_000;

/**
 * Runs work for each request before the application's body parser, middleware and guards. A response that it returns is
 * the answer. Call it in the constructor of a provider: Nest registers its parser after it has created the providers.
 */
export function beforeRoutes(
  host: HttpAdapterHost,
  work: (request: IncomingMessage) => Response | undefined | void | Promise<void>,
): void {
  // A testing module gets its adapter after its providers were created. An application without HTTP, such as a worker,
  // has `null`.
  if (host.httpAdapter) attach(host.httpAdapter, work);
  else host.init$.subscribe(() => host.httpAdapter && attach(host.httpAdapter, work));
}

function attach(adapter: HttpAdapterHost['httpAdapter'], work: Parameters<typeof beforeRoutes>[1]): void {
  if (adapter.getType() === 'fastify') {
    adapter.getInstance<FastifyLike>().addHook('onRequest', async (request, reply) => {
      const answer = await work(request.raw);
      if (answer) await sendResponse(answer, nodeExchange(request, reply).response, STALLED_MS);
    });
  } else {
    adapter.getInstance<ExpressLike>().use(async (request, response, next) => {
      const answer = await work(request);
      if (answer) await sendResponse(answer, response, STALLED_MS);
      else next();
    });
  }
}
