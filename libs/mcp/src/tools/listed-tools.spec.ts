import { ListedTools } from './listed-tools.js';

it('pauses at each tool of a page, so that a long list does not hold up others', () => {
  const page = Array.from({ length: 600 }, (_, i) => ({ name: `tool_${i}`, inputSchema: { type: 'object' } }));
  const reading = new ListedTools({ name: 'long' }).reading(undefined);
  expect([...reading.add(page)]).toHaveLength(600);
  expect(reading.finish()).toHaveLength(600);
});

describe('lists that break off again and again', () => {
  const page = (from: number, count: number) =>
    Array.from({ length: count }, (_, i) => ({ name: `tool_${from + i}`, inputSchema: { type: 'object' } }));
  /** Reads a list that ends after these entries without its end. */
  const broken = (tools: ListedTools, entries: readonly unknown[], limit: number) => {
    const reading = tools.reading(undefined, limit);
    Array.from(reading.add(entries));
    reading.breakOff();
    return reading.finish().map(({ name }) => name);
  };

  it('never have more tools than the limit, and say what is left out', () => {
    const tools = new ListedTools({ name: 'growing' });
    expect(broken(tools, page(0, 10), 10)).toHaveLength(10);
    for (let load = 1; load <= 5; load++) expect(broken(tools, page(load * 10, 10), 10)).toHaveLength(10);
    const names = broken(tools, page(100, 6), 10);
    expect(names).toEqual([...page(100, 6), ...page(50, 4)].map(({ name }) => name));
    expect(tools.leftOut.map(({ name }) => name)).toEqual(page(54, 6).map(({ name }) => name));
    expect(tools.leftOut[0]?.reason).toContain('over its limit of 10 (limits.tools)');
    expect(tools.callable('tool_54').inputSchema).toBeUndefined();
  });

  it('keep an earlier tool with the name of a list that was left out', () => {
    const tools = new ListedTools({ name: 'odd', expose: { resources: true } });
    broken(tools, [{ name: 'resources', inputSchema: { type: 'object' } }], 10);
    const reading = tools.reading(undefined, 10);
    reading.breakOff();
    reading.leaveOut('resource', 'too long');
    expect(reading.finish().map(({ name }) => name)).toEqual(['resources']);
  });
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

  it('are known with the templates, exposed or not, as one object until the next list', () => {
    const { tools, reading, add } = read('file:///open/a');
    add();
    Array.from(reading.add([{ uriTemplate: 'file:///closed/{id}' }, { uriTemplate: 7 }], 'resource_template'));
    expect(tools.listed).toBeUndefined();
    reading.finish();
    expect(tools.listed?.templates).toEqual(['file:///closed/{id}']);
    expect(tools.listed).toBe(tools.listed);
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
