import { edited, type JsonEdit } from '../../testing/contracts/edited.js';
import { listedTool } from '../../testing/fakes/listing-source.js';
import { isAdditiveChange } from './change-rule.js';

const origin = {
  tool: listedTool('read', {
    inputSchema: {
      type: 'object',
      $defs: { P: { type: 'object', properties: {} } },
      properties: {
        a: { type: 'object', properties: { b: { type: 'string' } } },
        list: { type: 'array', items: { type: 'object' } },
      },
      required: ['a'],
    },
  }),
};

const adds = (edit: JsonEdit): boolean => isAdditiveChange(origin, { tool: edited(origin.tool, edit) });

describe('a change that only adds', () => {
  it.each<[string, JsonEdit]>([
    ['nothing', () => undefined],
    ['an optional parameter', (t) => (t.inputSchema.properties.c = { type: 'number', description: 'New.' })],
    ['an optional part of a parameter', (t) => (t.inputSchema.properties.a.properties.c = {})],
    ['an optional part of what a list holds', (t) => (t.inputSchema.properties.list.items.properties = { c: {} })],
    ['an optional part of a shared definition', (t) => (t.inputSchema.$defs.P.properties.c = {})],
  ])('%s', (_, change) => expect(adds(change)).toBe(true));

  it.each<[string, JsonEdit]>([
    ['a required parameter', (t) => ((t.inputSchema.properties.c = {}), t.inputSchema.required.push('c'))],
    [
      'a parameter that was required before it was there',
      (t) => Object.assign(t.inputSchema, { properties: { ...t.inputSchema.properties, c: {} }, required: ['c'] }),
    ],
    ['a parameter, and other words', (t) => ((t.inputSchema.properties.c = {}), (t.description = 'x'))],
    [
      'a parameter in place of another',
      (t) => ((t.inputSchema.properties.c = {}), delete t.inputSchema.properties.list),
    ],
    ['a parameter of what comes back', (t) => (t.outputSchema.properties.c = {})],
    ['a hint', (t) => (t.annotations.destructiveHint = false)],
    ['a keyword', (t) => (t.inputSchema.properties.a.description = 'x')],
    ['a shared definition', (t) => (t.inputSchema.$defs.Q = {})],
    ['an unknown field', (t) => (t.more = 1)],
    ['less', (t) => delete t.inputSchema.properties.a.properties.b],
  ])('is not: %s', (_, change) => expect(adds(change)).toBe(false));

  it('is not one that makes a parameter of what was required all along', () => {
    const before = { inputSchema: { type: 'object', properties: {}, required: ['c'] } };
    expect(isAdditiveChange(before, { inputSchema: { ...before.inputSchema, properties: { c: {} } } })).toBe(false);
  });
});
