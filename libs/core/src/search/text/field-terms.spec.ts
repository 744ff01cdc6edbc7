import { fieldTerms } from './field-terms.js';

describe('fieldTerms', () => {
  it('gives words without function words, and identifiers as a whole', () => {
    expect(fieldTerms('Runs createIssue for the team')).toEqual({
      words: ['run', 'creat', 'issu', 'team'],
      wholes: ['createissu'],
    });
  });

  it('keeps function words of a text that has no other words', () => {
    expect(fieldTerms('is_it up').words).toEqual(['is', 'it', 'up']);
  });

  it('stops after about 2,000 words', () => {
    expect(fieldTerms('word '.repeat(5_000)).words).toHaveLength(2_000);
  });
});
