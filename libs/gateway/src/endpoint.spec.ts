import { openToolbox } from '@tool-search/core/testing';
import { FakeSource } from '@tool-search/core/testing';
import { endpointOf, narrowedTo, principalOf } from './endpoint.js';
import { gatewayOptions, gatewaySettings } from './tool-gateway.options.js';

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

describe('endpointOf', () => {
  it.each([
    ['', { exposure: 'bridge', prefix: true, instructions: 'Of the module.' }],
    ['all', { exposure: 'all', prefix: true, instructions: 'Of the module.' }],
    [
      'p/support',
      { exposure: 'bridge', instructions: 'Of the profile.', policy: { allow: ['billing.*'], deny: ['*.delete'] } },
    ],
    ['p/ci', { exposure: 'all', prefix: false, instructions: 'Of the module.', policy: { requireTags: ['ci'] } }],
    ['p/empty', { exposure: 'bridge', prefix: true, policy: {} }],
  ])('knows the route %j', (route, endpoint) => {
    expect(endpointOf(route, settings)).toMatchObject({ route, ...endpoint });
  });

  it.each(['p/', 'p/nothing', 'p/constructor', 'p/__proto__', 'p/SUPPORT', 'support', 'p/support/all'])(
    'does not know the route %j',
    (route) => {
      expect(endpointOf(route, settings)).toBeUndefined();
    },
  );
});

describe('narrowedTo', () => {
  it('narrows to the tools of the profile', async () => {
    const sources = ['billing', 'crm'].map((name) => new FakeSource(name, ['find', 'delete']));
    const opened = await openToolbox({ sources });
    const names = async (route: string) => {
      const toolbox = narrowedTo(endpointOf(route, settings)!, opened.open({ tenantId: 'acme' }));
      return (await toolbox.visible()).map(({ name }) => name);
    };
    expect(await names('p/support')).toEqual(['billing.find']);
    expect(await names('p/empty')).toEqual(await names(''));
    expect(await names('')).toHaveLength(4);
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

  it('is equal for other roles, sessions and runs, and tells nothing of the caller', () => {
    expect(principalOf({ ...ann, roles: ['admin'], sessionId: 's', runId: 'r' })).toBe(principalOf(ann));
    expect(principalOf(ann)).toMatch(/^[0-9a-f]{64}$/);
  });
});
