import { ofTenant } from './of-tenant.js';

describe('requests of an operator of one tenant', () => {
  it.each([
    ['status', {}],
    ['calls', { query: { limit: 50, tenantId: '' } }],
    ['quarantine/qt_1', {}],
    ['quarantine/qt_1/approve', { method: 'POST', body: { reason: 'read' } }],
    ['approvals/ap_1/refuse', { method: 'POST', body: { reason: 'no' } }],
  ] as const)('name it in the query of %s', (path, request) => {
    expect(ofTenant(path, request, 'acme')).toEqual({
      ...request,
      query: { ...('query' in request && request.query), tenantId: 'acme' },
    });
  });

  it.each(['kill-switches', 'kill-switches/release', 'kill-switches/preview', 'dry-run/policies'])(
    'name it in the body of %s',
    (path) => {
      const query = { waitMs: 5 };
      const asked = { method: 'POST', query, body: { kind: 'tool' } } as const;
      expect(ofTenant(path, asked, 'acme')).toEqual({ ...asked, body: { kind: 'tool', tenantId: 'acme' } });
    },
  );

  it.each([
    ['me', {}],
    ['policies/tenants/acme', { method: 'DELETE', query: { reason: 'over' } }],
    ['explain', { body: { tool: 'x', context: { tenantId: 'acme' } } }],
    ['quarantine/approve', { body: { owner: 'acme' } }],
  ] as const)('stay as they are for %s', (path, request) => {
    expect(ofTenant(path, request, 'acme')).toBe(request);
  });

  it('keep a tenant that was typed, so that the server answers about it', () => {
    expect(ofTenant('calls', { query: { tenantId: 'globex' } }, 'acme').query).toEqual({ tenantId: 'globex' });
    expect(ofTenant('kill-switches', { body: { tenantId: 'globex' } }, 'acme').body).toEqual({ tenantId: 'globex' });
  });

  it('of an operator of all tenants stay as they are', () => {
    const request = { query: { limit: 1 } };
    expect(ofTenant('calls', request, undefined)).toBe(request);
  });
});
