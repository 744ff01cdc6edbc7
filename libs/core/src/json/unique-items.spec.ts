import type { JsonSchema } from './json.js';
import type { InputCheck } from '../tool/tool-definition.js';
import { jsonSchemaValidator } from '../tool/schema/tool-schema.js';

const LIST = { type: 'array', uniqueItems: true };

function accepts(list: unknown, of: JsonSchema = LIST): boolean {
  const schema = { type: 'object', properties: { list: of } };
  return 'value' in (jsonSchemaValidator(JSON.stringify(schema), schema)({ list }) as InputCheck);
}

describe('uniqueItems', () => {
  it.each<[string, unknown[]]>([
    ['equal numbers', [1, 2, 1.0]],
    ['both zeros', [0, -0]],
    ['equal text', ['a', 'b', 'a']],
    [
      'equal objects, whatever the order of their keys',
      [
        { a: 1, b: { c: 2, d: 3 } },
        { b: { d: 3, c: 2 }, a: 1 },
      ],
    ],
    [
      'equal lists',
      [
        [1, [2]],
        [1, [2]],
      ],
    ],
    ['null twice', [null, null]],
  ])('refuses %s', (_, list) => {
    expect(accepts(list)).toBe(false);
    expect(accepts(list, { ...LIST, uniqueItems: false })).toBe(true);
  });

  it.each<[string, unknown[]]>([
    ['nothing', []],
    ['a number and its text', [1, '1']],
    ['true, 1 and "true"', [true, 1, 'true']],
    ['null, false, 0 and ""', [null, false, 0, '']],
    [
      'lists in another order',
      [
        [1, 2],
        [2, 1],
      ],
    ],
    ['an empty list and an empty object', [[], {}]],
    ['a text that looks like a list', [['a'], '["a"]']],
    ['names that every object has', ['constructor', '__proto__', 'toString']],
  ])('accepts %s', (_, list) => {
    expect(accepts(list)).toBe(true);
  });

  it('says so by its place, not by its value', () => {
    const schema = { type: 'object', properties: { list: LIST } };
    expect(jsonSchemaValidator('unique', schema)({ list: ['hunter2', 'hunter2'] })).toEqual({
      issues: [{ path: '/list', message: 'must NOT have duplicate items' }],
    });
  });

  it('looks at each item once, not at each pair', () => {
    let reads = 0;
    const list = Array.from({ length: 1000 }, (_, index) => ({
      get id() {
        reads++;
        return index;
      },
    }));
    expect(accepts(list)).toBe(true);
    expect(reads).toBeLessThan(5000);
  });
});
