import { boundedNames } from './found-tools.js';

describe('boundedNames', () => {
  it('gives each name once, in the order in which they were asked for', () => {
    expect(boundedNames(['b', 'a', 'b', 'A'])).toEqual(['b', 'a', 'A']);
  });

  it('corrects no names: a near match could be a hidden tool’s', () => {
    const odd = ['crm.read ', 'CRM.Read', 'ｃrm.read', '__proto__', "'; DROP TABLE tools; --", '\u0000'];
    expect(boundedNames(odd)).toEqual(odd);
  });

  it('takes ten names of 128 characters', () => {
    const names = Array.from({ length: 10 }, (_, index) => `${index}${'x'.repeat(127)}`);
    expect(boundedNames(names)).toEqual(names);
    // Duplicates count towards the limit.
    expect(() => boundedNames([...names, names[0]])).toThrow(expect.objectContaining({ code: 'TOO_MANY_NAMES' }));
  });
});
