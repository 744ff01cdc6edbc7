import { callerJson, isSeen } from './caller-json.js';

describe('callers as JSON', () => {
  it('write characters that a reader does not see as escapes, and mean the same', () => {
    const caller = { tenantId: 'ac\u202eme', userId: 'a\u200bda\n', 'ro\u{e0001}les': ['x'] };
    const json = callerJson(caller);
    expect(json).toContain('ac\\u202eme');
    expect(json).toContain('\\udb40\\udc01');
    expect(JSON.parse(json)).toEqual(caller);
  });

  it('are shown in a form only if every character is seen', () => {
    expect(['acme', 'ünïcode 😀', 'two words'].map(isSeen)).toEqual([true, true, true]);
    expect(['a\u200bb', '\u202e', 'line\nend', '\u2028'].map(isSeen)).toEqual([false, false, false, false]);
  });
});
