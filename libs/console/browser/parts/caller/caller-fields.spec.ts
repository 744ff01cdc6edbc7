import { fieldsOf, fitsForm, listOf, offeredFields, withField } from './caller-fields.js';

const PLANS = offeredFields({ plan: ['starter', 'business'] });

describe('the fields of a caller', () => {
  it('are those that the application offers, the roles, and others that the caller has', () => {
    const caller = { tenantId: 'acme', userId: 'ada', plan: 'starter', region: 'eu', teams: ['a', 'b'] };
    expect(fieldsOf(caller, PLANS).map(({ name, value }) => [name, value])).toEqual([
      ['plan', 'starter'],
      ['roles', []],
      ['region', 'eu'],
      ['teams', ['a', 'b']],
    ]);
  });

  it('are offered as the application says, also the roles', () => {
    const offered = offeredFields({ roles: ['finance', 'support'] });
    expect(fieldsOf({ tenantId: 'acme', roles: ['finance'] }, offered)).toEqual([
      { name: 'roles', values: ['finance', 'support'], several: true, value: ['finance'] },
    ]);
  });

  it.each([
    ['texts and lists of texts', { tenantId: 'acme', roles: ['a'], plan: 'x' }, true],
    ['no tenant yet', {}, true],
    ['a number', { tenantId: 'acme', level: 3 }, false],
    ['an object', { tenantId: 'acme', of: { a: 1 } }, false],
    ['a list of numbers', { tenantId: 'acme', roles: [1] }, false],
    ['a list where one value is offered', { tenantId: 'acme', plan: ['x'] }, false],
    ['the right of an operator', { tenantId: 'acme', admin: 'true' }, false],
    ['a character that is not seen', { tenantId: 'ac\u202eme' }, false],
  ])('fit a form or not: %s', (_, caller, fits) => {
    expect(fitsForm(caller, PLANS)).toBe(fits);
  });

  it('are left out when they are emptied', () => {
    expect(withField({ tenantId: 'acme', userId: 'ada' }, 'userId', '')).toEqual({ tenantId: 'acme' });
    expect(withField({ tenantId: 'acme' }, 'roles', ['a'])).toEqual({ tenantId: 'acme', roles: ['a'] });
  });

  it('are typed with commas where they are several', () => {
    expect(listOf(' finance, support ,, ')).toEqual(['finance', 'support']);
  });
});
