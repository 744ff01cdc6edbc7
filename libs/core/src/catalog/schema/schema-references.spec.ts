import type { JsonSchema } from '../../json/json.js';
import { referenceFault } from './schema-references.js';

const object = (properties: object, more: object = {}): JsonSchema => ({ type: 'object', properties, ...more });

/** Definitions that each refer to the next one twice: 2^count parts in a few bytes. */
function doubling(count: number): JsonSchema {
  const $defs: Record<string, object> = { [`d${count}`]: { type: 'object' } };
  for (let level = 0; level < count; level++) {
    const next = { $ref: `#/$defs/d${level + 1}` };
    $defs[`d${level}`] = { allOf: [next, next] };
  }
  return object({ a: { $ref: '#/$defs/d0' } }, { $defs });
}

/** The same below a property whose name could be read as a keyword. */
function below(property: string): JsonSchema {
  return object({ [property]: { $ref: '#/$defs/d0' } }, { $defs: doubling(40)['$defs'] });
}

/** The same with anchors instead of pointers. */
function anchored(reference: string, anchor: string): JsonSchema {
  const $defs: Record<string, object> = { d40: { [anchor]: 'd40' } };
  for (let level = 0; level < 40; level++) {
    const next = { [reference]: `#d${level + 1}` };
    $defs[`d${level}`] = { [anchor]: `d${level}`, allOf: [next, next] };
  }
  return object({ a: { [reference]: '#d0' } }, { $defs });
}

describe('referenceFault', () => {
  it.each<[string, JsonSchema]>([
    ['no reference', object({ a: { type: 'string' } })],
    ['a definition', object({ a: { $ref: '#/$defs/x' } }, { $defs: { x: { type: 'string' } } })],
    ['a definition of the older kind', object({ a: { $ref: '#/definitions/x' } }, { definitions: { x: {} } })],
    ['escapes', object({ a: { $ref: '#/$defs/x~1y%20~0' } }, { $defs: { 'x/y ~': {} } })],
    ['a place in a list', object({ a: { anyOf: [{}, {}] }, b: { $ref: '#/properties/a/anyOf/1' } })],
    ['an anchor that nothing refers to', object({}, { $defs: { x: { $anchor: 'x' } } })],
    ['an $id for the whole', object({}, { $id: 'https://example.com/x' })],
    ['properties of such names', object({ $ref: { type: 'string' }, $id: { type: 'string' }, $dynamicRef: true })],
    [
      'data that looks like one',
      object({ a: { default: { $ref: 'x.json', $id: 'x' } }, b: { enum: [{ $dynamicRef: '#x' }] } }),
    ],
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
    ['more than can be walked', doubling(40), /more than 5000 parts/],
    ['more than can be walked, below a property called "definitions"', below('definitions'), /more than 5000 parts/],
    ['more than can be walked, below a property called "default"', below('default'), /more than 5000 parts/],
    [
      'a place that is both a list of properties and a schema',
      { ...below('enum'), allOf: [{ $ref: '#/properties' }] },
      /more than 5000 parts/,
    ],
    [
      'the web, below a property called "const"',
      object({ const: { $ref: 'https://example.com' } }),
      /another document/,
    ],
    [
      'nothing, with more schemas than anybody reads',
      object(Object.fromEntries(Array.from({ length: 1000 }, (_, at) => [`p${at}`, {}]))),
      /more than 1000 schemas/,
    ],
    ['an anchor', object({ a: { $ref: '#x' } }, { $defs: { x: { $anchor: 'x' } } }), /no JSON pointer/],
    ['anchors that multiply', anchored('$ref', '$anchor'), /no JSON pointer/],
    ['dynamic anchors that multiply', anchored('$dynamicRef', '$dynamicAnchor'), /\$dynamicRef/],
    ['the next $recursiveAnchor', object({ a: { $recursiveRef: '#' } }), /\$recursiveRef/],
    [
      'what is another thing within a schema with an $id',
      object({ a: { $id: 'https://example.com/x', $ref: '#/$defs/y', $defs: { y: {} } } }, { $defs: { y: {} } }),
      /\$id of its own/,
    ],
    ['nonsense', object({ a: { $ref: '#/%E0%A4%A' } }), /leads nowhere/],
  ])('refuses a reference to %s', (_, schema, reason) => {
    expect(referenceFault(schema)).toMatch(reason);
  });
});
