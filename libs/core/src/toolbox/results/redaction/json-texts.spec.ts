import fc from 'fast-check';
import { atOnce } from '../../../async/time-slicer.js';
import { isJsonText, literalsOf, withLiterals } from './json-texts.js';

const literals = (json: string) => atOnce(literalsOf(json));
const replaced = (json: string, replace: (text: string) => string) => {
  const found = literals(json);
  return withLiterals(
    json,
    found,
    found.map(({ text }) => replace(text)),
  );
};

describe('the literals of a JSON text', () => {
  it('are its strings, names and long numbers, with the name that applies to them', () => {
    const json = '{"a": ["x", {"b\\n": 12345.5}, "y"], "c": -123456, "d": 12, "e": null, "f": [[true, "z"]]} ';
    expect(literals(json).map(({ text, key, kind }) => [text, key, kind])).toEqual([
      ['a', '', 'name'],
      ['x', 'a', 'string'],
      ['b\n', '', 'name'],
      ['12345.5', 'b\n', 'number'],
      ['y', 'a', 'string'],
      ['c', '', 'name'],
      ['-123456', 'c', 'number'],
      ['d', '', 'name'],
      ['e', '', 'name'],
      ['f', '', 'name'],
      ['z', 'f', 'string'],
    ]);
  });

  it('leave everything else as it was written', () => {
    const json = '{ "a" : "caf\\u00e9",\n "id": 12345678901234567890, "b": "x" }';
    expect(replaced(json, (text) => text)).toBe(json);
    expect(replaced(json, (text) => (text === 'x' ? '"' : text))).toBe(
      '{ "a" : "caf\\u00e9",\n "id": 12345678901234567890, "b": "\\"" }',
    );
  });

  it('become strings when they were numbers, and names in one object stay different', () => {
    const json = '[{"a@x":1,"b@x":2,"n":12345},{"c@x":3}]';
    const next = (text: string) => (text.includes('@') || text === '12345' ? '[gone]' : text);
    expect(replaced(json, next)).toBe('[{"[gone]":1,"[gone] 2":2,"n":"[gone]"},{"[gone]":3}]');
  });

  it('of any JSON are found, and any texts for them give JSON again', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.string(), (value, text) => {
        const json = JSON.stringify([value]);
        expect(replaced(json, (own) => own)).toBe(json);
        expect(isJsonText(replaced(json, () => text))).toBe(true);
        const strings: string[] = [];
        JSON.stringify(value, (key, own: unknown) => (typeof own === 'string' && strings.push(own), own));
        const found = literals(json).filter(({ kind }) => kind === 'string');
        expect(found.map((literal) => literal.text)).toEqual(strings);
      }),
    );
  });

  it('of deeply nested JSON are found without recursion', () => {
    const json = `${'['.repeat(100_000)}"x"${']'.repeat(100_000)}`;
    expect(literals(json)).toMatchObject([{ text: 'x' }]);
  });
});
