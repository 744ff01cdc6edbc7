import fc from 'fast-check';
import { fakeTool } from '../../testing/fakes/fake-tools.js';
import { type ArgumentRule, argumentRules } from './argument-rule.js';
import { decidingRule, rulesOn } from './argument-verdict.js';

type Given = Readonly<Record<string, unknown>>;

/** One condition on a member, as a schema and as the documentation says it. */
interface Condition {
  readonly schema: object;
  readonly holds: (given: Given) => boolean;
}

const names = fc.constantFrom('a', 'b', 'c');
const values = fc.oneof(fc.integer({ min: -3, max: 3 }), fc.constantFrom('', 'x', 'xy', null, true, false));
const isNumber = (value: unknown): value is number => typeof value === 'number';

const atoms: fc.Arbitrary<Condition> = fc.oneof(
  names.map((name) => ({ schema: { required: [name] }, holds: (given: Given) => name in given })),
  fc.tuple(names, values).map(([name, value]) => ({
    schema: { required: [name], properties: { [name]: { const: value } } },
    holds: (given: Given) => name in given && given[name] === value,
  })),
  fc.tuple(names, fc.integer({ min: -3, max: 3 })).map(([name, least]) => ({
    schema: { properties: { [name]: { minimum: least } } },
    holds: (given: Given) => !isNumber(given[name]) || given[name] >= least,
  })),
  names.map((name) => ({
    schema: { properties: { [name]: { pattern: '^x' } } },
    holds: (given: Given) => typeof given[name] !== 'string' || given[name].startsWith('x'),
  })),
);

const { condition } = fc.letrec<{ condition: Condition }>((tie) => ({
  condition: fc.oneof(
    { maxDepth: 3 },
    atoms,
    tie('condition').map(({ schema, holds }) => ({ schema: { not: schema }, holds: (given: Given) => !holds(given) })),
    fc.array(tie('condition'), { minLength: 1, maxLength: 3 }).map((all) => ({
      schema: { allOf: all.map(({ schema }) => schema) },
      holds: (given: Given) => all.every(({ holds }) => holds(given)),
    })),
    fc.array(tie('condition'), { minLength: 1, maxLength: 3 }).map((some) => ({
      schema: { anyOf: some.map(({ schema }) => schema) },
      holds: (given: Given) => some.some(({ holds }) => holds(given)),
    })),
  ),
}));

const argumentsOf = fc.dictionary(names, values, { maxKeys: 3 });
/** Members of the tool's schema that have a default. */
const defaults = fc.dictionary(names, values, { maxKeys: 2 });

/** What a rule does, the strictest first. */
const VERDICTS = [
  { then: 'deny' },
  { then: 'approve' },
  { then: 'approve', scope: 'session' },
] as const satisfies readonly Partial<ArgumentRule>[];

it('rules decide as their documentation says, for random schemas, verdicts, defaults and arguments', () => {
  const rule = fc.tuple(condition, fc.boolean(), fc.constantFrom(...VERDICTS));
  const rules = fc.array(rule, { minLength: 1, maxLength: 4 });
  const decided = new Set<string>();
  fc.assert(
    fc.property(rules, argumentsOf, defaults, (some, given, missing) => {
      // A `when` that fits arguments without members is refused when it is set.
      const usable = some.filter(([{ holds }, isWhen]) => !isWhen || !holds({}));
      const raw = usable.map(([{ schema }, isWhen, verdict], index) => ({
        id: `r${index}`,
        tools: ['crm.*'],
        [isWhen ? 'when' : 'unless']: schema,
        ...verdict,
        reason: 'no',
      }));
      const properties = Object.fromEntries(Object.entries(missing).map(([name, value]) => [name, { default: value }]));
      const tool = fakeTool({ name: 'crm.write', inputSchema: { type: 'object', properties } });
      const policy = { arguments: argumentRules(raw as readonly ArgumentRule[], 'rules') };
      const whole = { ...missing, ...given };
      const strictest = VERDICTS.map((verdict) =>
        usable.findIndex(([{ holds }, isWhen, own]) => own === verdict && holds(whole) === isWhen),
      );
      const expected = strictest.find((index) => index >= 0);
      const deciding = decidingRule(rulesOn(policy, tool), tool, given as never);
      expect(deciding?.name).toBe(expected === undefined ? undefined : `arguments:r${expected}`);
      decided.add(JSON.stringify([deciding?.rule.then, deciding?.rule.scope]));
    }),
    { numRuns: 300 },
  );
  // Each verdict, and none, was the right answer at least once.
  expect(decided.size).toBe(VERDICTS.length + 1);
});
