import { fakeTool } from '../../testing/fakes/fake-tools.js';
import {
  killSwitchId,
  killSwitchOf,
  type KillSwitchTarget,
  killSwitchTarget,
  meetsEverything,
  targetMeets,
} from './kill-switch.js';
import { isLive } from './kill-switch-set.js';

const TOOL = fakeTool({
  name: 'crm.eu.delete',
  namespace: 'crm.eu',
  aliases: ['crm.remove'],
  tags: ['money'],
  sideEffects: 'write',
});

describe('a target', () => {
  it.each<[object, string]>([
    [{ kind: 'tools', value: 'a' }, 'kind must be one of'],
    [{ kind: 'constructor', value: 'a' }, 'kind must be one of'],
    [{ value: 'a' }, 'kind must be one of'],
    [{ kind: 'tool' }, '1 to 256'],
    [{ kind: 'tool', value: '' }, '1 to 256'],
    [{ kind: 'tool', value: ['crm.delete'] }, '1 to 256'],
    [{ kind: 'glob', value: 'a'.repeat(257) }, '1 to 256'],
    [{ kind: 'tool', value: 'crm.*' }, 'use kind "glob"'],
    [{ kind: 'namespace', value: 'crm/eu' }, 'use kind "glob"'],
    [{ kind: 'glob', value: 'crm/*' }, 'no glob'],
    [{ kind: 'glob', value: '[a]' }, 'no glob'],
    [{ kind: 'tag', value: 'a'.repeat(65) }, 'at most 64'],
    [{ kind: 'tag', value: 'a\nkill_switch.released' }, 'value must have no invisible'],
    [{ kind: 'tag', value: 'a\u202eb' }, 'value must have no invisible'],
    [{ kind: 'side_effects', value: 'all' }, 'one of pure, read'],
    [{ kind: 'tool', value: 'a', tenantId: 'a'.repeat(257) }, 'tenantId'],
    [{ kind: 'tool', value: 'a', tenantId: null }, 'tenantId'],
    [{ kind: 'tool', value: 'a', tenantId: 'a\u0000' }, 'tenantId must have no invisible'],
    [{ kind: 'tool', value: 'a', tenantId: 'ac\u200bme' }, 'tenantId must have no invisible'],
    [{ kind: 'tool', value: 'a', tenantId: ' acme' }, 'tenantId must have no invisible'],
  ])('%j is refused', (raw, said) => {
    expect(() => killSwitchTarget(raw)).toThrow(
      expect.objectContaining({ code: 'INVALID_REQUEST', message: expect.stringContaining(said) }),
    );
  });

  it.each<[KillSwitchTarget['kind'], string, boolean]>([
    ['tool', 'crm.eu.delete', true],
    ['tool', 'crm.remove', true],
    ['tool', 'crm.EU.delete', false],
    ['tool', 'crm.eu', false],
    ['glob', '*', true],
    ['glob', 'crm*delete', true],
    ['glob', '*.remove', true],
    ['glob', 'crm.??.delete', true],
    ['glob', 'crm', false],
    ['namespace', 'crm.eu', true],
    ['namespace', 'crm', true],
    ['namespace', 'cr', false],
    ['namespace', 'crm.eu.delete', false],
    ['tag', 'money', true],
    ['tag', 'Money', false],
    ['side_effects', 'write', true],
    ['side_effects', 'read', false],
  ])('%s %s means the tool: %s', (kind, value, meets) => {
    expect(targetMeets(killSwitchTarget({ kind, value }), TOOL)).toBe(meets);
  });

  it('means everything only for a glob of wildcards and dots alone', () => {
    const everything = ['*', '**', '?*', '*.*', '*?*'];
    const less = ['a*', '*a', '????', 'crm.*'];
    expect([...everything, ...less].filter((value) => meetsEverything({ kind: 'glob', value, tenantId: '' }))).toEqual(
      everything,
    );
  });

  it('has one id, and another target has another one', () => {
    const ids = [
      { kind: 'tool' as const, value: 'a', tenantId: '' },
      { kind: 'glob' as const, value: 'a', tenantId: '' },
      { kind: 'tool' as const, value: 'a', tenantId: 'b' },
      { kind: 'tool' as const, value: 'b', tenantId: 'a' },
    ].map(killSwitchId);
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids.every((id) => /^ks_[0-9a-f]{24}$/.test(id))).toBe(true);
  });
});

describe('a switch as it was kept', () => {
  const target = { kind: 'tool' as const, value: 'crm.delete', tenantId: 'acme' };
  const said = { reason: 'r', actor: 'olga', engagedAt: 5, expiresAt: 9, abortRunning: true, matched: 2, revision: 3 };
  const kept = { ...target, id: killSwitchId(target), ...said };

  it('is what it was', () => {
    const { revision, ...value } = kept;
    expect(killSwitchOf({ value, revision })).toEqual(kept);
  });

  it('is read with any characters, because an unreadable one would close the gate', () => {
    const { revision, ...value } = { ...kept, tenantId: ' ac\u200bme' };
    expect(killSwitchOf({ value, revision }).tenantId).toBe(' ac\u200bme');
  });

  it.each([-1, Number.NaN])('never ends where its end is no time: %p', (expiresAt) => {
    const { revision, ...value } = { ...kept, expiresAt };
    const read = killSwitchOf({ value, revision });
    expect([0, 9, 1e15].map((now) => isLive(read, now))).toEqual([true, true, true]);
  });

  it.each([undefined, 'soon', {}])('is refused where its end cannot be read: %p', (expiresAt) => {
    const { revision, ...value } = { ...kept, expiresAt };
    expect(() => killSwitchOf({ value: value as never, revision })).toThrow(/./);
  });

  it('is refused where its target cannot be read', () => {
    expect(() => killSwitchOf({ value: { kind: 'tool' }, revision: 1 })).toThrow('kill switch');
  });
});
