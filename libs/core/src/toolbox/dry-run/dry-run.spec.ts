import fc from 'fast-check';
import { FakeSource, openToolbox } from '../../testing/index.js';
import type { CallPolicyAnswer, PolicyCall, ToolCallPolicy } from '../../access/call-policies/tool-call-policy.js';
import type { ToolPolicy } from '../../access/policies/tool-policy.js';
import type { ToolboxSetup } from '../../testing/open-toolbox.js';

const SOURCE = () =>
  new FakeSource('crm', ['find', { name: 'send', sideEffects: 'write' }, { name: 'delete', tags: ['danger'] }]);
const OPERATOR = { actor: 'olga', reason: 'test' };

async function opened(setup: ToolboxSetup = {}) {
  const source = SOURCE();
  const world = await openToolbox({ sources: [source], ...setup });
  const call = (tool: string, context = {}) => world.open(context).call(tool, {});
  return { ...world, call, source };
}

describe('a dry run', () => {
  it('lists the calls that a kill switch would have refused, by name or by definition, without engaging it', async () => {
    const { dryRun, call, killSwitches, close } = await opened({ policy: { deny: ['crm.delete'] } });
    for (const tool of ['crm.find', 'crm.find', 'crm.send', 'crm.delete']) await call(tool);
    await call('crm.find', { tenantId: 'globex', userId: 'bob' });
    const byName = await dryRun.killSwitch({ kind: 'glob', value: 'crm.f*' });
    expect(byName).toMatchObject({ calls: 5, refused: 3, approval: 0, unknown: 0, unchanged: 2 });
    expect(byName.groups).toEqual([
      { tenantId: 'acme', tool: 'crm.find', becomes: 'refused', evidence: 'recorded', calls: 2 },
      { tenantId: 'globex', tool: 'crm.find', becomes: 'refused', evidence: 'recorded', calls: 1 },
    ]);
    expect(byName.examples[0]).toMatchObject({ tenantId: 'globex', userId: 'bob', tool: 'crm.find', outcome: 'ok' });
    const byEffect = await dryRun.killSwitch({ kind: 'side_effects', value: 'write', tenantId: 'acme' });
    expect(byEffect.groups).toMatchObject([{ tool: 'crm.send', evidence: 'recomputed', calls: 1 }]);
    // Refused already, so nothing changes.
    expect((await dryRun.killSwitch({ kind: 'tag', value: 'danger' })).refused).toBe(0);
    expect(killSwitches.list()).toEqual([]);
    await close();
  });

  it('lists the calls that a policy would have refused or sent to an approval, for its tenant and agent only', async () => {
    const { dryRun, call, storedPolicies, close } = await opened();
    await call('crm.find');
    await call('crm.send', { agentId: 'helper' });
    await call('crm.delete', { tenantId: 'globex' });
    const policy = { deny: ['crm.delete'], approval: ['crm.send'] };
    const ofAcme = await dryRun.policy({ tenantId: 'acme' }, policy);
    expect(ofAcme.groups).toMatchObject([{ tool: 'crm.send', becomes: 'approval', evidence: 'recomputed' }]);
    expect((await dryRun.policy({ tenantId: 'globex' }, policy)).groups).toMatchObject([
      { tool: 'crm.delete', becomes: 'refused' },
    ]);
    expect((await dryRun.policy({ agentId: 'helper' }, { allow: [] })).refused).toBe(1);
    expect(await storedPolicies.list({ limit: 10 })).toEqual([]);
    await close();
  });

  it('does not guess: a changed definition, and a refusal that would be taken back', async () => {
    const { dryRun, call, storedPolicies, catalog, source, close } = await opened();
    await storedPolicies.set({ tenantId: 'acme' }, { deny: ['crm.send'] }, OPERATOR);
    await call('crm.send');
    await call('crm.find');
    expect((await dryRun.policy({ tenantId: 'acme' }, undefined)).groups).toMatchObject([
      { tool: 'crm.send', becomes: 'unknown', evidence: 'not_recorded' },
    ]);
    source.setTools([{ name: 'find', description: 'Another one.' }]);
    await catalog.refresh();
    expect((await dryRun.killSwitch({ kind: 'tag', value: 'danger' })).groups).toMatchObject([
      { tool: 'crm.find', becomes: 'unknown', evidence: 'not_recorded' },
    ]);
    await close();
  });

  it('decides rules on arguments over recorded arguments, and does not guess where none were recorded', async () => {
    const redactor = { redact: (texts: readonly { readonly text: string }[]) => texts.map(({ text }) => text) };
    const world = await opened({ options: { redaction: { redactor }, record: { arguments: ['crm.send'] } } });
    const send = (amount: number) => world.toolbox.call('crm.send', { amount });
    for (const amount of [5, 50, 500]) await send(amount);
    await world.toolbox.call('crm.find', { amount: 500 });
    const when = { required: ['amount'], properties: { amount: { minimum: 50 } } };
    const rule = { id: 'large', tools: ['crm.*'], when, then: 'deny', reason: 'too much' } as const;
    const { groups } = await world.dryRun.policy({ tenantId: 'acme' }, { arguments: [rule] });
    expect(groups).toMatchObject([
      { tool: 'crm.send', becomes: 'refused', evidence: 'recomputed', calls: 2 },
      { tool: 'crm.find', becomes: 'unknown', evidence: 'not_recorded', calls: 1 },
    ]);
    const asking = { ...rule, id: 'ask', then: 'approve' } as const;
    const asked = async (policy: ToolPolicy) =>
      (await world.dryRun.policy({ tenantId: 'acme' }, policy)).groups.map(({ tool, becomes, calls }) => [
        tool,
        becomes,
        calls,
      ]);
    expect(await asked({ arguments: [asking] })).toEqual([
      ['crm.send', 'approval', 2],
      ['crm.find', 'unknown', 1],
    ]);
    // Refused by one, asked for by the other; and what an entry asks for anyway does not depend on the arguments.
    const most = { ...rule, when: { required: ['amount'], properties: { amount: { minimum: 500 } } } };
    expect(await asked({ arguments: [asking, most], deny: ['crm.find'] })).toEqual([
      ['crm.find', 'refused', 1],
      ['crm.send', 'refused', 1],
      ['crm.send', 'approval', 1],
    ]);
    expect(await asked({ arguments: [asking], approval: ['crm.*'] })).toEqual([
      ['crm.send', 'approval', 3],
      ['crm.find', 'approval', 1],
    ]);
    await world.close();
  });

  it('says of a call that a rule on arguments has asked about what another policy would have done', async () => {
    const redactor = { redact: (texts: readonly { readonly text: string }[]) => texts.map(({ text }) => text) };
    const options = { redaction: { redactor }, record: { arguments: ['crm.send'] } };
    const { toolbox, storedPolicies, dryRun, close } = await opened({ options });
    const when = { required: ['amount'], properties: { amount: { minimum: 50 } } };
    const rule = { id: 'ask', tools: ['crm.*'], when, then: 'approve', reason: 'somebody looks at it' } as const;
    await storedPolicies.set({ tenantId: 'acme' }, { arguments: [rule] }, OPERATOR);
    expect(await toolbox.call('crm.send', { amount: 50 })).toMatchObject({ code: 'APPROVAL_REQUIRED' });
    const effect = async (policy: ToolPolicy | undefined) =>
      (await dryRun.policy({ tenantId: 'acme' }, policy)).groups.map(({ becomes }) => becomes);
    expect(await effect({ arguments: [rule] })).toEqual([]);
    expect(await effect({ arguments: [{ ...rule, then: 'deny' }] })).toEqual(['refused']);
    expect(await effect(undefined)).toEqual(['unknown']);
    await close();
  });

  it('asks no call policy: what one has said of a call holds, and a call that none was asked about is unknown', async () => {
    let asked = 0;
    class OnlyFinds implements ToolCallPolicy {
      decide({ tool }: PolicyCall): CallPolicyAnswer {
        asked += 1;
        return tool.name === 'crm.find' ? { outcome: 'allow' } : { outcome: 'deny', reason: 'only finds' };
      }
    }
    const { dryRun, call, storedPolicies, close } = await opened({ callPolicies: [{ policy: new OnlyFinds() }] });
    await storedPolicies.set({ tenantId: 'acme' }, { deny: ['crm.delete'] }, OPERATOR);
    for (const tool of ['crm.find', 'crm.send', 'crm.delete']) await call(tool);
    expect(asked).toBe(2);
    const effects = async (policy: ToolPolicy | undefined) =>
      (await dryRun.policy({ tenantId: 'acme' }, policy)).groups.map(({ tool, becomes }) => [tool, becomes]);
    // The stored policy has hidden it from everybody else who decides.
    expect(await effects(undefined)).toEqual([['crm.delete', 'unknown']]);
    expect(await effects({ deny: ['crm.*'] })).toEqual([['crm.find', 'refused']]);
    expect(await effects({ deny: ['crm.delete'], approval: ['crm.find'] })).toEqual([['crm.find', 'approval']]);
    expect(asked).toBe(2);
    await close();
  });

  it('counts calls again as a limit would have counted them', async () => {
    let now = 1_795_000_000_000;
    const { dryRun, call, close } = await opened({ now: () => now });
    for (let minute = 0; minute < 3; minute++) {
      for (let n = 0; n < 3; n++) await call('crm.find', { userId: n === 2 ? 'bob' : 'ada' });
      now += 120_000;
    }
    const rate = { calls: 1, windowMs: 60_000 };
    expect((await dryRun.limit({ id: 'all', rate })).refused).toBe(6);
    const perUser = await dryRun.limit({ id: 'user', per: ['user'], rate });
    expect(perUser).toMatchObject({ calls: 9, refused: 3, unchanged: 6 });
    expect(perUser.groups).toMatchObject([{ tool: 'crm.find', becomes: 'refused', evidence: 'recomputed', calls: 3 }]);
    expect((await dryRun.limit({ id: 'send', match: { tool: 'crm.send' }, rate })).refused).toBe(0);
    expect((await dryRun.limit({ id: 'tokens', budget: { of: 'tokens', max: 10_000 } })).unknown).toBe(9);
    expect(await dryRun.limit({ id: 'all', rate }, { calls: 2 })).toMatchObject({ calls: 2, refused: 1 });
    await close();
  });

  it('says of a policy what the gate says once it is set', async () => {
    const glob = fc.constantFrom('crm.*', 'crm.find', 'crm.s*', 'other.*');
    const policies = fc.record(
      {
        allow: fc.array(glob, { maxLength: 2 }),
        deny: fc.array(glob, { maxLength: 2 }),
        approval: fc.array(glob, { maxLength: 1 }),
      },
      { requiredKeys: [] },
    );
    await fc.assert(
      fc.asyncProperty(policies, async (policy) => {
        const { dryRun, call, storedPolicies, toolbox, close } = await opened();
        const tools = ['crm.find', 'crm.send', 'crm.delete'];
        for (const tool of tools) await call(tool);
        const report = await dryRun.policy({ tenantId: 'acme' }, policy);
        await storedPolicies.set({ tenantId: 'acme' }, policy, OPERATOR);
        for (const tool of tools) {
          const { outcome } = await toolbox.explain(tool);
          const said = report.groups.find((group) => group.tool === tool)?.becomes;
          expect(said).toBe({ allow: undefined, approve: 'approval', deny: 'refused' }[outcome]);
        }
        await close();
      }),
      { numRuns: 60 },
    );
  });

  it('refuses what could not be set', async () => {
    const { dryRun, close } = await opened();
    await expect(dryRun.killSwitch({ kind: 'tool', value: 'no such*' })).rejects.toMatchObject({
      code: 'INVALID_REQUEST',
    });
    await expect(dryRun.limit({ id: 'none' })).rejects.toMatchObject({ code: 'INVALID_REQUEST' });
    await expect(dryRun.policy({}, {})).rejects.toMatchObject({ code: 'INVALID_REQUEST' });
    await close();
  });
});
