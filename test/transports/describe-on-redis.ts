import { spawnSync } from 'node:child_process';

/** Address of Redis. */
export const REDIS = { host: '127.0.0.1', port: Number(process.env['TOOL_SEARCH_TEST_REDIS_PORT'] ?? 6379) };

// Jest collects tests synchronously, so a child process checks the connection.
const LOOK = `
  const socket = require('node:net').connect(${REDIS.port}, '${REDIS.host}');
  socket.setTimeout(2000, () => process.exit(1)).on('error', () => process.exit(1));
  socket.once('data', (answer) => process.exit(String(answer).startsWith('+PONG') ? 0 : 1));
  socket.write('PING\\r\\n');
`;

/** Describes a suite that needs Redis. Skipped by name if Redis is not available. */
export function describeOnRedis(name: string, suite: () => void): void {
  if (spawnSync(process.execPath, ['-e', LOOK]).status === 0) describe(name, suite);
  else describe.skip(`${name} (no Redis answers on ${REDIS.host}:${REDIS.port})`, suite);
}
