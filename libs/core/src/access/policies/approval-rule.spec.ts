import { fakeTool } from '../../testing/fakes/fake-tools.js';
import { askingRule, strictest } from './approval-rule.js';
import { toolPolicy, unmatchedBy } from './tool-policy.js';

const TOOL = fakeTool({ name: 'crm.delete', aliases: ['crm.remove'] });
const session = (tools: string) => ({ tools, scope: 'session' as const });

describe('an entry of policy.approval', () => {
  it('asks for each call as a plain glob, or once for a session, by names and aliases', () => {
    expect(askingRule(['crm.*'], TOOL)).toEqual({ rule: 'approval:crm.*', scope: 'call', content: '"crm.*"' });
    expect(askingRule([session('crm.rem*')], TOOL)).toEqual({
      rule: 'approval:crm.rem*',
      scope: 'session',
      content: '{"scope":"session","tools":"crm.rem*"}',
    });
    expect(askingRule(['billing.*', session('crm.read')], TOOL)).toBeUndefined();
  });

  it('that asks for each call counts before all others, within a policy and over several', () => {
    expect(askingRule([session('crm.*'), 'crm.delete', '*'], TOOL)).toMatchObject({ rule: 'approval:crm.delete' });
    const [one, each] = [askingRule([session('*')], TOOL), askingRule(['*'], TOOL)];
    expect([strictest([undefined, one, each]), strictest([one, undefined]), strictest([])]).toEqual([
      each,
      one,
      undefined,
    ]);
  });

  it.each([
    [7],
    [null],
    ['a b'],
    [{ tools: 'crm.*' }],
    [{ tools: 'crm.*', scope: 'call' }],
    [{ tools: 'a b', scope: 'session' }],
    [{ tools: 'crm.*', scope: 'session', when: 'always' }],
  ])('is refused by the policy where it is something else: %j', (entry) => {
    expect(() => toolPolicy({ approval: [entry] }, 'policy')).toThrow(
      expect.objectContaining({
        code: 'INVALID_CONFIGURATION',
        message: expect.stringContaining('policy: approval[0]'),
      }),
    );
  });

  it('is reported where no tool fits', () => {
    expect(unmatchedBy({ approval: [session('okk.*'), session('crm.*'), 'ok.*'] }, [TOOL])).toEqual([
      'approval: okk.*',
      'approval: ok.*',
    ]);
  });
});
