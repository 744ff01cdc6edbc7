import type { Surface } from '@tool-search/core';
import { fakeTool } from '@tool-search/core/testing';
import { toolNames } from './tool-names.js';

type Names = Pick<Surface, 'tools' | 'meta' | 'wireNames'>;

/** A surface with these tools, whose wire names are as usual. */
function surfaceOf(names: readonly string[], meta: readonly string[] = []): Surface {
  const tools = names.map((name) => ({ name, definition: fakeTool({ name }) }));
  const wireNames = new Map(names.map((name) => [name, name.replaceAll('.', '__').replaceAll(' ', '_')]));
  const surface = { tools, wireNames, meta: meta.map((name) => ({ name })) };
  return surface satisfies { readonly [Part in keyof Names]: unknown } as never;
}

const shown = (surface: Surface, prefix: boolean) => Object.fromEntries(toolNames(surface, prefix).shown);

describe('toolNames', () => {
  it('shows wire names with a prefix', () => {
    expect(shown(surfaceOf(['crm.find', 'ping']), true)).toEqual({ 'crm.find': 'crm__find', ping: 'ping' });
  });

  it.each([
    ['names of their own', ['crm.find', 'ping'], { 'crm.find': 'find', ping: 'ping' }],
    [
      'the prefix where two tools have the same name',
      ['crm.find', 'shop.find', 'shop.buy'],
      { 'crm.find': 'crm__find', 'shop.find': 'shop__find', 'shop.buy': 'buy' },
    ],
    [
      'the prefix where the name is the wire name of another',
      ['crm.shop__buy', 'shop.buy'],
      { 'crm.shop__buy': 'crm__shop__buy', 'shop.buy': 'buy' },
    ],
    ['the prefix where the name is one of a meta tool', ['crm.tool_search'], { 'crm.tool_search': 'crm__tool_search' }],
    ['the prefix where the name is not legal', ['crm.find it'], { 'crm.find it': 'crm__find_it' }],
    ['the last part of a nested namespace', ['crm.eu.find'], { 'crm.eu.find': 'find' }],
  ])('shows %s without', (_, names, expected) => {
    expect(shown(surfaceOf(names, ['tool_search']), false)).toEqual(expected);
  });

  it.each([true, false])('leads every shown name back to its tool, prefix: %s', (prefix) => {
    const names = ['crm.find', 'shop.find', 'crm.shop__find', 'shop.crm__find', 'find'];
    const { shown: there, meant } = toolNames(surfaceOf(names), prefix);
    expect(new Set(there.values()).size).toBe(names.length);
    expect(names.map((name) => meant.get(there.get(name)!))).toEqual(names);
  });
});
