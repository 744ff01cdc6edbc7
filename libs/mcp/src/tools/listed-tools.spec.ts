import { ListedTools } from './listed-tools.js';

it('pauses at each tool of a page, so that a long list does not hold up others', () => {
  const page = Array.from({ length: 600 }, (_, i) => ({ name: `tool_${i}`, inputSchema: { type: 'object' } }));
  const reading = new ListedTools({ name: 'long' }).reading(undefined);
  expect([...reading.add(page)]).toHaveLength(600);
  expect(reading.finish()).toHaveLength(600);
});
