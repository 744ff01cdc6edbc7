import type { IncomingMessage, Server, ServerResponse } from 'node:http';

/** Resolves when a route for operators has answered an operator. */
export function operatorArrives(server: Server): Promise<void> {
  return new Promise((resolve) => {
    const look = ({ url = '' }: IncomingMessage, response: ServerResponse) => {
      // The router shortens the URL of the request later.
      if (!url.startsWith('/admin/tools/')) return;
      response.once('finish', () => {
        if (response.statusCode >= 300) return;
        server.off('request', look);
        resolve();
      });
    };
    server.prependListener('request', look);
  });
}
