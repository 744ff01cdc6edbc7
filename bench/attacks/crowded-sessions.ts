import { type Attack, CROWD, OTHER } from './attack.js';
import type { ServerProcess } from '../scenarios/server-process.js';

/** Sessions of the whole server: fewer than the users of one tenant may begin together. */
export const MAX_SESSIONS = 64;

let turn = 0;

/** Users of one tenant begin more sessions than there is room for. The session of another tenant goes on. */
export const CROWDED_SESSIONS: Attack = {
  name: 'more sessions of one tenant than there is room for',
  promised: [200],
  once: async (server) => (await begun(server, CROWD[turn++ % CROWD.length] ?? '')).status,
  holds: async (server) => {
    const other = await begun(server, OTHER);
    for (let n = 0; n < 2 * MAX_SESSIONS; n++) await begun(server, CROWD[n % CROWD.length] ?? '');
    const listed = await sent(server, OTHER, { id: 2, method: 'tools/list', params: {} }, other.id);
    return listed.status === 200;
  },
};

async function begun(server: ServerProcess, token: string) {
  const clientInfo = { name: 'attack', version: '1' };
  const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo };
  return sent(server, token, { id: 1, method: 'initialize', params });
}

async function sent({ url }: ServerProcess, token: string, message: object, session?: string) {
  const response = await fetch(`${url}/mcp`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${token}`,
      accept: 'application/json, text/event-stream',
      'content-type': 'application/json',
      'mcp-protocol-version': '2025-11-25',
      ...(session !== undefined && { 'mcp-session-id': session }),
    },
    body: JSON.stringify({ jsonrpc: '2.0', ...message }),
  });
  await response.text();
  return { status: response.status, id: response.headers.get('mcp-session-id') ?? '' };
}
