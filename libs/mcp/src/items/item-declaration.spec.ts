import { itemReader } from './item-declaration.js';

const read = itemReader({ name: 'lib', expose: { prompts: true } });

describe('the arguments of a prompt', () => {
  it.each(['__proto__', 'constructor', 'toString', 'language'])('%s is a member of its own', (name) => {
    const raw = { name: 'review', arguments: [{ name, description: 'Of the code.', required: true }] };
    const { inputSchema } = read('prompt', raw) as { inputSchema: Record<string, unknown> };
    const properties = inputSchema['properties'] as object;
    expect(Object.getPrototypeOf(properties)).toBe(Object.prototype);
    expect(Object.entries(properties)).toEqual([[name, { type: 'string', description: 'Of the code.' }]]);
    expect(inputSchema['required']).toEqual([name]);
  });

  it.each(['__proto__', 'constructor'])('are refused if two have the name %s', (name) => {
    const raw = { name: 'review', arguments: [{ name }, { name }] };
    expect(read('prompt', raw)).toMatchObject({ reason: 'it has two arguments of the same name' });
  });
});
