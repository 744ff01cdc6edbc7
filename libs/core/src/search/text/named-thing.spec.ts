import { namesThing } from './named-thing.js';

describe('namesThing', () => {
  it.each(['the cast of Titanic', 'When was Albert Einstein born?', 'details of "User API"', 'weather, in Rome'])(
    'sees the name in %j',
    (text) => {
      expect(namesThing(text)).toBe(true);
    },
  );

  it.each(['', 'Delete the file', 'Send it. Then stop.', 'what do I have to do', "users' rights"])(
    'sees none in %j',
    (text) => {
      expect(namesThing(text)).toBe(false);
    },
  );
});
