import { isToolSearchError } from '@tool-search/core';
import type { z } from 'zod';
import { SECRET, uncheckedOptions, wrongOptions } from './wrong-options.js';

/** Declares the tests that `take` refuses each wrong option by its name, and repeats no text. */
export function expectRefusals(
  what: string,
  schema: z.core.$ZodType,
  take: (options: object) => unknown,
  ...rights: readonly [object, ...object[]]
): void {
  describe(`wrong options of ${what}`, () => {
    it('are compared with right ones', () => {
      for (const right of rights) expect(() => take(right)).not.toThrow();
    });

    it('can be wrong in every option', () => {
      expect(uncheckedOptions(schema)).toEqual([]);
    });

    it.each(wrongOptions(schema, rights).map((wrong) => [wrong.title, wrong] as const))(
      '%s',
      (_, { options, says }) => {
        const refusal = refusalOf(() => take(options));
        expect(refusal).toMatchObject({ code: 'INVALID_CONFIGURATION', hint: expect.stringMatching(/\w/) });
        expect(refusal.message).toContain(says);
        expect(refusal.message + refusal.hint).not.toContain(SECRET);
      },
    );
  });
}

function refusalOf(work: () => unknown): { message: string; hint?: string | undefined } {
  try {
    work();
  } catch (error) {
    if (isToolSearchError(error)) return error;
    throw error;
  }
  throw new Error('not refused');
}
