import { ListedTools } from './listed-tools.js';

it('pauses at each tool of a page, so that a long list does not hold up others', () => {
  const page = Array.from({ length: 600 }, (_, i) => ({ name: `tool_${i}`, inputSchema: { type: 'object' } }));
  const reading = new ListedTools({ name: 'long' }).reading(undefined);
  expect([...reading.add(page)]).toHaveLength(600);
  expect(reading.finish()).toHaveLength(600);
});

describe('listed resources', () => {
  const read = (...uris: readonly string[]) => {
    const tools = new ListedTools({ name: 'files', expose: { resources: ['file:///open/*'] } });
    const reading = tools.reading(undefined);
    const page = uris.map((uri) => ({ uri, name: uri }));
    return { tools, reading, add: () => [...reading.add(page, 'resource')] };
  };

  it('are those that the server lists, exposed or not, in every form', () => {
    const { tools, reading, add } = read('file:///open/a', 'file:///closed/b');
    add();
    expect(reading.finish()).toHaveLength(1);
    const uris = ['file:///open/a', 'file:///closed/b', 'file:///closed/%62?x', 'file:///closed/%zz', 'file:///c'];
    expect(uris.map((uri) => tools.lists(uri))).toEqual([true, true, true, true, false]);
  });

  it('are all URIs until the server has listed them, and where its list is left out', () => {
    const { tools, reading, add } = read('file:///open/a');
    expect([tools.isRead, tools.lists('file:///c')]).toEqual([false, true]);
    add();
    reading.leaveOut('resource', 'too long');
    reading.finish();
    expect([tools.isRead, tools.lists('file:///c')]).toEqual([true, true]);
  });
});
