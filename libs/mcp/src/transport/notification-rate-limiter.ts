import { isJSONRPCNotification, isJSONRPCRequest, type JSONRPCMessage } from '@modelcontextprotocol/client';

const WINDOW_MS = 1_000;
/**
 * Limits per second and connection: notifications (progress, changes, log lines), and requests, each of which needs an
 * answer.
 */
const MAX_NOTIFICATIONS = 500;
const MAX_REQUESTS = 20;

/**
 * Creates a message hook for one connection. Before the SDK handles them, it mutes notifications and requests above the
 * limits: muted messages have no effect and get no answer.
 */
export function notificationRateLimiter(
  now: () => number = () => performance.now(),
): (message: JSONRPCMessage) => void {
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
    // The SDK reads the message after this hook, so the only way to drop it is to change it.
    const muted = message as { id?: unknown; method: string; params?: unknown };
    delete muted.id;
    delete muted.params;
    muted.method = 'notifications/tool-search/muted';
  };
}
