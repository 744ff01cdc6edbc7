import { isJSONRPCNotification, isJSONRPCRequest, type JSONRPCMessage } from '@modelcontextprotocol/client';

const WINDOW_MS = 1_000;
/** What one connection may send unasked within a second: progress, changes, log lines; and requests, each of which is answered. */
const MAX_NOTIFICATIONS = 500;
const MAX_REQUESTS = 20;

/**
 * Makes a hook for the messages of one connection that takes from those which nobody asked for all that is too much within a
 * second, before the SDK handles them: what is over has no meaning any more, and is not answered.
 */
export function floodGuard(now: () => number = () => performance.now()): (message: JSONRPCMessage) => void {
  let since = Number.NEGATIVE_INFINITY;
  let notifications = 0;
  let requests = 0;
  return (message) => {
    const isRequest = isJSONRPCRequest(message);
    if (!isRequest && !isJSONRPCNotification(message)) return;
    if (now() - since >= WINDOW_MS) {
      since = now();
      notifications = 0;
      requests = 0;
    }
    if (isRequest ? ++requests <= MAX_REQUESTS : ++notifications <= MAX_NOTIFICATIONS) return;
    // The SDK looks at the message after this hook, so that taking it away means changing it.
    const muted = message as { id?: unknown; method: string; params?: unknown };
    delete muted.id;
    delete muted.params;
    muted.method = 'notifications/tool-search/muted';
  };
}
