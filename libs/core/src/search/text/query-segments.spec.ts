import { querySegments } from './query-segments.js';

describe('querySegments', () => {
  it('leaves a plain request whole', () => {
    expect(querySegments('send an email')).toEqual([{ text: 'send an email', weight: 1 }]);
  });

  it('counts what is quoted less', () => {
    const pieces = querySegments('find "Annual report" in my files').filter(({ text }) => text.trim() !== '');
    expect(pieces.map(({ text }) => text.trim())).toEqual(['find', '"Annual report"', 'in my files']);
    expect(pieces[1]?.weight).toBeLessThan(pieces[0]?.weight ?? 0);
  });

  it('gives sentences without a request less weight', () => {
    const [scene, question, value] = querySegments('I travel a lot. Can you find me a hotel? My name is Ann.');
    expect(question?.weight).toBe(1);
    expect(scene?.weight).toBeLessThan(1);
    expect(value?.weight).toBe(scene?.weight);
  });

  it('weighs all sentences alike where none asks or all do', () => {
    for (const text of ['Rain in Rome. Wind in Oslo.', 'Find a hotel. Also, book it.']) {
      expect(querySegments(text).every(({ weight }) => weight === 1)).toBe(true);
    }
  });

  it('keeps a quotation of several sentences whole', () => {
    const pieces = querySegments('Post the message "Deploy done. All green" to Slack, please. My name is Ann.');
    expect(pieces.map(({ text }) => text)).toContain('"Deploy done. All green"');
    expect(pieces[0]).toMatchObject({ text: 'Post the message ', weight: 1 });
  });

  it('takes a quotation without an end for text', () => {
    expect(querySegments(`say “${'“'.repeat(3_000)} hello`)).toHaveLength(1);
  });

  it('takes time in proportion to a hostile text', () => {
    expect(querySegments('A. '.repeat(2_000)).length).toBeLessThanOrEqual(2_000);
  });
});
