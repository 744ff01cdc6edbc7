import Ajv2020 from 'ajv/dist/2020.js';
import names from 'ajv/dist/compile/names.js';
import { version } from 'ajv/package.json';

// The validation budget counts errors by a variable of the code that Ajv generates; Ajv exports no public name for it.
it(`names.errors of ajv/dist/compile/names.js counts faults in what ajv ${version} compiles (known: 8.17 to 8.20)`, () => {
  expect(version).toMatch(/^8\./);
  expect(String(names.errors)).toBe('errors');
  const validate = new Ajv2020({ code: { source: true } }).compile({
    type: 'object',
    required: ['a'],
    minProperties: 2,
  });
  expect(validate.source?.validateCode).toMatch(/\blet errors = 0;/);
  expect(validate.source?.validateCode).toMatch(/\berrors\+\+|\berrors === /);
});
