import { descriptionHash, queryCatalogText } from './query-catalog.js';

it('hashes a description without regard to white space', () => {
  expect(descriptionHash(' One\n  two.')).toBe(descriptionHash('One two.'));
  expect(descriptionHash('One three.')).not.toBe(descriptionHash('One two.'));
});

it('writes one line for each tool, sorted by name, as JSON', () => {
  const tools = { b: { hash: '1', queries: ['two'] }, a: { hash: '2', queries: ['one', '"quoted"'] } };
  const text = queryCatalogText({ package: 'app', tools });
  expect(JSON.parse(text)).toEqual({ package: 'app', tools });
  expect(text.split('\n').filter((line) => line.includes('"hash"'))).toEqual([
    '"a":{"hash":"2","queries":["one","\\"quoted\\""]},',
    '"b":{"hash":"1","queries":["two"]}',
  ]);
});
