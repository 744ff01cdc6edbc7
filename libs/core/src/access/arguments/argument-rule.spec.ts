import type { JsonObject } from '../../json/json.js';
import { fakeTool } from '../../testing/fakes/fake-tools.js';
import type { ArgumentRule } from './argument-rule.js';
import { completedArguments } from './completed-arguments.js';
import { unknownArguments } from './unknown-arguments.js';
import { toolPolicy } from '../policies/tool-policy.js';
import { decidingRule, rulesOn } from './argument-verdict.js';

const RULE = {
  id: 'large',
  tools: ['billing.*'],
  when: { required: ['amount'], properties: { amount: { exclusiveMinimum: 1000 } } },
  then: 'deny',
  reason: 'too much',
} as const;

const rulesOf = (rules: readonly unknown[], where: string) => toolPolicy({ arguments: rules }, where).arguments!;
const object = (properties: object, more: object = {}) => ({ type: 'object', properties, ...more });
const tool = (inputSchema: object = object({ amount: { type: 'number' } }), more: object = {}) =>
  fakeTool({ name: 'billing.refund', inputSchema: inputSchema as never, ...more });
const refuses = (rule: Partial<ArgumentRule>, given: object, of = tool()) => {
  const { when: _, ...rest } = RULE;
  const [checked] = rulesOf([rule.unless ? { ...rest, ...rule } : { ...RULE, ...rule }], 'rules');
  return decidingRule(rulesOn({ arguments: [checked!] }, of), of, given as never) !== undefined;
};
const idOf = (rules: readonly unknown[], given: object, of = tool()) =>
  decidingRule(rulesOn({ arguments: rulesOf(rules, 'rules') }, of), of, given as never)?.rule.id;

describe('a rule on arguments', () => {
  it.each<[why: string, rule: object, fault: RegExp]>([
    ['has an unknown field', { ...RULE, then_: 1 }, /has no option "then_"/],
    ['has no id', { ...RULE, id: '' }, /\[0\]\.id must be/],
    ['has an id of other characters', { ...RULE, id: 'a b' }, /\[0\]\.id must be/],
    ['names no tools', { ...RULE, tools: [] }, /\[0\]\.tools must be/],
    ['names what is no glob', { ...RULE, tools: ['a b'] }, /must be a tool name or glob/],
    ['names 101 tools', { ...RULE, tools: Array.from({ length: 101 }, (_, i) => `t${i}`) }, /1 to 100/],
    ['decides otherwise', { ...RULE, then: 'allow' }, /then must be/],
    ['refuses for a session', { ...RULE, scope: 'session' }, /scope is only for a rule whose then is "approve"/],
    ['asks for something else', { ...RULE, then: 'approve', scope: 'call' }, /scope must be session/],
    ['has when and unless', { ...RULE, unless: {} }, /either when or unless/],
    ['has neither', { ...RULE, when: undefined }, /either when or unless/],
    ['has no reason', { ...RULE, reason: ' ' }, /reason must be a text/],
    ['has a long message', { ...RULE, message: 'x'.repeat(501) }, /message must be a text/],
    [
      'applies where the member is missing',
      { ...RULE, when: { properties: { amount: { minimum: 1 } } } },
      /fits arguments/,
    ],
    ['applies to everything', { ...RULE, when: {} }, /fits arguments without any member/],
    ['has a value that JSON does not have', { ...RULE, when: () => 1 }, /when must be a JSON Schema/],
    [
      'has an empty list of values',
      { ...RULE, when: { required: ['a'], properties: { a: { enum: [] } } } },
      /no schema/,
    ],
    ['has a schema that cannot be checked', { ...RULE, when: { $ref: '#' } }, /when is no schema for a rule/],
  ])('is refused if it %s', (_why, rule, fault) => {
    expect(() => rulesOf([rule], 'policy.arguments')).toThrow(fault);
  });

  it('is refused together with another one of its id, and beyond 100 of a policy', () => {
    expect(() => rulesOf([RULE, RULE], 'rules')).toThrow(/two rules with the id large/);
    const many = Array.from({ length: 101 }, (_, i) => ({ ...RULE, id: `r${i}` }));
    expect(() => rulesOf(many, 'rules')).toThrow(/more than 100 rules/);
  });

  it('with when applies to arguments that fit, with unless to those that do not', () => {
    expect([refuses({}, { amount: 1001 }), refuses({}, { amount: 1000 }), refuses({}, {})]).toEqual([
      true,
      false,
      false,
    ]);
    const unless = { required: ['to'], properties: { to: { pattern: '@example\\.com$' } } };
    const texts = [{ to: 'a@example.com' }, { to: 'a@evil.example' }, {}, { to: 7 }];
    // A pattern says nothing about a value that is no text: type does.
    expect(texts.map((given) => refuses({ unless }, given))).toEqual([false, true, true, false]);
  });

  it('that is the strictest decides, whatever their order: refused, asked for each call, for a session', () => {
    const session = { ...RULE, id: 'session', then: 'approve', scope: 'session' } as const;
    const each = { ...RULE, id: 'each', then: 'approve' } as const;
    const other = { ...each, id: 'other' };
    expect(idOf([session, each, other, RULE], { amount: 2000 })).toBe('large');
    expect(idOf([session, each, other], { amount: 2000 })).toBe('each');
    expect(idOf([session, { ...each, tools: ['crm.*'] }], { amount: 2000 })).toBe('session');
    expect(idOf([session, each, other, RULE], { amount: 1000 })).toBeUndefined();
  });

  it('applies to a call of the alias of a tool, and to no other tool', () => {
    expect(refuses({ tools: ['old.refund'] }, { amount: 2000 }, tool(undefined, { aliases: ['old.refund'] }))).toBe(
      true,
    );
    expect(refuses({ tools: ['crm.*'] }, { amount: 2000 })).toBe(false);
  });

  it('counts a member as given where the schema of the tool has a default for it', () => {
    const rule = { when: { required: ['dry'], properties: { dry: { const: false } } } };
    expect(refuses(rule, {}, tool(object({ dry: { type: 'boolean', default: false } })))).toBe(true);
    expect(refuses(rule, { dry: true }, tool(object({ dry: { default: false } })))).toBe(false);
    expect(
      refuses(rule, {}, tool(object({ dry: { $ref: '#/$defs/dry' } }, { $defs: { dry: { default: false } } }))),
    ).toBe(true);
    expect(refuses(rule, {}, tool({ allOf: [object({ dry: { default: false } })] }))).toBe(true);
    const referred = object({ dry: { allOf: [{ $ref: '#/$defs/dry' }] } }, { $defs: { dry: { default: false } } });
    expect(refuses(rule, {}, tool(referred))).toBe(true);
  });

  it('counts a check that takes too much work as a match, in either direction', () => {
    const costly = { required: ['a'], properties: { a: { pattern: '(a?){200}b' } } };
    const given = { a: 'a'.repeat(200_000) };
    for (const rule of [{ when: costly }, { unless: costly }, { unless: { not: costly } }]) {
      expect(refuses(rule, given, tool(object({ a: {} })))).toBe(true);
    }
  });

  it('whose check takes too much work decides like one that applies, unless a stricter one applies', () => {
    const costly = { required: ['a'], properties: { a: { pattern: '(a?){200}b' } } };
    const given = { a: 'a'.repeat(200_000) };
    const asking = { ...RULE, id: 'asking', then: 'approve', when: costly } as const;
    const session = { ...asking, id: 'session', scope: 'session' } as const;
    const refusing = { ...RULE, id: 'refusing', when: { required: ['a'] } };
    const of = tool(object({ a: {} }));
    expect(idOf([session, asking], given, of)).toBe('asking');
    expect(idOf([session, asking, refusing], given, of)).toBe('refusing');
    expect(idOf([session, asking, refusing], { b: 1 }, of)).toBeUndefined();
  });

  it('counts as a match where the defaults of a schema cannot be found out', () => {
    expect(refuses({}, { amount: 1 }, tool({ $ref: '#' }))).toBe(true);
    const fan = { allOf: Array.from({ length: 10 }, () => ({ $ref: '#/$defs/b' })) };
    const deep = { allOf: Array.from({ length: 10 }, () => ({ $ref: '#/$defs/c' })) };
    const last = { allOf: Array.from({ length: 1000 }, () => object({ x: {} })) };
    expect(refuses({}, { amount: 1 }, tool({ ...fan, $defs: { b: deep, c: last } }))).toBe(true);
  });
});

it('defaults are filled in within nested objects and lists, and nothing else changes', () => {
  const inputSchema = object({
    who: object({ role: { default: 'user' }, name: {} }),
    rows: { type: 'array', items: object({ unit: { default: 'kg' } }) },
    mode: { default: { fast: true } },
  });
  const given: JsonObject = { who: { name: 'ada' }, rows: [{}, { unit: 'g' }, 7], other: null };
  expect(completedArguments({ inputSchema }, given)).toEqual({
    who: { name: 'ada', role: 'user' },
    rows: [{ unit: 'kg' }, { unit: 'g' }, 7],
    mode: { fast: true },
    other: null,
  });
  expect(given.who).toEqual({ name: 'ada' });
});

it('members that no named tool has are found, in choices too', () => {
  const when = { anyOf: [{ required: ['amuont'] }, { required: ['amount'], not: { properties: { notee: {} } } }] };
  const [rule] = rulesOf([{ ...RULE, when }], 'rules');
  const lineOf = (name: string) => `arguments.large: no tool that it names has the argument ${name}`;
  expect(unknownArguments([rule!], [tool()])).toEqual([lineOf('amuont'), lineOf('notee')]);
  expect(unknownArguments([rule!], [])).toEqual([]);
});

it('defaults are filled in under names that every object inherits, but not under those that reach a prototype', () => {
  const properties = JSON.parse(
    '{ "toString": { "default": "all" }, "valueOf": { "default": 1 }, "__proto__": { "default": {} }, "constructor": { "default": 2 } }',
  ) as object;
  const completed = completedArguments({ inputSchema: object(properties) }, { valueOf: 7 } as unknown as JsonObject);
  expect(Object.entries(completed!)).toEqual([
    ['valueOf', 7],
    ['toString', 'all'],
  ]);
});
