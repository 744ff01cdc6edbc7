import { type ToolEvent, ToolEvents } from '../../tool/tool-event.js';
import { AuditTrail } from '../../access/control/audit-trail.js';
import { ControlPlane } from '../../access/control/control-plane.js';
import { MemoryControlStore } from '../../access/control/memory-control-store.js';
import { activeProfile, type GivenProfile, storedProfileOf } from './profile.js';
import { ToolProfiles } from './tool-profiles.js';
import { CONTROL_KINDS } from '../../runtime/control-kinds.js';

const OLGA = { actor: 'olga', reason: 'for the night shift' };

async function start(code: Readonly<Record<string, GivenProfile>> = {}) {
  const happened: ToolEvent[] = [];
  const events = new ToolEvents();
  events.on('profile.set', (event) => void happened.push(event));
  events.on('profile.removed', (event) => void happened.push(event));
  const store = new MemoryControlStore();
  const open = async () => {
    const plane = new ControlPlane(store, CONTROL_KINDS, events);
    await plane.refresh();
    const profiles = new ToolProfiles(plane, events, () => 5);
    profiles.declare({ profiles: code, checksScopes: true });
    return { plane, profiles };
  };
  return { ...(await open()), open, store, happened };
}

describe('a stored profile', () => {
  it('holds from the moment it is set until it is removed, in every instance that reads the store', async () => {
    const { profiles, open, store, happened } = await start();
    const other = await open();
    expect(profiles.active('night')).toBeUndefined();
    const profile = { allow: ['crm.*'], exposure: 'all' as const };
    expect(await profiles.set('night', profile, OLGA)).toEqual({
      name: 'night',
      profile,
      ...OLGA,
      changedAt: 5,
      revision: 1,
    });
    const expected = { name: 'night', exposure: 'all', prefix: true, scopes: [], needs: ['crm.*'] };
    expect(profiles.active('night')).toEqual({ ...expected, policies: [{ allow: ['crm.*'] }] });
    await other.plane.refresh();
    expect(other.profiles.active('night')).toEqual(profiles.active('night'));
    expect(await profiles.remove('night', OLGA)).toBe(2);
    expect(profiles.active('night')).toBeUndefined();
    await other.plane.refresh();
    expect(other.profiles.active('night')).toBeUndefined();
    expect(happened).toMatchObject([
      { type: 'profile.set', profile: 'night', actor: 'olga', revision: 1 },
      { type: 'profile.removed', profile: 'night', actor: 'olga', revision: 2 },
    ]);
    expect(await store.audit({}, { limit: 9 })).toMatchObject([
      { action: 'profile.set', subject: 'night', ...OLGA, before: null, after: { id: 'night', profile } },
      { action: 'profile.removed', subject: 'night', ...OLGA, before: { id: 'night', profile }, after: null },
    ]);
  });

  it('is the same object until it changes', async () => {
    const { profiles } = await start();
    await profiles.set('a', {}, OLGA);
    const before = profiles.active('a');
    await profiles.set('b', {}, OLGA);
    expect(profiles.active('a')).toBe(before);
    await profiles.set('a', { deny: ['x.y'] }, OLGA);
    expect(profiles.active('a')).not.toBe(before);
  });

  it('is changed only with its newest revision, and a repeated request has no effect', async () => {
    const { profiles } = await start();
    const first = { ...OLGA, expectedRevision: 0, idempotencyKey: 'k1' };
    await profiles.set('a', { deny: ['x.y'] }, first);
    expect(await profiles.set('a', { deny: ['x.y'] }, first)).toMatchObject({ revision: 1 });
    await expect(profiles.set('a', {}, { ...OLGA, expectedRevision: 0 })).rejects.toMatchObject({
      code: 'REVISION_CONFLICT',
    });
    await expect(profiles.remove('a', { ...OLGA, expectedRevision: 7 })).rejects.toMatchObject({
      code: 'REVISION_CONFLICT',
    });
    expect(await profiles.remove('a', { ...OLGA, expectedRevision: 1 })).toBe(2);
    await expect(profiles.remove('a', OLGA)).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });

  it.each<[string, string, unknown]>([
    ['a misspelt field', 'a', { allowed: ['*'] }],
    ['a list that is a text', 'a', { deny: 'crm.*' }],
    ['a broken glob', 'a', { allow: ['crm/*'] }],
    ['a broken need', 'a', { needs: ['two words'] }],
    ['too many globs', 'a', { deny: Array(1001).fill('a.b') }],
    ['another exposure', 'a', { exposure: 'native' }],
    ['a scope with a quote', 'a', { scopes: ['a"b'] }],
    ['no object', 'a', []],
    ['nothing', 'a', null],
    ['a name with a slash', 'a/b', {}],
    ['a name in capitals', 'NIGHT', {}],
    ['an inherited name', '__proto__', {}],
  ])('with %s changes nothing', async (_, name, profile) => {
    const { profiles, store } = await start();
    await expect(profiles.set(name, profile as GivenProfile, OLGA)).rejects.toMatchObject({ code: 'INVALID_REQUEST' });
    expect(await store.audit({}, { limit: 9 })).toEqual([]);
  });

  it('is part of the audit trail, which finds one that was changed behind its back', async () => {
    const { profiles, plane, store } = await start();
    await profiles.set('a', { deny: ['x.y'] }, OLGA);
    const trail = new AuditTrail(plane, () => 5);
    expect(await trail.verify()).toMatchObject({ valid: true });
    const { records } = (await store.read())!;
    (records[0]!.value['profile'] as { deny: string[] }).deny = [];
    expect(await trail.verify()).toMatchObject({ valid: false });
  });

  it('of an unreadable form is refused as a whole', () => {
    const value = { id: 'a', reason: 'r', actor: 'olga', changedAt: 1 };
    for (const profile of [undefined, 'x', { widens: true }]) {
      const record = { value: { ...value, ...(profile !== undefined && { profile }) }, revision: 1 };
      expect(() => storedProfileOf(record as never)).toThrow(expect.objectContaining({ code: 'INVALID_REQUEST' }));
    }
  });
});

describe('a profile in the options', () => {
  const CODE = { ci: { allow: ['crm.*'], scopes: ['ci'], exposure: 'all', needs: ['crm.read'] } } as const;

  it('is narrowed further by a stored one, and never widened', async () => {
    const { profiles } = await start(CODE);
    await profiles.set('ci', { allow: ['crm.read', 'billing.*'], prefix: false, scopes: ['ops'] }, OLGA);
    expect(profiles.active('ci')).toEqual({
      name: 'ci',
      exposure: 'all',
      prefix: false,
      scopes: ['ci', 'ops'],
      policies: [{ allow: ['crm.*'] }, { allow: ['crm.read', 'billing.*'] }],
      needs: ['crm.read'],
    });
  });

  it('cannot be removed by operators, and holds again once the stored one is removed', async () => {
    const { profiles } = await start(CODE);
    const before = profiles.active('ci');
    await expect(profiles.remove('ci', OLGA)).rejects.toMatchObject({ code: 'STATIC_POLICY' });
    await profiles.set('ci', { deny: ['crm.read'] }, OLGA);
    await profiles.remove('ci', OLGA);
    expect(profiles.active('ci')).toEqual(before);
  });

  it('is listed among the stored ones, by name and page by page', async () => {
    const { profiles } = await start({ b: {}, d: {} });
    for (const name of ['e', 'c', 'b', 'a']) await profiles.set(name, {}, OLGA);
    const pages: string[][] = [];
    let after: string | undefined;
    for (;;) {
      const page = await profiles.list({ limit: 2, ...(after !== undefined && { after }) });
      if (page.length === 0) break;
      pages.push(page.map(({ name, code, stored }) => `${name}${code ? ' code' : ''}${stored ? ' stored' : ''}`));
      after = page.at(-1)!.name;
    }
    expect(pages).toEqual([['a stored', 'b code stored'], ['c stored', 'd code'], ['e stored']]);
    expect(await profiles.find('d')).toEqual({ name: 'd', code: {} });
    expect(await profiles.find('__proto__')).toBeUndefined();
  });
});

describe('an active profile', () => {
  it('needs its declared tools, else its allow list, else none', () => {
    expect(activeProfile('a', [{ allow: ['x.*'], needs: ['x.y'] }]).needs).toEqual(['x.y']);
    expect(activeProfile('a', [{ allow: ['x.*'] }]).needs).toEqual(['x.*']);
    expect(activeProfile('a', [{}]).needs).toEqual([]);
    expect(activeProfile('a', [{ needs: ['x.y'] }, { needs: [] }]).needs).toEqual([]);
  });
});
