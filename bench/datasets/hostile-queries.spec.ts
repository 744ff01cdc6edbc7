import { HOSTILE_PATTERNS, hostileWords } from './hostile-queries.js';
import { definitionOf } from './tool-definitions.js';

describe('hostile queries', () => {
  const tools = Array.from({ length: 700 }, (_, number) =>
    definitionOf({
      name: `t${number}`,
      namespace: '',
      description: `common word of ${number.toString(26).replace(/\d/g, 'z')}ending`,
    }),
  );

  it('stay within the bounds that an engine accepts, so that they reach it', () => {
    for (const { text } of hostileWords(tools)) expect(text.length).toBeLessThanOrEqual(4_000);
    for (const { text } of HOSTILE_PATTERNS) expect(text.length).toBeLessThanOrEqual(200);
  });

  it('are made of the words of the catalog where that is worse', () => {
    const textOf = (name: string) => hostileWords(tools).find((query) => query.name === name)?.text ?? '';
    expect(textOf('the most common word 800 times').split(' ')[0]).toBe('common');
    expect(textOf('64 words with one wrong letter').split(' ')).toHaveLength(64);
    expect(new Set(textOf('64 unknown words').split(' ')).size).toBe(64);
  });
});
