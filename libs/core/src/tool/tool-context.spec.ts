import { toolContext } from './tool-context.js';
import { isToolSearchError } from './tool-search.error.js';

function refusalOf(raw: unknown): { code: string; message: string; hint?: string } {
  try {
    toolContext(raw);
  } catch (error) {
    if (isToolSearchError(error)) return error;
    throw error;
  }
  throw new Error('the context was accepted');
}

describe('toolContext', () => {
  it('gives a frozen copy that later changes do not reach', () => {
    const raw = { tenantId: 'acme', roles: ['admin'], extra: { plan: 'pro' } };
    const context = toolContext(raw);
    raw.roles.push('root');
    raw.extra.plan = 'free';
    expect(context).toEqual({ tenantId: 'acme', roles: ['admin'], extra: { plan: 'pro' } });
    expect(Object.isFrozen(context) && Object.isFrozen(context.roles)).toBe(true);
  });

  it.each([
    ['nothing', undefined],
    ['a list', [{ tenantId: 'acme' }]],
    ['no tenant', {}],
    ['an empty tenant', { tenantId: '  ' }],
    ['a tenant that is no text', { tenantId: 7 }],
    ['a tenant of 257 characters', { tenantId: 'x'.repeat(257) }],
    ['a line break in the tenant', { tenantId: 'acme\nadmin' }],
    ['a C1 control character in the tenant', { tenantId: 'acme\u0085' }],
    ['half a surrogate pair in the tenant', { tenantId: 'acme\ud800' }],
    ['a user that is null', { tenantId: 'acme', userId: null }],
    ['roles in one text', { tenantId: 'acme', roles: 'not-admin' }],
    ['a role that is no text', { tenantId: 'acme', roles: [{ name: 'admin' }] }],
    ['admin as a text', { tenantId: 'acme', admin: 'false' }],
    ['an operator of nobody in particular', { tenantId: 'acme', admin: {} }],
    ['an operator whose tenants are no list', { tenantId: 'acme', admin: { tenants: 'acme' } }],
    ['an operator of an empty tenant', { tenantId: 'acme', admin: { tenants: ['acme', ''] } }],
    ['an operator of a tenant that is no text', { tenantId: 'acme', admin: { tenants: [7] } }],
    ['an operator of 1,001 tenants', { tenantId: 'acme', admin: { tenants: Array(1001).fill('x') } }],
    ['a misspelled readOnly', { tenantId: 'acme', admin: { tenants: 'all', readonly: true } }],
    ['readOnly as a text', { tenantId: 'acme', admin: { tenants: 'all', readOnly: 'yes' } }],
    ['nine levels', { tenantId: 'acme', a: { b: { c: { d: { e: { f: { g: { h: {} } } } } } } } }],
    ['a poisoned key', JSON.parse('{"tenantId": "acme", "x": {"__proto__": {"admin": true}}}')],
    ['what JSON has no word for', { tenantId: 'acme', big: 1n }],
    ['a toJSON that throws', { tenantId: 'acme', toJSON: () => JSON.parse('{') }],
  ])('refuses %s and says what to do', (_, raw) => {
    const { code, message, hint } = refusalOf(raw);
    expect(code).toBe('INVALID_CONTEXT');
    expect(message).not.toBe('');
    expect(hint).toBeTruthy();
  });

  it('accepts operators of all tenants, of some and of none', () => {
    for (const admin of [true, false, { tenants: 'all', readOnly: true }, { tenants: ['acme'] }, { tenants: [] }]) {
      expect(toolContext({ tenantId: 'acme', admin })).toEqual({ tenantId: 'acme', admin });
    }
  });

  it('refuses a context that holds itself', () => {
    const raw: Record<string, unknown> = { tenantId: 'acme' };
    raw['self'] = raw;
    expect(refusalOf(raw).code).toBe('INVALID_CONTEXT');
  });

  it('checks what it hands out, not what it was made from', () => {
    expect(refusalOf({ tenantId: 'acme', toJSON: () => ({ tenantId: '' }) }).code).toBe('INVALID_CONTEXT');
    expect(toolContext({ toJSON: () => ({ tenantId: 'acme' }) })).toEqual({ tenantId: 'acme' });
  });

  it.each(['sessionId', 'runId'])('has a code of its own for a bad %s', (field) => {
    for (const bad of ['a\u0000b', '', '  ']) {
      expect(refusalOf({ tenantId: 'acme', [field]: bad })).toMatchObject({ code: 'INVALID_SESSION' });
    }
    expect(refusalOf({ tenantId: 'acme', [field]: 'x'.repeat(257) }).message).not.toContain('xxx');
  });

  it('says of an id that is no string that it must be one', () => {
    expect(refusalOf({ tenantId: 7 }).message).toBe('tenantId must be a string.');
    expect(refusalOf({ tenantId: 'acme', userId: 7 }).message).toBe('userId must be a string, or left out.');
    expect(refusalOf({ tenantId: 'acme', runId: null })).toMatchObject({ code: 'INVALID_SESSION' });
  });

  it('takes odd but harmless ids as they are', () => {
    const context = { tenantId: "a'; DROP TABLE x;--", sessionId: '../../etc/passwd', runId: '🚀 ' };
    expect(toolContext(context)).toEqual(context);
  });
});
