import { gatewayOptions, gatewaySettings } from '../tool-gateway.options.js';
import type { ControlPlane } from '@tool-search/core';
import { endpointsOf, startedPlane } from '../../test/endpoints-of.js';
import { audienceOf, metadataAt as metadataOf, metadataUrlOf, resourceOf } from './resource-metadata.js';

const ISSUER = 'https://login.example.com';
const WELL_KNOWN = '/.well-known/oauth-protected-resource';
const settings = (resource: string) =>
  gatewaySettings(
    gatewayOptions.parse({
      serverInfo: { title: 'Tools of Example' },
      profiles: { support: { scopes: ['support'] } },
      oauth: { resource, issuers: [ISSUER], user: () => ({}), scopes: ['mcp'], allScopes: ['mcp:all'] },
    }),
  );

let plane: ControlPlane;
beforeAll(async () => (plane = await startedPlane()));
afterAll(() => plane.stop());
const metadataAt = (path: string, of: ReturnType<typeof settings>) =>
  metadataOf(path, of, endpointsOf(of, plane).endpoints);

describe('the metadata of a resource', () => {
  it.each([
    ['https://a.example/mcp', `${WELL_KNOWN}/mcp`, 'https://a.example/mcp', ['mcp']],
    ['https://a.example/mcp', `${WELL_KNOWN}/mcp/`, 'https://a.example/mcp', ['mcp']],
    ['https://a.example/mcp', `${WELL_KNOWN}/mcp/all`, 'https://a.example/mcp/all', ['mcp', 'mcp:all']],
    ['https://a.example/mcp', `${WELL_KNOWN}/mcp/p/support`, 'https://a.example/mcp/p/support', ['mcp', 'support']],
    ['https://a.example/api/v1/mcp', `${WELL_KNOWN}/api/v1/mcp`, 'https://a.example/api/v1/mcp', ['mcp']],
    ['https://a.example', WELL_KNOWN, 'https://a.example', ['mcp']],
    ['https://a.example/', `${WELL_KNOWN}/all`, 'https://a.example/all', ['mcp', 'mcp:all']],
  ])('of %s are at %s', (resource, path, named, scopes) => {
    expect(metadataAt(path, settings(resource))).toEqual({
      resource: named,
      authorization_servers: [ISSUER],
      scopes_supported: scopes,
      bearer_methods_supported: ['header'],
      resource_name: 'Tools of Example',
    });
  });

  it.each([
    WELL_KNOWN,
    `${WELL_KNOWN}/`,
    `${WELL_KNOWN}/other`,
    `${WELL_KNOWN}/mcpx`,
    `${WELL_KNOWN}/mcp/p/nothing`,
    `${WELL_KNOWN}/mcp/p/constructor`,
    `${WELL_KNOWN}/mcp/p/support/more`,
    `${WELL_KNOWN}/mcp//all`,
    '/.well-known/oauth-authorization-server',
    '/.well-known/oauth-authorization-server/mcp',
    '/.well-known/openid-configuration',
    '/mcp',
    '',
  ])('are not at %j', (path) => {
    expect(metadataAt(path, settings('https://a.example/mcp'))).toBeUndefined();
  });

  it('are nowhere without oauth', () => {
    expect(metadataAt(`${WELL_KNOWN}/mcp`, gatewaySettings(gatewayOptions.parse({})))).toBeUndefined();
  });

  // RFC 9728, section 3.3: a client must not use metadata that name another resource than the one they were asked for.
  it.each(['https://a.example/mcp', 'https://a.example', 'https://a.example:8443/x/'])(
    'of each part of %s name this part, at the address that its challenge names',
    (resource) => {
      for (const route of ['', 'all', 'p/support']) {
        const { pathname } = new URL(metadataUrlOf(resourceOf(resource, route)));
        expect(metadataAt(pathname, settings(resource))).toMatchObject({ resource: resourceOf(resource, route) });
      }
    },
  );
});

describe('the audience of a resource', () => {
  it.each([
    ['https://a.example/mcp', '', ['https://a.example/mcp']],
    ['https://a.example/mcp', 'all', ['https://a.example/mcp', 'https://a.example/mcp/all']],
    ['https://a.example', '', ['https://a.example', 'https://a.example/']],
    ['https://a.example/', '', ['https://a.example', 'https://a.example/']],
  ])('of %s at %j is %j', (resource, route, audience) => {
    expect(audienceOf(resource, route)).toEqual(audience);
  });
});
