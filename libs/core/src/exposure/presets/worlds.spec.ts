import fc from 'fast-check';
import { FakeSource } from '../../testing/fakes/fake-source.js';
import { openToolbox } from '../../testing/open-toolbox.js';

/*
 * Noninterference for presets: a tool X that the caller may not use leaves no trace in the answers of the presets' meta
 * tools, nor in their suggestions.
 */

const NAMES = ['refund', 'refund_invoice', 'refund_order', 'void_refund', 'list_refunds', 'get_refund_note'];
const WAYS = ['hidden', 'denied', 'killed', 'narrowed'] as const;
type Way = (typeof WAYS)[number];

interface World {
  readonly preset: 'penguiflow' | 'praisonai' | 'mastra';
  readonly x: string;
  readonly activateOn: 'call' | 'load' | 'search';
}

async function toolboxOf({ preset, x, activateOn }: World, way: Way | 'absent') {
  const name = `billing.${x}`;
  const tools = NAMES.filter((each) => way !== 'absent' || each !== x);
  // Tools are listed in order of activation. A counting clock keeps this order the same in both toolboxes.
  let clock = 1_000_000;
  const { toolbox, killSwitches } = await openToolbox({
    now: () => (clock += 1),
    sources: [new FakeSource('billing', tools)],
    ...(way === 'denied' && { policy: { deny: [name] } }),
    ...(way === 'hidden' && { visibility: { filter: (all) => all.filter((tool) => tool.name !== name) } }),
    options: { preset, exposure: 'on', activation: { activateOn } },
  });
  if (way === 'killed') await killSwitches.engage({ kind: 'tool', value: name, actor: 'olga', reason: 'incident 7' });
  const other = toolbox.narrow({ runId: 'sub' });
  return way === 'narrowed' ? toolbox.narrow({ runId: 'sub', deny: [name] }) : other;
}

const world: fc.Arbitrary<World> = fc.record({
  preset: fc.constantFrom('penguiflow' as const, 'praisonai' as const, 'mastra' as const),
  x: fc.constantFrom(...NAMES),
  activateOn: fc.constantFrom('call' as const, 'load' as const, 'load' as const, 'search' as const),
});

function callFor({ preset, x }: World): fc.Arbitrary<readonly [string, object]> {
  const name = fc.constantFrom(
    `billing.${x}`,
    x,
    'refund',
    'billing',
    'no.such',
    ...NAMES.map((each) => `billing.${each}`),
  );
  const names = fc.array(name, { minLength: 1, maxLength: 4 });
  const query = fc.constantFrom('refund', 'refund an invoice', x, x.replaceAll('_', ' '), 'hydrofoil');
  const search = fc.record({ query });
  const calls = {
    penguiflow: [
      fc.tuple(fc.constant('tool_search'), fc.record({ query, search_type: fc.constantFrom('fts', 'regex', 'exact') })),
      fc.tuple(fc.constant('tool_get'), fc.record({ names })),
    ],
    praisonai: [
      fc.tuple(fc.constant('tool_search'), search),
      fc.tuple(fc.constant('tool_describe'), fc.record({ tool_name: name })),
      fc.tuple(fc.constant('tool_call'), fc.record({ tool_name: name, tool_args: fc.constant({}) })),
    ],
    mastra: [
      fc.tuple(fc.constant('search_tools'), search),
      fc.tuple(fc.constant('load_tool'), fc.record({ toolName: name })),
      fc.tuple(fc.constant('load_tool'), fc.record({ toolNames: names })),
    ],
  }[preset] as fc.Arbitrary<[string, object]>[];
  return fc.oneof(...calls, fc.tuple(name, fc.constant({})));
}

const scene = world.chain((of) => fc.tuple(fc.constant(of), fc.array(callFor(of), { minLength: 2, maxLength: 6 })));

// Several loadable tools have names that contain this one.
const SUGGESTING: [[World, [string, object][]]] = [
  [{ preset: 'mastra', x: 'refund_order', activateOn: 'load' }, [['load_tool', { toolName: 'refund' }]]],
];

describe('a tool that the caller may not have', () => {
  it.each(WAYS)('is unknown to the meta tools of every preset, to the byte: %s', async (way) => {
    let suggested = 0;
    let told = 0;
    await fc.assert(
      fc.asyncProperty(scene, async ([of, calls]) => {
        const [restricted, absent] = await Promise.all([toolboxOf(of, way), toolboxOf(of, 'absent')]);
        for (const [name, input] of calls) {
          const answer = JSON.stringify(await absent.call(name, input));
          expect(JSON.stringify(await restricted.call(name, input))).toBe(answer);
          suggested += Number(answer.includes('Did you mean'));
          told += Number(answer.includes('"ok":true'));
        }
        expect(JSON.stringify(await restricted.surface())).toBe(JSON.stringify(await absent.surface()));
      }),
      { numRuns: 30, examples: [SUGGESTING] },
    );
    // The comparison is only meaningful if some calls succeed.
    expect([suggested > 0, told > 10]).toEqual([true, true]);
  });
});
