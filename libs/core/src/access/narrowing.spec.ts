import { fakeTool } from '../testing/fakes/fake-tools.js';
import { type FilterPhase, narrowing, narrowingApproval, narrowingRefusal, type NarrowOptions } from './narrowing.js';

const TOOL = fakeTool({ name: 'crm.delete', tags: ['x'] });
const PHASES: readonly FilterPhase[] = ['search', 'load', 'active'];
const ruleOf = (steps: readonly NarrowOptions[], phase: FilterPhase = 'active') =>
  narrowingRefusal(steps.map(narrowing), TOOL, phase)?.rule;

describe('narrowing', () => {
  it.each<[string, readonly NarrowOptions[], string | undefined]>([
    ['nothing', [{}], undefined],
    ['a deny', [{ deny: ['crm.*'] }], 'narrowed:deny:crm.*'],
    ['an allow list without it', [{ allow: [] }], 'narrowed:allow'],
    ['an allow list after a deny', [{ deny: ['crm.*'] }, { allow: ['*'] }], 'narrowed:deny:crm.*'],
    ['a deny after an allow list', [{ allow: ['crm.delete'] }, { deny: ['*'] }], 'narrowed:deny:*'],
    ['a tag it lacks', [{}, { requireTags: ['y'] }], 'narrowed:requireTags:y'],
    ['a filter', [{ filter: () => false }, { filter: () => true }], 'narrowed:filter-search'],
  ])('by %s', (_, steps, rule) => expect(ruleOf(steps)).toBe(rule));

  it.each(PHASES.map((phase, index) => [phase, index] as const))(
    'from %s on takes away what comes after',
    (taken, from) => {
      const step: NarrowOptions = { filter: (_tool, phase) => phase !== taken };
      expect(PHASES.map((phase) => ruleOf([step], phase))).toEqual(
        PHASES.map((_phase, index) => (index >= from ? `narrowed:filter-${taken}` : undefined)),
      );
    },
  );

  it.each<[string, unknown]>([
    ['throws', () => JSON.parse('{')],
    ['answers late', async () => true],
    ['answers 1', () => 1],
    ['is no function', 'yes'],
  ])('takes away by a filter that %s', (_, filter) => {
    expect(ruleOf([{ filter } as NarrowOptions])).toBe('narrowed:filter-search');
  });

  it('refuses what could not have been meant', () => {
    expect(() => narrowing({ denied: ['*'] } as NarrowOptions)).toThrow(
      expect.objectContaining({ code: 'INVALID_CONFIGURATION' }),
    );
    expect(() => narrowing({ deny: ['a b'] })).toThrow(expect.objectContaining({ code: 'INVALID_CONFIGURATION' }));
  });

  it('does not follow a list that is changed afterwards', () => {
    const deny = ['crm.*'];
    const step = narrowing({ deny });
    deny.length = 0;
    expect(narrowingRefusal([step], TOOL, 'active')).toBeDefined();
  });

  it('may ask for an approval, and names a run of its own', () => {
    expect(narrowingApproval([narrowing({}), narrowing({ approval: ['crm.*'] })], TOOL)).toBe(
      'narrowed:approval:crm.*',
    );
    expect(narrowingApproval([narrowing({})], TOOL)).toBeUndefined();
    expect(narrowing({})).toMatchObject({ ephemeral: true });
    expect(narrowing({}).runId).not.toBe(narrowing({}).runId);
    expect(narrowing({ runId: 'r' })).toMatchObject({ runId: 'r', ephemeral: false });
  });
});
