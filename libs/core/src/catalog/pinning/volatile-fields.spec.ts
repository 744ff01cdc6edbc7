import { edited, type JsonEdit } from '../../testing/contracts/edited.js';
import { listedTool } from '../../testing/fakes/listing-source.js';
import type { JsonObject } from '../../json/json.js';
import { without } from '../../json/json-pointer.js';
import { fetchDifference, isHarmless } from './volatile-fields.js';

const tool = listedTool('read');
const origin = { tool, server: { instructions: 'Reads.', version: '1' } };

const difference = (edit: JsonEdit) => fetchDifference(origin, edited<JsonObject>(origin, edit));

describe('what differs between two fetches of one tool', () => {
  const schema = '/tool/inputSchema/properties';

  it.each<[string, JsonEdit, string[]]>([
    ['nothing', () => undefined, []],
    ['a default', (o) => (o.tool.inputSchema.properties.order.default = 'now'), [`${schema}/order/default`]],
    [
      'a default that comes and goes',
      (o) => delete o.tool.inputSchema.properties.order.default,
      [`${schema}/order/default`],
    ],
    ['an element of an enum', (o) => (o.tool.inputSchema.properties.order.enum[1] = 'now'), [`${schema}/order/enum`]],
    [
      'an example deep in a list',
      (o) => (o.tool.inputSchema.properties.filter.anyOf[1].properties.tags.examples[0][0] = 'b'),
      [`${schema}/filter/anyOf/1/properties/tags/examples`],
    ],
    [
      'the words of a parameter',
      (o) => (o.tool.inputSchema.properties.id.description = 'now'),
      [`${schema}/id/description`],
    ],
    ['a hint', (o) => (o.tool.annotations.readOnlyHint = false), ['/tool/annotations/readOnlyHint']],
    ['a hint that is new', (o) => (o.tool.annotations['a/b~c'] = 1), ['/tool/annotations/a~1b~0c']],
    ['an element in _meta', (o) => (o.tool._meta.tags[1].two = 3), ['/tool/_meta/tags']],
    ['all of _meta', (o) => delete o.tool._meta, ['/tool/_meta']],
    ['what the server says of itself', (o) => (o.server.instructions = 'Reads at 10:00.'), ['/server/instructions']],
    ['all that it says', (o) => delete o.server, ['/server']],
  ])('%s: can be left out', (_, change, volatile) => {
    expect(difference(change)).toEqual({ volatile, fixed: [] });
    expect(without(edited<JsonObject>(origin, change), volatile)).toEqual(without(origin, volatile));
  });

  it.each<[string, JsonEdit, string]>([
    ['the name', (o) => (o.tool.name = 'x'), '/tool/name'],
    ['the description', (o) => (o.tool.description = 'x'), '/tool/description'],
    ['a type', (o) => (o.tool.inputSchema.properties.limit.type[0] = 'string'), `${schema}/limit/type`],
    ['what is required', (o) => o.tool.inputSchema.required.push('order'), '/tool/inputSchema/required'],
    ['a parameter', (o) => delete o.tool.inputSchema.properties.order, `${schema}/order`],
    [
      'a parameter that has a name as keywords have',
      (o) => (o.tool.inputSchema.properties.default = {}),
      `${schema}/default`,
    ],
    ['all parameters', (o) => delete o.tool.inputSchema.properties, schema],
    ['a variant', (o) => o.tool.inputSchema.properties.filter.anyOf.pop(), `${schema}/filter/anyOf`],
    [
      'whether there may be more',
      (o) => (o.tool.inputSchema.additionalProperties = true),
      '/tool/inputSchema/additionalProperties',
    ],
    ['the schema', (o) => delete o.tool.outputSchema, '/tool/outputSchema'],
    ['a field nobody knows', (o) => (o.tool['x-vendor'].note = 'x'), '/tool/x-vendor/note'],
    ['where it is called', (o) => (o.tool.servers = ['http://evil']), '/tool/servers'],
  ])('%s: says what the tool is', (_, change, pointer) => {
    expect(difference(change)).toEqual({ volatile: [], fixed: [pointer] });
  });

  it('only what neither takes nor says anything may be lost by an accepted tool', () => {
    expect(['/a/default', '/a/examples', '/default/description', '/a/enum', '/a/maximum'].map(isHarmless)).toEqual([
      true,
      true,
      false,
      false,
      false,
    ]);
  });
});

describe('leaving members out', () => {
  it('never moves elements of an array, reaches a prototype, or changes what it was given', () => {
    const given = JSON.parse('{"a":[1,2],"b":{"c":1,"__proto__":{"x":1}}}') as JsonObject;
    expect(without(given, ['/a/0', '/b/c', '/b/toString/x', '/z/y', ''])).toEqual(
      JSON.parse('{"a":[1,2],"b":{"__proto__":{"x":1}}}'),
    );
    expect(given).toEqual(JSON.parse('{"a":[1,2],"b":{"c":1,"__proto__":{"x":1}}}'));
  });
});
