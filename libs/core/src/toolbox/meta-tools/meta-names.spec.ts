import { isMetaName, OWN_META_NAMES, spokenText } from './meta-names.js';

describe('a text of ours', () => {
  const text = 'Find it with tool_search. Read it with tool_get, then call it. Try again.';

  it('is as it was for a model that knows meta tools by our names', () => {
    expect(spokenText(text, OWN_META_NAMES)).toBe(text);
  });

  it('names them as the model knows them, wherever they stand', () => {
    expect(spokenText('tool_search, tool_searches, "tool_load".', { search: 'a', load: 'b' })).toBe(
      'a, tool_searches, "b".',
    );
  });

  it('leaves out what speaks of a tool that the model does not have', () => {
    expect(spokenText(text, { search: 'find' })).toBe('Find it with find. Try again.');
    expect(spokenText('Use tool_search to find tools.', {})).toBe('');
  });

  it('leaves names alone that only look like it', () => {
    const names = 'crm.tool_get, tool_get.x, my_tool_get, tool_get_all, x-tool_get';
    expect(spokenText(names, { get: 'read' })).toBe(names);
  });

  it('puts a name in as it is', () => {
    expect(spokenText('Use tool_get.', { get: 'a-$&_1' })).toBe('Use a-$&_1.');
  });
});

describe('a name of a meta tool', () => {
  it.each(['find_tools', 'x', 'Find-2', 'a'.repeat(64)])('may be %s', (name) => {
    expect(isMetaName(name)).toBe(true);
  });

  it.each(['', '1st', '_x', 'a.b', 'a b', 'a'.repeat(65), '__proto__', 'ä', 7, undefined])('may not be %s', (name) => {
    expect(isMetaName(name)).toBe(false);
  });
});
