import type { ServerResponse } from 'node:http';

/**
 * Writes a web response to Node's. A stream is written as fast as the client reads; a client that reads nothing for
 * `stalledMs` is disconnected. Resolves when the response has ended, however it ended.
 */
export async function sendResponse(response: Response, target: ServerResponse, stalledMs: number): Promise<void> {
  if (target.destroyed || target.headersSent) return void response.body?.cancel().catch(() => undefined);
  // The rest of a body that is too large is not read, so the connection cannot serve another request.
  if (!target.req.complete) target.setHeader('Connection', 'close');
  const headers = Object.fromEntries(response.headers);
  // The challenge of a guard says more than the gateway's, for example where to get a token.
  if (target.hasHeader('www-authenticate')) delete headers['www-authenticate'];
  if (headers['content-type']?.startsWith('application/json')) {
    // Only an answer that is complete is JSON. As a text it leaves in one buffer with the headers.
    const text = await response.text();
    target.writeHead(response.status, { ...headers, 'Content-Length': Buffer.byteLength(text) });
    return void target.end(text);
  }
  target.writeHead(response.status, headers);
  if (!response.body) return void target.end();
  // Headers must not wait for the first event.
  target.flushHeaders();
  const reader = response.body.getReader();
  const stop = () => void reader.cancel().catch(() => undefined);
  target.once('close', stop);
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) break;
      if (!target.write(value) && !(await drained(target, stalledMs))) {
        target.destroy();
        break;
      }
    }
  } catch {
    // The headers have been sent, so the only way to report the fault is to end the connection.
    target.destroy();
  } finally {
    target.off('close', stop);
    stop();
    if (!target.destroyed) target.end();
  }
}

/** Whether the client read on in time. */
function drained(target: ServerResponse, stalledMs: number): Promise<boolean> {
  return new Promise((resolve) => {
    const settle = (isDrained: boolean) => () => {
      clearTimeout(timer);
      target.off('drain', onDrain).off('close', onClose);
      resolve(isDrained);
    };
    const onDrain = settle(true);
    const onClose = settle(false);
    const timer = setTimeout(onClose, stalledMs);
    target.once('drain', onDrain).once('close', onClose);
  });
}
