import fc from 'fast-check';
import type { ToolPolicy } from '../../access/policies/tool-policy.js';
import { isSameJson } from '../../json/stable-hash.js';
import { FakeSource } from '../../testing/fakes/fake-source.js';
import { openToolbox } from '../../testing/open-toolbox.js';

const RUNS = 60;

/** Everything that an approval is bound to. */
interface Bound {
  readonly tenantId: string;
  readonly userId: string;
  readonly sessionId: string | undefined;
  readonly runId: string;
  readonly agentId: string | undefined;
  readonly tool: 'refund' | 'void';
  readonly description: string;
  readonly rule: AskingRule;
  readonly input: object;
}

/** An entry of `policy.approval`, or a rule on arguments that applies to every call. */
type AskingRule = { readonly glob: string } | { readonly id: string; readonly missing: string };

function policyOf(rule: AskingRule): ToolPolicy {
  if ('glob' in rule) return { approval: [rule.glob] };
  const { id, missing } = rule;
  const unless = { required: [missing] };
  return { arguments: [{ id, tools: ['billing.*'], unless, then: 'approve', reason: 'a test' }] };
}

const key = fc.string({ minLength: 1, maxLength: 3 });
const value = fc.oneof(
  fc.integer(),
  fc.constantFrom(-0, 0, 1.5),
  fc.string({ maxLength: 4 }),
  fc.constantFrom(null, true, false),
  fc.array(fc.integer(), { maxLength: 2 }),
  fc.dictionary(key, fc.integer(), { maxKeys: 2 }),
);

// A small pool for each field, so that several are often equal.
const bound: fc.Arbitrary<Bound> = fc.record({
  tenantId: fc.constantFrom('acme', 'acme', 'globex'),
  userId: fc.constantFrom('ada', 'ada', 'eve'),
  sessionId: fc.constantFrom('s1', 's1', 's2', undefined),
  runId: fc.constantFrom('s1', 'r2'),
  agentId: fc.constantFrom(undefined, undefined, 'clerk', 'clerk,planner'),
  tool: fc.constantFrom('refund' as const, 'refund' as const, 'void' as const),
  description: fc.constantFrom('Pays back.', 'Pays back.', 'Pays back all.'),
  rule: fc.constantFrom<AskingRule>(
    { glob: 'billing.*' },
    { glob: '*' },
    { id: 'one', missing: 'ticket' },
    { id: 'one', missing: 'ticket' },
    { id: 'two', missing: 'ticket' },
    { id: 'one', missing: 'reason' },
  ),
  input: fc.dictionary(key, value, { maxKeys: 3 }),
});

/** The approved call, and another one in which any of its parts may have changed. */
const pair = fc
  .tuple(bound, bound, fc.array(fc.constantFrom(false, false, false, true), { minLength: 9, maxLength: 9 }))
  .map(([approved, other, changes]): readonly [Bound, Bound] => {
    const fields = Object.keys(approved) as (keyof Bound)[];
    const parts = fields.map((field, index) => [field, changes[index] ? other[field] : approved[field]] as const);
    const later = Object.fromEntries(parts) as unknown as Bound;
    // An equal object is written in another order.
    return [approved, { ...later, input: Object.fromEntries(Object.entries(later.input).toReversed()) }];
  });

const REFUNDED: Bound = {
  tenantId: 'acme',
  userId: 'ada',
  sessionId: 's1',
  runId: 'r2',
  agentId: undefined,
  tool: 'refund',
  description: 'Pays back.',
  rule: { id: 'one', missing: 'ticket' },
  input: { cents: 5 },
};

/** Only the rule on arguments has changed, or nothing. */
const RULES: readonly [readonly [Bound, Bound]][] = [
  [[REFUNDED, REFUNDED]],
  [[REFUNDED, { ...REFUNDED, rule: { id: 'two', missing: 'ticket' } }]],
  [[REFUNDED, { ...REFUNDED, rule: { id: 'one', missing: 'reason' } }]],
  [[REFUNDED, { ...REFUNDED, rule: { glob: 'billing.*' } }]],
];

/** What a run or session is for an approval. */
const scopeOf = ({ sessionId, runId }: Bound) => (sessionId === undefined ? ['run', runId] : ['session', sessionId]);

function isSame(one: Bound, other: Bound): boolean {
  const partsOf = ({ sessionId: _session, runId: _run, ...rest }: Bound) => ({ ...rest, agentId: rest.agentId ?? '' });
  return isSameJson([partsOf(one), scopeOf(one)], [partsOf(other), scopeOf(other)]);
}

async function worldOf() {
  const source = new FakeSource('billing', []);
  const world = await openToolbox({ sources: [source] });
  const call = async ({ agentId, tool, description, rule, input, ...context }: Bound) => {
    source.setTools(['refund', 'void'].map((name) => ({ name, description })));
    await world.catalog.refresh();
    world.policies.setTenant(context.tenantId, policyOf(rule));
    const { sessionId, ...rest } = context;
    const opened = world.open({ ...rest, ...(sessionId !== undefined && { sessionId }) });
    const toolbox = (agentId?.split(',') ?? []).reduce((each, id) => each.narrow({ agentId: id }), opened);
    return toolbox.call(`billing.${tool}`, input);
  };
  return { ...world, source, call };
}

it('an approved call runs once, and only if nothing that was bound has changed', async () => {
  const counts = { same: 0, other: 0 };
  await fc.assert(
    fc.asyncProperty(pair, async ([approved, later]) => {
      const { call, approvals, source, close } = await worldOf();
      expect(await call(approved)).toMatchObject({ code: 'APPROVAL_REQUIRED' });
      const [request] = await approvals.list({ limit: 9 });
      await approvals.approve(request!.id, { actor: 'olga', reason: 'fine' });
      const result = await call(later);
      const same = isSame(approved, later);
      counts[same ? 'same' : 'other'] += 1;
      expect(result).toMatchObject(same ? { ok: true } : { ok: false, code: 'APPROVAL_REQUIRED' });
      expect(source.calls).toHaveLength(same ? 1 : 0);
      // The approved call itself runs if it has not run yet, and not twice.
      expect(await call(approved)).toMatchObject(same ? { code: 'APPROVAL_REQUIRED' } : { ok: true });
      expect(source.calls).toHaveLength(1);
      await close();
    }),
    { numRuns: RUNS, examples: [...RULES] },
  );
  expect(counts.same).toBeGreaterThan(0);
  expect(counts.other).toBeGreaterThan(0);
});
