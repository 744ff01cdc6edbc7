import fc from 'fast-check';
import { fakeTool } from '../../testing/fakes/fake-tools.js';
import { type ArgumentRule, argumentRules } from './argument-rule.js';
import { refusingRule, rulesOn } from './argument-verdict.js';

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

it('rules decide as their documentation says, for random schemas, defaults and arguments', () => {
  const rules = fc.array(fc.tuple(condition, fc.boolean()), { minLength: 1, maxLength: 4 });
  fc.assert(
    fc.property(rules, argumentsOf, defaults, (some, given, missing) => {
      // A `when` that fits arguments without members is refused when it is set.
      const usable = some.filter(([{ holds }, isWhen]) => !isWhen || !holds({}));
      const raw = usable.map(([{ schema }, isWhen], index) => ({
        id: `r${index}`,
        tools: ['crm.*'],
        [isWhen ? 'when' : 'unless']: schema,
        then: 'deny' as const,
        reason: 'no',
      }));
      const properties = Object.fromEntries(Object.entries(missing).map(([name, value]) => [name, { default: value }]));
      const tool = fakeTool({ name: 'crm.write', inputSchema: { type: 'object', properties } });
      const policy = { arguments: argumentRules(raw as readonly ArgumentRule[], 'rules') };
      const whole = { ...missing, ...given };
      const expected = usable.findIndex(([{ holds }, isWhen]) => holds(whole) === isWhen);
      const refusing = refusingRule(rulesOn(policy, tool), tool, given as never);
      expect(refusing?.name).toBe(expected < 0 ? undefined : `arguments:r${expected}`);
    }),
    { numRuns: 300 },
  );
});
