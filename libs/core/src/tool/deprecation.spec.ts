import { deprecationNote, isDeprecation, isTime, sunsetOf } from './deprecation.js';

describe('a deprecation', () => {
  it.each(['2026-01-01', '2026-01-01T10:00Z', '2026-01-01T10:00:00.5+02:00'])('takes the time %s', (time) => {
    expect(isTime(time)).toBe(true);
    expect(sunsetOf({ sunset: time })).toBe(Date.parse(time));
  });

  it.each(['', 'tomorrow', '2026-13-01', '2026-01-01T10:00', '1 Jan 2026', 7, null, `2026-01-01${' '.repeat(99)}`])(
    'does not take %j for a time',
    (time) => {
      expect(isTime(time)).toBe(false);
    },
  );

  it('never ends without a sunset, and a date begins at midnight UTC', () => {
    expect(sunsetOf(undefined)).toBe(Infinity);
    expect(sunsetOf({ since: '2026-01-01' })).toBe(Infinity);
    expect(sunsetOf({ sunset: '2026-01-01' })).toBe(Date.UTC(2026, 0, 1));
  });

  it('has times and a legal name', () => {
    expect(isDeprecation({})).toBe(true);
    expect(isDeprecation({ since: '2026-01-01', successor: 'a.b', sunset: '2027-01-01' })).toBe(true);
    for (const wrong of [null, 'x', { since: 1 }, { sunset: 'soon' }, { successor: 'a b' }, { successor: 3 }]) {
      expect(isDeprecation(wrong)).toBe(false);
    }
  });

  it('is described in one or two sentences', () => {
    expect(deprecationNote('a.b', {})).toBe('a.b is deprecated.');
    expect(deprecationNote('a.b', { since: '2026-01-01', sunset: '2027-01-01' }, 'a.c')).toBe(
      'a.b is deprecated since 2026-01-01 and stops on 2027-01-01. Use a.c instead.',
    );
  });
});
