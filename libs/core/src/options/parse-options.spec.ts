import { list, neverUndefined, object, oneOf, text, value } from './options.js';
import { parseOptions } from './parse-options.js';

const schema = object({
  url: neverUndefined(text()).optional(),
  label: text().optional(),
  tokens: list(object({ token: neverUndefined(text(20)).optional() })).optional(),
  headers: value<object>(
    (given) => Object.values(given as object).every((each) => typeof each === 'string'),
    'an object of texts',
  ).optional(),
  key: text(),
});

const refusal = (options: object) => {
  try {
    return parseOptions(schema, { key: 'k', ...options }, 'Module');
  } catch (error) {
    const { code, message, hint } = error as { code: string; message: string; hint: string };
    return [code, message, hint];
  }
};

describe('an option with the value undefined', () => {
  it('is refused if it chooses a place or a secret, also inside of others', () => {
    expect(refusal({ url: undefined })).toEqual([
      'INVALID_CONFIGURATION',
      'Module: url is undefined.',
      'Is the variable of the environment set? Give url a value, or leave the key out if you mean its default.',
    ]);
    expect(refusal({ tokens: [{ token: 't' }, { token: undefined }] })).toMatchObject({
      1: 'Module: tokens[1].token is undefined.',
    });
  });

  it('counts as left out if it chooses neither', () => {
    expect(refusal({ label: undefined })).toMatchObject({ key: 'k' });
    expect(refusal({})).toMatchObject({ key: 'k' });
  });

  it('is named where a value must be given, also as a member of an object', () => {
    expect(refusal({ key: undefined })).toEqual([
      'INVALID_CONFIGURATION',
      'Module: key must be given: a text.',
      'key is undefined. Is the variable of the environment set?',
    ]);
    expect(refusal({ headers: { accept: 'json', authorization: undefined } })).toMatchObject({
      2: 'headers.authorization is undefined. Is the variable of the environment set?',
    });
  });

  it('is no excuse for a key that does not exist, which explains more', () => {
    expect(refusal({ url: undefined, adress: 'x' })).toMatchObject({ 1: 'Module has no option "adress".' });
  });
});

describe('a value that is not among those that an option accepts', () => {
  const choices = object({
    mode: oneOf('all', 'deferred'),
    either: oneOf('auto').or(object({})),
    label: text(3),
  }).partial();
  const messageOf = (given: object) => {
    try {
      return parseOptions(choices, given, 'Module');
    } catch (error) {
      return (error as Error).message;
    }
  };

  it('is repeated if it is a word, which may be misspelt', () => {
    expect(messageOf({ mode: 'defered' })).toBe('Module: mode must be one of all, deferred, not "defered".');
    expect(messageOf({ either: 'Auto' })).toBe('Module: either must be auto or an object, not "Auto".');
  });

  it('is not repeated if it may be a secret', () => {
    for (const secret of ['hunter2', 'two words', 'a'.repeat(25), 'postgres://u:pw@h/d']) {
      expect(messageOf({ mode: secret })).toBe('Module: mode must be one of all, deferred, not this text.');
    }
    expect(messageOf({ label: 'word' })).toBe('Module: label must be a text of 1 to 3 characters, not this text.');
  });
});
