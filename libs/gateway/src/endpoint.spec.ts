import { ControlPlane, ToolEvents } from '@tool-search/core';
import { MemoryControlStore } from '@tool-search/core/internal';
import { FakeSource, openToolbox } from '@tool-search/core/testing';
import { endpointsOf, startedPlane } from '../test/endpoints-of.js';
import { narrowedTo, principalOf } from './endpoint.js';
import { oauthSettings } from './auth/auth-options.js';
import { gatewayOptions, gatewaySettings } from './tool-gateway.options.js';
import { CONTROL_KINDS } from '@tool-search/core/operators';

const settings = gatewaySettings(
  gatewayOptions.parse({
    instructions: 'Of the module.',
    profiles: {
      support: { allow: ['billing.*'], deny: ['*.delete'], instructions: 'Of the profile.' },
      ci: { requireTags: ['ci'], exposure: 'all', prefix: false },
      empty: {},
    },
  }),
);

const OAUTH = oauthSettings({
  resource: 'https://a.example/mcp',
  issuers: ['https://login.example.com'],
  user: () => ({}),
  scopes: ['mcp'],
});
const OLGA = { actor: 'olga', reason: 'a test' };
let plane: ControlPlane;
beforeEach(async () => (plane = await startedPlane()));
afterEach(() => plane.stop());

describe('an endpoint', () => {
  it.each([
    ['', { exposure: 'bridge', prefix: true, instructions: 'Of the module.' }],
    ['all', { exposure: 'all', prefix: true, instructions: 'Of the module.' }],
    [
      'p/support',
      {
        exposure: 'bridge',
        instructions: 'Of the profile.',
        profile: { policies: [{ allow: ['billing.*'], deny: ['*.delete'] }] },
      },
    ],
    [
      'p/ci',
      {
        exposure: 'all',
        prefix: false,
        instructions: 'Of the module.',
        profile: { policies: [{ requireTags: ['ci'] }] },
      },
    ],
    ['p/empty', { exposure: 'bridge', prefix: true, profile: { policies: [{}] } }],
  ])('is known under the route %j, and is the same object until it changes', (route, endpoint) => {
    const { endpoints } = endpointsOf(settings, plane);
    expect(endpoints.of(route)).toMatchObject({ route, ...endpoint });
    expect(endpoints.of(route)).toBe(endpoints.of(route));
  });

  it.each(['p/', 'p/nothing', 'p/constructor', 'p/__proto__', 'p/SUPPORT', 'support', 'p/support/all'])(
    'is unknown under the route %j',
    (route) => {
      expect(endpointsOf(settings, plane).endpoints.of(route)).toBeUndefined();
    },
  );

  it('follows what operators store, and is as in the options again when they remove it', async () => {
    const { endpoints, profiles } = endpointsOf(settings, plane);
    const before = endpoints.of('p/support');
    await profiles.set('support', { deny: ['billing.find'], exposure: 'all' }, OLGA);
    expect(endpoints.of('p/support')).toMatchObject({
      exposure: 'all',
      instructions: 'Of the profile.',
      profile: { policies: [{ allow: ['billing.*'], deny: ['*.delete'] }, { deny: ['billing.find'] }] },
    });
    await profiles.remove('support', OLGA);
    expect(endpoints.of('p/support')).toEqual(before);
    await profiles.set('new', { prefix: false }, OLGA);
    expect(endpoints.of('p/new')).toMatchObject({ prefix: false, instructions: 'Of the module.' });
    await profiles.remove('new', OLGA);
    expect(endpoints.of('p/new')).toBeUndefined();
  });

  it('of a profile with scopes is unknown where no scopes are checked', async () => {
    // Written by an instance with oauth.
    const other = endpointsOf({ ...settings, oauth: OAUTH }, plane);
    await other.profiles.set('scoped', { scopes: ['ci'] }, OLGA);
    expect(other.endpoints.of('p/scoped')).toMatchObject({ scopes: ['mcp', 'ci'] });
    const { endpoints, profiles } = endpointsOf(settings, plane);
    expect(endpoints.of('p/scoped')).toBeUndefined();
    await expect(profiles.set('more', { scopes: ['ci'] }, OLGA)).rejects.toMatchObject({ code: 'INVALID_REQUEST' });
  });

  it('of a profile is not served while it is not known what operators decided', () => {
    const unread = new ControlPlane(new MemoryControlStore(), CONTROL_KINDS, new ToolEvents());
    const { endpoints } = endpointsOf(settings, unread);
    expect(() => endpoints.of('p/support')).toThrow(expect.objectContaining({ code: 'GATE_CLOSED' }));
    expect(endpoints.of('all')).toMatchObject({ route: 'all' });
  });
});

describe('narrowedTo', () => {
  it('narrows to the tools of the profile', async () => {
    const sources = ['billing', 'crm'].map((name) => new FakeSource(name, ['find', 'delete']));
    const opened = await openToolbox({ sources });
    const names = async (route: string) => {
      const toolbox = narrowedTo(
        endpointsOf(settings, plane).endpoints.of(route)!,
        opened.open({ tenantId: 'acme' }),
        true,
      );
      return (await toolbox.visible()).map(({ name }) => name);
    };
    expect(await names('p/support')).toEqual(['billing.find']);
    expect(await names('p/empty')).toEqual(await names(''));
    expect(await names('')).toHaveLength(4);
    await opened.close();
  });
});

describe('narrowedTo a host of MCP Apps', () => {
  it('opens pages where every tool is listed by name: not in a list that grows', async () => {
    const { endpoints, profiles } = endpointsOf(settings, plane);
    await profiles.set('growing', { exposure: 'deferred' }, OLGA);
    const opened = await openToolbox({ sources: [new FakeSource('crm', ['find'])] });
    const opens = (route: string, isHost: boolean) =>
      narrowedTo(endpoints.of(route)!, opened.open({ tenantId: 'acme' }), isHost).opensApps;
    expect(['', 'p/support', 'p/growing'].map((route) => opens(route, true))).toEqual([false, false, false]);
    expect(['all', 'p/ci'].map((route) => opens(route, true))).toEqual([true, true]);
    expect(['all', 'p/ci'].map((route) => opens(route, false))).toEqual([false, false]);
    await opened.close();
  });
});

describe('principalOf', () => {
  const ann = { tenantId: 'acme', userId: 'ann', agentId: 'planner', roles: [] };
  it.each([
    ['another tenant', { tenantId: 'globex' }],
    ['another user', { userId: 'bob' }],
    ['another agent', { agentId: 'writer' }],
    ['parts that are divided differently', { tenantId: 'acme","ann', userId: '' }],
  ])('differs for %s', (_, change) => {
    expect(principalOf({ ...ann, ...change })).not.toBe(principalOf(ann));
  });

  it("is equal for other roles, sessions and runs, and does not contain the caller's ids", () => {
    expect(principalOf({ ...ann, roles: ['admin'], sessionId: 's', runId: 'r' })).toBe(principalOf(ann));
    expect(principalOf(ann)).toMatch(/^[0-9a-f]{64}$/);
  });
});
