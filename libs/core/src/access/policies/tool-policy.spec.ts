import fc from 'fast-check';
import { fakeTool } from '../../testing/fakes/fake-tools.js';
import type { ToolDefinition } from '../../tool/tool-definition.js';
import { ToolPolicies } from './tool-policies.js';
import { policyRefusal, toolPolicy, type ToolPolicy } from './tool-policy.js';

const NAMES = [
  'crm.read',
  'crm.delete',
  'crm.delete_all',
  'github.issues.list',
  'A.x',
  'a.x',
  '__proto__',
  'constructor',
];
const TAGS = ['money', 'eu', 'constructor'];

const tool = fc
  .record({ name: fc.constantFrom(...NAMES), tags: fc.subarray(TAGS) })
  .map((parts) => fakeTool({ ...parts, source: 'src' }));
// Half exact names, half globs that match some of them, so that both outcomes are frequent.
const glob = fc.oneof(
  fc.constantFrom(...NAMES),
  fc.constantFrom('*', 'crm.*', '*delete*', '?.x', '*_*', 'github.*', 'a.*', '*.x', 'nothing.*', 'crm.read?'),
);
const policy: fc.Arbitrary<ToolPolicy> = fc.record(
  {
    allow: fc.oneof(
      { weight: 5, arbitrary: fc.array(glob, { minLength: 2, maxLength: 6 }) },
      { weight: 1, arbitrary: fc.constant([]) },
    ),
    deny: fc.array(glob, { maxLength: 1 }),
    requireTags: fc.array(fc.constantFrom(...TAGS), { maxLength: 1 }),
  },
  { requiredKeys: [] },
);

/** Reference implementation of the rule: deny wins, then the allow list, then every required tag. */
function reference({ allow, deny = [], requireTags = [] }: ToolPolicy, { name, tags }: ToolDefinition): boolean {
  const matches = (globs: readonly string[]) =>
    globs.some((each) => {
      const pieces = each.split('*').map((piece) => piece.replaceAll('.', '[.]').replaceAll('?', '.'));
      return new RegExp(`^${pieces.join('.*')}$`).test(name);
    });
  if (matches(deny)) return false;
  if (allow !== undefined && !matches(allow)) return false;
  const missing = new Set(requireTags);
  for (const tag of tags) missing.delete(tag);
  return missing.size === 0;
}
const allows = (of: ToolPolicy, asked: ToolDefinition): boolean => policyRefusal(of, asked) === undefined;
const RUNS = { numRuns: 3000 };

describe('a policy', () => {
  it('decides as its sentence says', () => {
    let [allowed, runs] = [0, 0];
    fc.assert(
      fc.property(policy, tool, (of, asked) => {
        const expected = reference(of, asked);
        allowed += Number(expected);
        runs += 1;
        return allows(of, asked) === expected;
      }),
      { numRuns: 5000 },
    );
    // The property about allowed tools is meaningful only if enough tools are allowed.
    expect(allowed / runs).toBeGreaterThan(0.2);
    expect(allowed / 5000).toBeLessThan(0.6);
  });

  it('never allows more because of one more glob to deny or tag to require', () => {
    fc.assert(
      fc.property(policy, glob, fc.constantFrom(...TAGS), tool, (of, denied, tag, asked) => {
        const narrower: ToolPolicy = { ...of, deny: [...(of.deny ?? []), denied] };
        const stricter: ToolPolicy = { ...of, requireTags: [...(of.requireTags ?? []), tag] };
        return allows(of, asked) || (!allows(narrower, asked) && !allows(stricter, asked));
      }),
      RUNS,
    );
  });

  it('does not depend on the order or the number of its entries', () => {
    fc.assert(
      fc.property(policy, tool, (of, asked) => {
        const turned = Object.fromEntries(
          Object.entries(of as Record<string, readonly string[]>).map(([field, list]) => [
            field,
            [...list, ...list].toReversed(),
          ]),
        );
        return allows(of, asked) === allows(turned, asked);
      }),
      RUNS,
    );
  });

  it('distinguishes an empty allow list from none', () => {
    const asked = fakeTool({ name: 'crm.read' });
    expect([allows({}, asked), allows({ allow: [] }, asked), allows({ allow: ['*'] }, asked)]).toEqual([
      true,
      false,
      true,
    ]);
  });

  it('names the rule that refused', () => {
    const asked = fakeTool({ name: 'crm.delete', tags: ['eu'] });
    const ruleOf = (of: ToolPolicy) => policyRefusal(of, asked)?.rule;
    expect(ruleOf({ deny: ['x.*', 'crm.d*'], allow: [] })).toBe('deny:crm.d*');
    expect(ruleOf({ allow: ['crm.read'], requireTags: ['money'] })).toBe('allow');
    expect(ruleOf({ requireTags: ['eu', 'money'] })).toBe('requireTags:money');
  });
});

describe('a denied name', () => {
  const renamed = fakeTool({ name: 'crm.remove_customer', aliases: ['crm.delete_customer'] });

  it('is denied under the old name that a renamed tool kept', () => {
    expect(policyRefusal({ deny: ['crm.delete_*'] }, renamed)).toMatchObject({ rule: 'deny:crm.delete_*' });
  });

  it('is not allowed by an alias: the allow list speaks of canonical names', () => {
    expect(policyRefusal({ allow: ['crm.delete_*'] }, renamed)).toMatchObject({ rule: 'allow' });
  });
});

describe('policies of a source', () => {
  it('add up, and leave alone what another owner brings under the same name', () => {
    const policies = new ToolPolicies();
    policies.addToSource({ name: 'crm', owner: 'acme' }, { deny: ['crm.delete_*'] });
    policies.addToSource({ name: 'crm', owner: 'globex' }, { deny: ['crm.read_*'] });
    policies.addToSource({ name: 'crm', owner: 'acme' }, { deny: ['crm.write_*'] });
    const denied = (owner: string) =>
      ['read_all', 'write_all', 'delete_all'].filter((name) =>
        policies.refusal(fakeTool({ name: `crm.${name}`, source: 'crm', owner }), owner),
      );
    expect(denied('acme')).toEqual(['write_all', 'delete_all']);
    expect(denied('globex')).toEqual(['read_all']);
  });
});

describe('what a policy names and no tool is', () => {
  const tools = [
    fakeTool({ name: 'billing.refund', aliases: ['billing.pay_back'], tags: ['money'], source: 'app' }),
    fakeTool({ name: 'crm.read', tags: [], source: 'crm' }),
  ];

  it('is reported with its place: globs of each list, and required tags', () => {
    const policies = new ToolPolicies({
      allow: ['*', 'biling.*', 'billing.pay_back'],
      deny: ['billing.ref*', 'billing.pay_back', 'okk.*', 'crm.rea?'],
      approval: ['billing.delete_*'],
      requireTags: ['money', 'mony'],
    });
    expect(policies.unmatched(tools)).toEqual([
      'policy.allow: biling.*',
      'policy.allow: billing.pay_back',
      'policy.deny: okk.*',
      'policy.requireTags: mony',
      'policy.approval: billing.delete_*',
    ]);
  });

  it('is reported for a source by its own tools only', () => {
    const policies = new ToolPolicies();
    policies.addToSource({ name: 'crm' }, { deny: ['billing.refund', 'crm.*'] });
    expect(policies.unmatched(tools)).toEqual(['policy of a feature, deny: billing.refund']);
  });
});

describe('policies together', () => {
  const layers = fc.record({
    module: policy,
    source: fc.option(policy, { nil: undefined }),
    tenant: fc.option(policy, { nil: undefined }),
  });
  function policiesOf({ module, source, tenant }: { module: ToolPolicy; source?: ToolPolicy; tenant?: ToolPolicy }) {
    const policies = new ToolPolicies(module);
    if (source) policies.addToSource({ name: 'src' }, source);
    if (tenant) policies.setTenant('acme', tenant);
    return policies;
  }

  it('allow exactly what each of them allows: one more only narrows', () => {
    fc.assert(
      fc.property(layers, tool, (of, asked) => {
        const each = [of.module, of.source, of.tenant].filter((layer) => layer !== undefined);
        return (policiesOf(of).refusal(asked, 'acme') === undefined) === each.every((layer) => reference(layer, asked));
      }),
      RUNS,
    );
  });

  it('intersect their allow lists', () => {
    fc.assert(
      fc.property(fc.array(glob, { maxLength: 3 }), fc.array(glob, { maxLength: 3 }), tool, (one, other, asked) => {
        const both =
          policiesOf({ module: { allow: one }, tenant: { allow: other } }).refusal(asked, 'acme') === undefined;
        return both === (allows({ allow: one }, asked) && allows({ allow: other }, asked));
      }),
      RUNS,
    );
  });

  it('leave other tenants and other sources alone', () => {
    fc.assert(
      fc.property(layers, tool, (of, asked) => {
        const policies = policiesOf(of);
        const elsewhere = fakeTool({ name: asked.name, tags: [...asked.tags], source: 'other' });
        return (policies.refusal(elsewhere, 'globex') === undefined) === reference(of.module, asked);
      }),
      RUNS,
    );
  });

  it('say which layer refused', () => {
    const policies = policiesOf({ module: {}, source: { deny: ['a.*'] }, tenant: { deny: ['b.*'] } });
    const ruleOf = (name: string, tenant: string) => policies.refusal(fakeTool({ name, source: 'src' }), tenant)?.rule;
    expect([ruleOf('a.x', 'globex'), ruleOf('b.x', 'acme'), ruleOf('b.x', 'globex')]).toEqual([
      'source:deny:a.*',
      'tenant:deny:b.*',
      undefined,
    ]);
  });

  it('count a revision for every change, and take a tenant’s policy away again', () => {
    const policies = new ToolPolicies();
    const asked = fakeTool({ name: 'crm.read' });
    const steps: [number, boolean][] = [];
    const note = () => steps.push([policies.revision, policies.refusal(asked, 'acme') === undefined]);
    note();
    policies.setTenant('acme', { allow: [] });
    note();
    policies.setTenant('acme', undefined);
    note();
    policies.addToSource({ name: 'crm' }, { deny: ['*'] });
    note();
    expect(steps).toEqual([
      [1, true],
      [2, false],
      [3, true],
      [4, false],
    ]);
  });

  it('keep a tenant named like a part of every object apart', () => {
    const policies = new ToolPolicies();
    expect(policies.refusal(fakeTool(), '__proto__')).toBeUndefined();
    policies.setTenant('__proto__', { allow: [] });
    expect(policies.refusal(fakeTool(), '__proto__')).toBeDefined();
    expect(policies.refusal(fakeTool(), 'constructor')).toBeUndefined();
  });

  it('stay unchanged when a new one is refused', () => {
    const policies = new ToolPolicies({ deny: ['a.*'] });
    policies.setTenant('acme', { deny: ['b.*'] });
    expect(() => policies.setTenant('acme', { denied: [] } as ToolPolicy)).toThrow(/unknown field "denied"/);
    expect(policies.refusal(fakeTool({ name: 'b.read' }), 'acme')?.rule).toBe('tenant:deny:b.*');
    expect(policies.revision).toBe(2);
  });
});

describe('toolPolicy', () => {
  it.each([
    [undefined],
    [null],
    ['crm.*'],
    [['crm.*']],
    [{ denied: ['crm.*'] }],
    [{ Deny: ['crm.*'] }],
    [{ deny: 'crm.*' }],
    [{ deny: null }],
    [{ allow: { 0: 'crm.*' } }],
    [{ deny: ['crm *'] }],
    [{ deny: [''] }],
    [{ deny: [7] }],
    [{ requireTags: [''] }],
    [{ requireTags: ['x'.repeat(65)] }],
    [JSON.parse('{"__proto__": {"deny": []}}')],
  ])('refuses %j, since a limit that is not understood would not limit', (raw) => {
    expect(() => toolPolicy(raw, 'policy')).toThrow(expect.objectContaining({ code: 'INVALID_CONFIGURATION' }));
  });

  it('gives a frozen copy', () => {
    const raw = { deny: ['crm.*'] };
    const checked = toolPolicy(raw, 'policy');
    raw.deny.push('*');
    expect(checked).toEqual({ deny: ['crm.*'] });
    expect(Object.isFrozen(checked) && Object.isFrozen(checked.deny)).toBe(true);
  });
});
