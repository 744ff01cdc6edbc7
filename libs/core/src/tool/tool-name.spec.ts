import fc from 'fast-check';
import {
  canonicalName,
  checkGlob,
  foldedName,
  globMatches,
  globSet,
  globTest,
  isLegalName,
  wireName,
} from './tool-name.js';

const LEGAL_CHARACTERS = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.-'.split('');

/** The glob as a regular expression; safe here because the generated globs are short. */
function globAsRegExp(glob: string): RegExp {
  const source = glob.replace(/[.*+?^${}()|[\]\\]/g, (sign) =>
    sign === '*' ? '.*' : sign === '?' ? '.' : `\\${sign}`,
  );
  return new RegExp(`^${source}$`, 's');
}

describe('globMatches', () => {
  it('agrees with a regular expression', () => {
    const few = fc.string({ unit: fc.constantFrom('a', 'b', '.', '_', '/'), maxLength: 10 });
    const glob = fc.string({ unit: fc.constantFrom('a', 'b', '.', '*', '?', '/'), maxLength: 8 });
    let [matched, runs] = [0, 0];
    fc.assert(
      fc.property(glob, few, (pattern, name) => {
        const expected = globAsRegExp(pattern).test(name);
        matched += Number(expected);
        runs += 1;
        return globMatches(pattern, name) === expected && globTest(pattern)(name) === expected;
      }),
      { numRuns: 20_000 },
    );
    expect(matched / runs).toBeGreaterThan(0.05);
  });

  it('lets a star cross dots and slashes, so that denying a namespace denies all of it', () => {
    expect(['github.a', 'github.a.b', 'github/delete', 'github'].map((name) => globMatches('github*', name))).toEqual([
      true,
      true,
      true,
      true,
    ]);
    expect(globMatches('github.*', 'githubx.a')).toBe(false);
  });

  it('gives brackets, braces and backslashes no meaning', () => {
    expect(globMatches('[[:constructor:]]', 'c')).toBe(false);
    expect(globMatches('{a,b}', 'a')).toBe(false);
    expect(globMatches('+(a)', 'a')).toBe(false);
  });

  it('is not to be kept busy by stars', () => {
    expect(globMatches(`${'*a'.repeat(120)}*x`, 'a'.repeat(128))).toBe(false);
    expect(globTest(`${'*a'.repeat(120)}*x`)('a'.repeat(128))).toBe(false);
  });

  it('is case-sensitive', () => {
    expect(globMatches('crm.*', 'CRM.read')).toBe(false);
  });
});

describe('globSet', () => {
  it('accepts what one of its globs matches', () => {
    const globs = fc.array(fc.string({ unit: fc.constantFrom('a', '.', '*', '?'), maxLength: 4 }), { maxLength: 4 });
    const name = fc.string({ unit: fc.constantFrom('a', 'b', '.'), maxLength: 4 });
    fc.assert(
      fc.property(globs, name, (patterns, candidate) => {
        expect(globSet(patterns)(candidate)).toBe(patterns.some((glob) => globMatches(glob, candidate)));
      }),
    );
  });
});

describe('checkGlob', () => {
  it.each(['crm.*', '*', 'a?b', 'A-b_c.d'])('accepts %p', (glob) => {
    expect(checkGlob(glob, 'deny')).toBe(glob);
  });

  it.each(['', 'crm.{a,b}', 'crm. *', 'x'.repeat(257), 7, null])('refuses %p, which could match no name', (glob) => {
    expect(() => checkGlob(glob, 'deny')).toThrow(expect.objectContaining({ code: 'INVALID_CONFIGURATION' }));
  });
});

describe('isLegalName', () => {
  it.each(['a', 'crm.read', '__proto__', 'a..b', '.', 'x'.repeat(128)])('accepts %p', (name) => {
    expect(isLegalName(name)).toBe(true);
  });

  it.each(['', 'a b', 'a\n', 'ü', 'a/b', 'a:b', 'аdmin', 'x'.repeat(129)])('refuses %p', (name) => {
    expect(isLegalName(name)).toBe(false);
  });
});

describe('canonicalName', () => {
  it('puts the namespace in front, if there is one', () => {
    expect([canonicalName('crm', 'read'), canonicalName('', 'read')]).toEqual(['crm.read', 'read']);
  });
});

describe('wireName', () => {
  const nasty = fc.string({ unit: fc.constantFrom('a', 'b', '.', '_', '-'), minLength: 1, maxLength: 12 });
  const long = fc.string({ unit: fc.constantFrom(...LEGAL_CHARACTERS), minLength: 50, maxLength: 128 });
  const common = fc
    .tuple(fc.constantFrom('crm', 'git_hub', 'a'), fc.constantFrom('read', 'list_all', '_x', 'x_', '__'))
    .map((parts) => parts.join('.'));
  const name = fc.oneof(nasty, long, common);

  it.each([64, 128])('is legal for providers that take %i characters', (maxLength) => {
    fc.assert(
      fc.property(name, (canonical) => {
        expect(wireName(canonical, maxLength)).toMatch(/^[A-Za-z0-9_-]+$/);
        expect(wireName(canonical, maxLength).length).toBeLessThanOrEqual(maxLength);
      }),
      { numRuns: 5000 },
    );
  });

  it('reads like the canonical name where that is possible', () => {
    expect([wireName('crm.read_all'), wireName('a.b.c'), wireName('plain')]).toEqual([
      'crm__read_all',
      'a__b__c',
      'plain',
    ]);
    expect(wireName('crm.read__all')).toMatch(/^crm_read_all_[a-z2-7]{8}$/);
    expect(wireName(`crm.${'x'.repeat(100)}`)).toMatch(/^crm_x{51}_[a-z2-7]{8}$/);
  });

  it('is the same in every process and version, because conversations are stored with it', () => {
    expect(wireName('a__b')).toBe('a_b_mps4drcv');
  });

  it.each([64, 128])('never gives two names one form (%i characters)', (maxLength) => {
    const every = new Map<string, string>();
    const add = (canonical: string): void => {
      const wire = wireName(canonical, maxLength);
      expect([wire, every.get(wire) ?? canonical]).toEqual([wire, canonical]);
      every.set(wire, canonical);
    };
    // All names of up to six characters from the alphabet in which collisions are most likely.
    let level = [''];
    for (let length = 1; length <= 6; length++) {
      level = level.flatMap((prefix) => ['a', '.', '_'].map((sign) => prefix + sign));
      level.forEach(add);
    }
    const short = every.size;
    let runs = 0;
    fc.assert(
      fc.property(name, (canonical) => {
        runs += 1;
        add(canonical);
      }),
      { numRuns: 5000 },
    );
    expect((every.size - short) / runs).toBeGreaterThan(0.28);
  });

  it('keeps the two kinds of form apart, so that no name can be chosen to meet another', () => {
    fc.assert(
      fc.property(nasty, (canonical) => {
        const wire = wireName(canonical);
        // Only the reversible form contains "__"; the form with a digest never does.
        expect(wire.includes('__') ? wire.replaceAll('__', '.') : canonical).toBe(canonical);
      }),
      { numRuns: 5000 },
    );
  });
});

describe('foldedName', () => {
  it.each([
    ['acme_.status', 'acme_status'],
    ['acme._status', 'acme_status'],
    ['ACME--Status.', 'acme_status'],
    ['ａｃｍｅ．ｓｔａｔｕｓ', 'acme_status'],
    ['__', ''],
  ])('reads %s as %s', (name, folded) => {
    expect(foldedName(name)).toBe(folded);
  });
});
