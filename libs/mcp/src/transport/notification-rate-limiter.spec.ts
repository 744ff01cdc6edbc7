import type { JSONRPCMessage } from '@modelcontextprotocol/client';
import { notificationRateLimiter } from './notification-rate-limiter.js';

const progress = (): JSONRPCMessage => ({ jsonrpc: '2.0', method: 'notifications/progress', params: { progress: 1 } });
const ping = (): JSONRPCMessage => ({ jsonrpc: '2.0', id: 1, method: 'ping' });
const answer = (): JSONRPCMessage => ({ jsonrpc: '2.0', id: 1, result: {} });

/** How many of `count` messages pass unchanged. */
function left(guard: (message: JSONRPCMessage) => void, make: () => JSONRPCMessage, count: number): number {
  const messages = Array.from({ length: count }, make);
  messages.forEach((message) => guard(message));
  return messages.filter((message) => JSON.stringify(message) === JSON.stringify(make())).length;
}

it('mutes what comes unasked beyond measure, until a second has passed, and never an answer', () => {
  let now = 0;
  const guard = notificationRateLimiter(() => now);
  expect(left(guard, ping, 10_000)).toBe(20);
  expect(left(guard, progress, 10_000)).toBe(500);
  expect(left(guard, answer, 10_000)).toBe(10_000);
  const muted = ping();
  guard(muted);
  expect(muted).toEqual({ jsonrpc: '2.0', method: 'notifications/tool-search/muted' });
  now = 1_000;
  expect(left(guard, ping, 1)).toBe(1);
  expect(left(guard, progress, 1)).toBe(1);
});
