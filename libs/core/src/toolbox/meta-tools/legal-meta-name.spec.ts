import { isMetaName } from './legal-meta-name.js';

describe('a name of a meta tool', () => {
  it.each(['find_tools', 'x', 'Find-2', 'a'.repeat(64)])('may be %s', (name) => {
    expect(isMetaName(name)).toBe(true);
  });

  it.each(['', '1st', '_x', 'a.b', 'a b', 'a'.repeat(65), '__proto__', 'ä', 7, undefined])('may not be %s', (name) => {
    expect(isMetaName(name)).toBe(false);
  });
});
