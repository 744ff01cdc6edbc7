import { parsedArguments } from './call-arguments.js';

const codeOf = (text: string) => {
  const given = parsedArguments(text);
  return 'refused' in given ? given.refused.code : 'accepted';
};

describe('arguments as a provider sends them', () => {
  it('are the object of the text, or none', () => {
    expect(parsedArguments('{"to":[{"id":1},{"id":1}],"id":1}')).toEqual({
      input: { to: [{ id: 1 }, { id: 1 }], id: 1 },
    });
    expect(parsedArguments(' ')).toEqual({ input: {} });
  });

  it.each([
    ['no JSON', '{', 'INVALID_ARGUMENTS'],
    ['a key twice', '{"amount":1,"amount":1000}', 'INVALID_ARGUMENTS'],
    ['a key twice within an object', '{"a":{"b":1,"\\u0062":2}}', 'INVALID_ARGUMENTS'],
    ['1,001 keys', `{${Array.from({ length: 1_001 }, (_, i) => `"k${i}":1`).join()}}`, 'ARGUMENTS_TOO_LARGE'],
    ['200,000 levels', `{"a":${'['.repeat(200_000)}${']'.repeat(200_000)}}`, 'ARGUMENTS_TOO_LARGE'],
  ])('are refused if the text has %s', (_, text, code) => {
    expect(codeOf(text)).toBe(code);
  });
});
