import fc from 'fast-check';
import { hashOfRun, RunBounds, scanRuns } from './scan-runs.js';
import { decomposedRuns } from './tokenize.js';

// Letters of several scripts, combining marks, typography and any other characters.
const anyCharacter = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom(...Array.from("abXYZ09_ ''-- .,\n’’…—“•→é")) },
  { weight: 1, arbitrary: fc.constantFrom(...Array.from('ﬁ½①ªµ·ﬀ\u0301\u00ad\u200b\u200d\ufe0f\u1160ᄀ각が中ก​️🔥😀')) },
  { weight: 1, arbitrary: fc.string({ unit: 'binary', minLength: 1, maxLength: 1 }) },
);
const anyText = fc.array(anyCharacter, { maxLength: 40 }).map((characters) => characters.join(''));

describe('scanRuns', () => {
  it('equals decomposing and matching, or reports that it cannot decide', () => {
    const bounds = new RunBounds();
    fc.assert(
      fc.property(anyText, (text) => {
        if (!scanRuns(text, bounds)) return;
        const found = Array.from({ length: bounds.count }, (_, run) =>
          text.slice(bounds.starts[run], bounds.ends[run]),
        );
        expect(found).toEqual(decomposedRuns(text));
        expect(found.map(hashOfRun)).toEqual([...bounds.hashes.subarray(0, bounds.count)]);
      }),
      { numRuns: 3_000 },
    );
  });

  it('knows every character that forms a token alone', () => {
    const bounds = new RunBounds();
    for (let code = 0; code < 0x1_0000; code++) {
      const text = `a${String.fromCharCode(code)}b`;
      if (!scanRuns(text, bounds)) continue;
      const found = Array.from({ length: bounds.count }, (_, run) => text.slice(bounds.starts[run], bounds.ends[run]));
      expect([code, ...found]).toEqual([code, ...decomposedRuns(text)]);
    }
  });

  it.each(['create_issue of the user’s e-mail — “now”… • 3 → 4', 'x'.repeat(5_000), 'a '.repeat(5_000)])(
    'can decide for %j',
    (text) => {
      const bounds = new RunBounds();
      expect(scanRuns(text, bounds)).toBe(true);
      expect(bounds.count).toBe(decomposedRuns(text).length);
    },
  );
});
