import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** An HTTP API of somebody else. It answers whose token it was given. */
export async function startCrmApi() {
  const http = createServer(({ method, url, headers }, response) => {
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify({ asked: `${method} ${url}`, with: headers.authorization ?? 'no token' }));
  }).listen(0, '127.0.0.1');
  await once(http, 'listening');
  const url = `http://127.0.0.1:${(http.address() as AddressInfo).port}`;
  return { url, document: documentOf(url), stop: () => (http.closeAllConnections(), http.close()) };
}

const documentOf = (url: string) => ({
  openapi: '3.1.0',
  info: { title: 'CRM', version: '1' },
  servers: [{ url }],
  security: [{ bearerAuth: [] }],
  components: { securitySchemes: { bearerAuth: { type: 'http', scheme: 'bearer' } } },
  paths: {
    '/customers/{id}': {
      get: {
        operationId: 'getCustomer',
        summary: 'Show a customer.',
        parameters: [{ name: 'id', in: 'path', required: true, schema: { type: 'string' } }],
      },
      delete: {
        operationId: 'deleteCustomer',
        summary: 'Delete a customer.',
        parameters: [{ name: 'id', in: 'path', required: true, schema: { type: 'string' } }],
      },
    },
  },
});
