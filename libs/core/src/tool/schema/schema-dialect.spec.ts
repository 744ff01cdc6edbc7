import { dialectOf, hasCurrentDialect } from './schema-dialect.js';

describe('dialectOf', () => {
  it.each([
    [undefined, '2020-12'],
    ['', '2020-12'],
    ['https://json-schema.org/draft/2020-12/schema', '2020-12'],
    ['https://json-schema.org/draft/2020-12/schema#', '2020-12'],
    ['http://json-schema.org/draft/next/schema', '2020-12'],
    ['http://json-schema.org/schema#', '2020-12'],
    ['https://spec.openapis.org/oas/3.1/dialect/base', '2020-12'],
    ['https://json-schema.org/draft/2019-09/schema', '2019-09'],
    ['http://json-schema.org/draft-07/schema#', 'draft-07'],
    ['https://json-schema.org/draft-07/schema', 'draft-07'],
    ['http://json-schema.org/draft-06/schema#', 'draft-07'],
    ['http://json-schema.org/draft-04/schema#', 'draft-07'],
    ['http://json-schema.org/draft-04/hyper-schema#', 'draft-07'],
    ['https://example.com/my-dialect', undefined],
    ['https://example.com/draft-07/schema', undefined],
    ['https://json-schema.org.example.com/draft-07/schema', undefined],
    ['https://json-schema.org/draft-12/schema', undefined],
    [7, undefined],
  ])('reads %p as %p', ($schema, dialect) => {
    expect(dialectOf($schema === undefined ? {} : { $schema })).toBe(dialect);
  });
});

describe('hasCurrentDialect', () => {
  it.each([
    [undefined, true],
    ['https://json-schema.org/draft/2020-12/schema', true],
    ['http://json-schema.org/draft-07/schema#', true],
    ['http://json-schema.org/draft-06/schema#', false],
    ['https://json-schema.org/draft/2019-09/schema', false],
    ['https://example.com/draft-07/schema', false],
    [null, false],
  ])('says of %p: %p', ($schema, current) => {
    expect(hasCurrentDialect($schema === undefined ? {} : { $schema })).toBe(current);
  });
});
