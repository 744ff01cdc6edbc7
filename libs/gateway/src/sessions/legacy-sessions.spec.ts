import { Server } from '@modelcontextprotocol/server';
import type { GatewayRequest } from '../gateway-request.js';
import type { McpServers } from '../mcp-server.js';
import { type LegacySession, LegacySessions } from './legacy-sessions.js';

const IDLE_MS = 60_000;

describe('LegacySessions', () => {
  let now: number;
  let sessions: LegacySessions;
  let closed: string[];

  beforeEach(() => {
    now = 0;
    closed = [];
    const servers = {
      create: ({ principal }: GatewayRequest) => {
        const server = new Server({ name: principal, version: '1' }, { capabilities: {} });
        server.onclose = () => void closed.push(principal);
        return server;
      },
    };
    const settings = { sessions: { maxPerCaller: 2, max: 3, idleMs: IDLE_MS }, streams: { keepAliveMs: 15_000 } };
    sessions = new LegacySessions(settings as never, servers as unknown as McpServers, () => now);
  });
  afterEach(() => sessions.close());

  const requestOf = (principal: string, route = '') => ({ principal, endpoint: { route } }) as GatewayRequest;
  const begin = (principal: string) => sessions.begin(requestOf(principal));
  const isKnown = ({ id, principal }: LegacySession) => sessions.find(id, requestOf(principal)) !== undefined;

  it('finds a session for its caller at its URL only', async () => {
    const { id } = await begin('ann');
    expect(sessions.find(id, requestOf('ann'))).toMatchObject({ id });
    expect(sessions.find(id, requestOf('bob'))).toBeUndefined();
    expect(sessions.find(id, requestOf('ann', 'all'))).toBeUndefined();
    expect(sessions.find('__proto__', requestOf('ann'))).toBeUndefined();
  });

  it('ends the least recently used session of a caller who begins too many', async () => {
    const [first, second] = [await begin('ann'), await begin('ann')];
    expect(isKnown(first)).toBe(true);
    const third = await begin('ann');
    expect([first, second, third].map(isKnown)).toEqual([true, false, true]);
    expect(closed).toEqual(['ann']);
  });

  it('keeps its bounds when many begin at the same time', async () => {
    await Promise.all(Array.from({ length: 20 }, () => begin('ann')));
    expect(sessions.size).toBe(2);
    const begun = await Promise.allSettled(['bob', 'cid', 'dee'].map(begin));
    expect(begun.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'rejected']);
    expect(sessions.size).toBe(3);
  });

  it('refuses another caller when the process is full, who never displaces others', async () => {
    await Promise.all([begin('ann'), begin('ann'), begin('bob')]);
    await expect(begin('cid')).rejects.toMatchObject({ status: 503, code: 'RATE_LIMITED' });
    expect(closed).toEqual([]);
    await expect(begin('ann')).resolves.toBeDefined();
  });

  it('ends sessions without a request for a while', async () => {
    const [idle, used] = [await begin('ann'), await begin('bob')];
    now = IDLE_MS - 1;
    await sessions.sweep();
    expect(isKnown(used)).toBe(true);
    now = IDLE_MS;
    await sessions.sweep();
    expect([idle, used].map(isKnown)).toEqual([false, true]);
    expect(closed).toEqual(['ann']);
  });

  it('ends all sessions when it closes', async () => {
    await Promise.all([begin('ann'), begin('bob')]);
    await sessions.close();
    expect([sessions.size, closed.toSorted()]).toEqual([0, ['ann', 'bob']]);
  });
});
