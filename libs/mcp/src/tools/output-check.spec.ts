import { outputCheck } from './output-check.js';

const degrees = { type: 'object', properties: { degrees: { type: 'number' } }, required: ['degrees'] };

describe('the check of structured content', () => {
  it('accepts only content that fits its schema', () => {
    const fits = outputCheck(degrees);
    expect([{ degrees: 21 }, { degrees: 'warm' }, {}, null, undefined].map((each) => fits(each))).toEqual([
      true,
      false,
      false,
      false,
      false,
    ]);
  });

  it.each<[string, unknown]>([
    ['none', undefined],
    ['no object', 'degrees'],
    ['one that cannot be compiled', { type: 'nonsense' }],
    ['one that points elsewhere', { $ref: 'http://169.254.169.254/schema' }],
    ['one that is too large', { ...degrees, description: 'x'.repeat(70_000) }],
    ['one that is too deep', Array.from({ length: 40 }).reduce<object>((not) => ({ not }), degrees)],
  ])('takes anything where the schema is %s', (_, schema) => {
    const fits = outputCheck(schema);
    expect([fits({ anything: true }), fits(undefined)]).toEqual([true, true]);
  });
});
