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

  // Callers are of the tenant that their name begins with.
  const requestOf = (principal: string, route = '') =>
    ({
      principal,
      context: { tenantId: principal.split('.')[0], roles: [] },
      endpoint: { route },
    }) as unknown as GatewayRequest;
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
    await Promise.all(['bob', 'cid', 'dee'].map(begin));
    expect(sessions.size).toBe(3);
  });

  it('ends the least recently used session of the tenant that has most when the process is full', async () => {
    const [first, second, third] = [await begin('acme.1'), await begin('acme.2'), await begin('acme.3')];
    expect(isKnown(first)).toBe(true);
    const globex = await begin('globex.1');
    expect([first, second, third, globex].map(isKnown)).toEqual([true, false, true, true]);
    expect(closed).toEqual(['acme.2']);
  });

  it('leaves the session of a tenant alone, however many callers another tenant has', async () => {
    const globex = await begin('globex.1');
    for (let n = 0; n < 100; n++) await begin(`acme.${n}`);
    expect([sessions.size, isKnown(globex)]).toEqual([3, true]);
    expect(closed).toEqual(Array.from({ length: 98 }, (_, n) => `acme.${n}`));
    await begin('globex.2');
    expect([sessions.size, isKnown(globex), closed.length]).toEqual([3, true, 99]);
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
