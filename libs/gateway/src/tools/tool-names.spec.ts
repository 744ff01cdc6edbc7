import { fakeTool } from '@tool-search/core/testing';
import { toolNames } from './tool-names.js';

const META = new Map([
  ['tool_search', 'search'],
  ['tool_call', 'call'],
]);
const visibleOf = (names: readonly string[]) => names.map((name) => fakeTool({ name }));
const shown = (names: readonly string[], prefix: boolean) =>
  Object.fromEntries(toolNames(visibleOf(names), prefix, META).shown);

describe('toolNames', () => {
  it('shows wire names with a prefix', () => {
    expect(shown(['crm.find', 'ping'], true)).toEqual({ 'crm.find': 'crm__find', ping: 'ping' });
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
      { 'crm.shop__buy': expect.stringMatching(/^crm_shop_buy_/), 'shop.buy': 'buy' },
    ],
    ['the prefix where the name is one of a meta tool', ['crm.tool_search'], { 'crm.tool_search': 'crm__tool_search' }],
    [
      'the prefix where the name is that of the second tool of a bridge',
      ['crm.tool_call_read'],
      { 'crm.tool_call_read': 'crm__tool_call_read' },
    ],
    [
      'the prefix where the name is too long for a provider',
      [`crm.${'x'.repeat(65)}`],
      { [`crm.${'x'.repeat(65)}`]: expect.stringMatching(/^crm_x{40,}_\w{8}$/) },
    ],
    ['the last part of a nested namespace', ['crm.eu.find'], { 'crm.eu.find': 'find' }],
  ])('without a prefix shows %s', (_, names, expected) => {
    expect(shown(names, false)).toEqual(expected);
  });

  it.each([true, false])('leads every shown name back to its tool, prefix: %s', (prefix) => {
    const names = ['crm.find', 'shop.find', 'crm.shop__find', 'shop.crm__find', 'find'];
    const { shown: there, canonical: meant } = toolNames(visibleOf(names), prefix, META);
    expect(new Set(there.values()).size).toBe(names.length);
    expect(names.map((name) => meant.get(there.get(name)!))).toEqual(names);
  });
});
