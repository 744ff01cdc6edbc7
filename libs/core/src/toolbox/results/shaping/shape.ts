import type { TokenCounter } from '../../../tool/token-count.js';
import { ExactJson } from './exact-json.js';
import { type CutList, FittedJson } from './fitted-json.js';
import { fittedText } from './fitted-text.js';
import { type Written, withinBudget } from './within-budget.js';

/** A text in its shortened form. */
export interface Shaped extends Written {
  /** Where to read on: the list of which most items are missing. */
  readonly cut?: CutList | undefined;
  readonly isJson: boolean;
}

/**
 * Shortens a text to at most `budget` tokens, by its structure: JSON stays valid JSON of the same shape, of plain text
 * the beginning and the end remain. Pure; yields between short pieces of work, so run it with a `TimeSlicer` or with
 * `atOnce`. Takes time in proportion to the text, at most about 40 ms at once.
 */
export function* shape(text: string, budget: number, count: TokenCounter): Generator<undefined, Shaped> {
  const json = yield* ExactJson.of(text);
  yield;
  if (!json) {
    return yield* withinBudget(
      (room) => ({ text: fittedText(text, room), isWhole: text.length <= room, isJson: false }),
      budget,
      count,
    );
  }
  return yield* withinBudget(
    (room): Shaped => {
      const fitted = new FittedJson(json);
      const written = fitted.value(json.value, room);
      return { text: written, isWhole: fitted.isWhole, cut: fitted.cut, isJson: true };
    },
    budget,
    count,
  );
}
