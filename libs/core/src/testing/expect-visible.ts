import { AssertionError } from 'node:assert';
import type { Toolbox } from '../toolbox/toolbox.js';

/** Assertions about the tools that a toolbox sees. Await every one of them. */
export interface VisibleExpectation {
  /** Sees exactly these, in any order. @throws AssertionError */
  toEqual(names: readonly string[]): Promise<void>;
  /** Sees all of these, and possibly others. @throws AssertionError */
  toContain(...names: readonly string[]): Promise<void>;
  readonly not: {
    /** Sees none of these. @throws AssertionError */
    toContain(...names: readonly string[]): Promise<void>;
  };
}

const MAX_REASONS = 5;

/**
 * Asserts which tools a context sees, with any test runner: `await expectVisible(toolbox).toEqual(['billing.refund'])`.
 * The failure message lists missing tools with the layer and the rule that hide them, and unexpected tools.
 */
export function expectVisible(toolbox: Pick<Toolbox, 'visible' | 'explain'>): VisibleExpectation {
  const seen = async () => (await toolbox.visible()).map(({ name }) => name).toSorted();
  return {
    toEqual: async (names) => {
      const [actual, expected] = [await seen(), [...new Set(names)].toSorted()];
      const missing = without(expected, actual);
      const surplus = without(actual, expected);
      if (missing.length + surplus.length === 0) return;
      const surplusText = surplus.length === 0 ? [] : [`visible but not expected: ${surplus.join(', ')}`];
      fail([...(await hidden(toolbox, missing)), ...surplusText], actual, expected, 'toEqual');
    },
    toContain: async (...names) => {
      const actual = await seen();
      const missing = without(names, actual);
      if (missing.length > 0) fail(await hidden(toolbox, missing), actual, names, 'toContain');
    },
    not: {
      toContain: async (...names) => {
        const actual = await seen();
        const surplus = names.filter((name) => actual.includes(name));
        const left = without(actual, surplus);
        if (surplus.length > 0)
          fail([`visible but not expected: ${surplus.join(', ')}`], actual, left, 'not.toContain');
      },
    },
  };
}

function without(names: readonly string[], others: readonly string[]): string[] {
  const known = new Set(others);
  return names.filter((name) => !known.has(name));
}

async function hidden(toolbox: Pick<Toolbox, 'explain'>, names: readonly string[]): Promise<string[]> {
  const lines: string[] = [];
  for (const name of names.slice(0, MAX_REASONS)) {
    const { layers } = await toolbox.explain(name);
    const by = layers.find(({ verdict }) => verdict === 'deny');
    // A narrowed toolbox's filter may hide a tool from searches only.
    lines.push(`not visible: ${name} (${by ? `${by.layer}, ${by.rule}: ${by.reason}` : 'no layer denies it'})`);
  }
  const rest = names.slice(MAX_REASONS);
  return rest.length === 0 ? lines : [...lines, `not visible either: ${rest.join(', ')}`];
}

function fail(
  lines: readonly string[],
  actual: readonly string[],
  expected: readonly string[],
  operator: string,
): never {
  const message = `The toolbox does not see what it should.\n${lines.join('\n')}`;
  throw new AssertionError({ message, actual, expected, operator });
}
