import { guidanceText } from './prompt-exposure.js';

const OWN = { search: 'tool_search', get: 'tool_get' };

describe('guidanceText', () => {
  it('says in each mode how a found tool is called', () => {
    expect(guidanceText('deferred', OWN)).toContain('From your next step on, you call a found tool by its own name.');
    expect(guidanceText('deferred', { ...OWN, load: 'tool_load' })).toMatch(/Load what you need with tool_load/);
    expect(guidanceText('native', OWN)).toMatch(/held back until you search.*call them by their own names/);
    const bridge = guidanceText('bridge', { ...OWN, call: 'tool_call' });
    expect(bridge).toMatch(/tool_get.*never listed: call each through tool_call/);
    expect(new Set([bridge, guidanceText('deferred', OWN), guidanceText('native', OWN)]).size).toBe(3);
  });

  it('speaks of meta tools as they are called, and of none that is not there', () => {
    const renamed = guidanceText('deferred', { search: 'search_tools', load: 'load_tool' });
    expect(renamed.match(/\b\w+_\w+\b/g)).toEqual(['search_tools', 'load_tool', 'search_tools']);
    expect(guidanceText('native', {})).not.toMatch(/tool_|undefined/);
  });

  it('says what a weak search means', () => {
    expect(guidanceText('deferred', OWN)).toContain(
      'only if its description fits, above all where the verdict is "weak"',
    );
    expect(guidanceText('native', {})).not.toContain('weak');
  });

  it('is short', () => {
    for (const mode of ['deferred', 'bridge', 'native'] as const) {
      expect(guidanceText(mode, { ...OWN, call: 'tool_call' }).length).toBeLessThan(500);
    }
  });
});
