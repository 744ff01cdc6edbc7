import type { Options } from 'ajv';
import { RE2JS } from 're2js';
import { affordsCompiling, affordsPattern, spendOnCompiling } from './validation-budget.js';

const MAX_PATTERN = 1000;
// Instructions of the pattern times characters of one text: about 50 ns per unit for the worst patterns.
const MAX_PATTERN_WORK = 2_000_000;

/**
 * Patterns in schemas are untrusted, so they run on RE2, in linear time. Ajv keys its compiled patterns by
 * `toString()`: without an own one, all patterns of a schema would share the engine of the first. A pattern that RE2
 * does not support (look-around, back-references) or that is too costly for a text accepts any text here; the executor
 * checks its own input.
 *
 * @param isLate true: compiles a pattern when the first text is tested, within the budget of one validation. false: at
 *   once
 */
export function linearRegExp(isLate: boolean): NonNullable<NonNullable<Options['code']>['regExp']> {
  const engine = (pattern: string, flags: string) => ({
    test: isLate ? lateTest(pattern) : linearTest(pattern),
    toString: () => `re2:${flags}:${pattern}`,
  });
  return Object.assign(engine, { code: 'linearRegExp' });
}

function lateTest(pattern: string): (text: string) => boolean {
  let test: ((text: string) => boolean) | undefined;
  return (text) => {
    if (!test && !affordsCompiling()) return true;
    test ??= linearTest(pattern);
    return test(text);
  };
}

/** A pattern in the form `/^…$/i`: as it stands it matches nothing, because a text does not begin after its first sign. */
const LITERAL = /^\/(\^.*|.*[^\\]\$)\/([a-z]*)$/s;

/** The pattern that was meant where one is written as a literal of JavaScript, with those flags that change its meaning. */
function withoutSlashes(pattern: string): string {
  const [, inner, flags = ''] = LITERAL.exec(pattern) ?? [];
  const known = flags.replaceAll(/[^ims]/g, '');
  return inner === undefined ? pattern : `${known === '' ? '' : `(?${known})`}${inner}`;
}

function linearTest(pattern: string): (text: string) => boolean {
  if (pattern.length > MAX_PATTERN) return () => true;
  try {
    const compiled = RE2JS.compile(withoutSlashes(pattern));
    const size = compiled.programSize();
    spendOnCompiling(size);
    return (text) => {
      const work = size * text.length;
      return work > MAX_PATTERN_WORK || !affordsPattern(work) || compiled.test(text);
    };
  } catch {
    return () => true;
  }
}
