import { fakeTool } from '../testing/fakes/fake-tools.js';
import { narrowing, narrowingApproval, narrowingRefusal, type NarrowOptions } from './narrowing.js';

const TOOL = fakeTool({ name: 'crm.delete', tags: ['x'] });
const ruleOf = (steps: readonly NarrowOptions[]) => narrowingRefusal(steps.map(narrowing), TOOL)?.rule;

describe('narrowing', () => {
  it.each<[string, readonly NarrowOptions[], string | undefined]>([
    ['nothing', [{}], undefined],
    ['a deny', [{ deny: ['crm.*'] }], 'narrowed:deny:crm.*'],
    ['an allow list without it', [{ allow: [] }], 'narrowed:allow'],
    ['an allow list after a deny', [{ deny: ['crm.*'] }, { allow: ['*'] }], 'narrowed:deny:crm.*'],
    ['a deny after an allow list', [{ allow: ['crm.delete'] }, { deny: ['*'] }], 'narrowed:deny:*'],
    ['a tag it lacks', [{}, { requireTags: ['y'] }], 'narrowed:requireTags:y'],
  ])('by %s', (_, steps, rule) => expect(ruleOf(steps)).toBe(rule));

  it('refuses options that cannot be right', () => {
    expect(() => narrowing({ denied: ['*'] } as NarrowOptions)).toThrow(
      expect.objectContaining({ code: 'INVALID_CONFIGURATION' }),
    );
    expect(() => narrowing({ deny: ['a b'] })).toThrow(expect.objectContaining({ code: 'INVALID_CONFIGURATION' }));
  });

  it('does not follow a list that is changed afterwards', () => {
    const deny = ['crm.*'];
    const step = narrowing({ deny });
    deny.length = 0;
    expect(narrowingRefusal([step], TOOL)).toBeDefined();
  });

  it('may ask for an approval, and names a run of its own', () => {
    expect(narrowingApproval([narrowing({}), narrowing({ approval: ['crm.*'] })], TOOL)).toMatchObject({
      rule: 'narrowed:approval:crm.*',
    });
    expect(narrowingApproval([narrowing({})], TOOL)).toBeUndefined();
    expect(narrowing({})).toMatchObject({ run: { ephemeral: true } });
    expect(narrowing({}).run!.id).not.toBe(narrowing({}).run!.id);
    expect(narrowing({ runId: 'r' })).toMatchObject({ run: { id: 'r', ephemeral: false } });
  });

  it('has no run of its own where it is a filter and names neither an agent nor a run', () => {
    const filter = () => true;
    expect(narrowing({ filter }).run).toBeUndefined();
    expect(narrowing({ filter, deny: ['crm.*'] }).run).toBeUndefined();
    expect(narrowing({ filter, agentId: 'a' }).run).toMatchObject({ ephemeral: true });
    expect(narrowing({ filter, runId: 'r' }).run).toEqual({ id: 'r', ephemeral: false });
  });
});
