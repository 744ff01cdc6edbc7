import type { JsonSchema } from '../tool/json.js';
import { referenceFault } from './schema-references.js';

const object = (properties: object, more: object = {}): JsonSchema => ({ type: 'object', properties, ...more });

/** Definitions of which each refers to the next one twice: 2^count parts in a few bytes. */
function doubling(count: number): JsonSchema {
  const $defs: Record<string, object> = { [`d${count}`]: { type: 'object' } };
  for (let level = 0; level < count; level++) {
    const next = { $ref: `#/$defs/d${level + 1}` };
    $defs[`d${level}`] = { allOf: [next, next] };
  }
  return object({ a: { $ref: '#/$defs/d0' } }, { $defs });
}

describe('referenceFault', () => {
  it.each<[string, JsonSchema]>([
    ['no reference', object({ a: { type: 'string' } })],
    ['a definition', object({ a: { $ref: '#/$defs/x' } }, { $defs: { x: { type: 'string' } } })],
    ['a definition of the older kind', object({ a: { $ref: '#/definitions/x' } }, { definitions: { x: {} } })],
    ['escapes', object({ a: { $ref: '#/$defs/x~1y%20~0' } }, { $defs: { 'x/y ~': {} } })],
    ['a place in a list', object({ a: { anyOf: [{}, {}] }, b: { $ref: '#/properties/a/anyOf/1' } })],
    ['an anchor', object({ a: { $ref: '#x' } }, { $defs: { x: { $anchor: 'x' } } })],
    ['a property of that name', object({ $ref: { type: 'string' } })],
    ['a tree', object({ children: { type: 'array', items: { $ref: '#' } } })],
    [
      'two trees that hold each other',
      object(
        { a: { $ref: '#/$defs/x' } },
        { $defs: { x: { items: { $ref: '#/$defs/y' } }, y: { items: { $ref: '#/$defs/x' } } } },
      ),
    ],
    [
      'one definition used a hundred times',
      object({ a: { allOf: Array(100).fill({ $ref: '#/$defs/x' }) } }, { $defs: { x: {} } }),
    ],
    ['some doubling', doubling(10)],
  ])('takes %s', (_, schema) => {
    expect(referenceFault(schema)).toBeUndefined();
  });

  it.each<[string, JsonSchema, RegExp]>([
    ['the web', object({ a: { $ref: 'https://example.com/x.json' } }), /another document/],
    ['a file', object({ a: { $ref: 'file:///etc/passwd' } }), /another document/],
    ['a neighbouring file', object({ a: { $ref: 'x.json#/a' } }), /another document/],
    [
      'the web, in a definition nobody uses',
      object({}, { $defs: { x: { $ref: 'https://example.com' } } }),
      /another document/,
    ],
    ['nothing', object({ a: { $ref: '#/$defs/x' } }), /leads nowhere/],
    ['what every object inherits', object({ a: { $ref: '#/constructor' } }), /leads nowhere/],
    ['more than can be walked', doubling(40), /more than 10000 parts/],
    ['nonsense', object({ a: { $ref: '#/%E0%A4%A' } }), /leads nowhere/],
  ])('refuses a reference to %s', (_, schema, reason) => {
    expect(referenceFault(schema)).toMatch(reason);
  });
});
