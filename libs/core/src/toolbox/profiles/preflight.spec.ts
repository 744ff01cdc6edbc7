import { FakeSource } from '../../testing/fakes/fake-source.js';
import { openToolbox } from '../../testing/open-toolbox.js';

const OLGA = { actor: 'olga', reason: 'incident 7' };

async function start() {
  const crm = new FakeSource('crm', [
    'read',
    'write',
    'hidden',
    'asked',
    'limited',
    { name: 'odd', description: 'Reads\u202e.' },
    { name: 'long', description: 'x'.repeat(9999) },
  ]);
  const late = new FakeSource('late', ['report']);
  late.failWith(new Error('away'));
  const opened = await openToolbox({
    sources: [crm, late],
    policy: { deny: ['crm.denied'], approval: ['crm.asked'] },
    visibility: { filter: (tools) => tools.filter(({ name }) => name !== 'crm.hidden') },
    options: {
      exposure: 'deferred',
      limits: { rules: [{ id: 'one', match: { tool: 'crm.limited' }, rate: { calls: 1, windowMs: 3_600_000 } }] },
    },
  });
  const states = async (needs: readonly string[], toolbox = opened.toolbox) => {
    const { outcome, tools } = await toolbox.preflight(needs);
    return [outcome, ...tools.map(({ tool, state, layer }) => `${tool} ${state}${layer ? ` ${layer}` : ''}`)];
  };
  return { ...opened, crm, late, states };
}

describe('a preflight', () => {
  it.each<[string, readonly string[], readonly string[]]>([
    ['of tools that can be called', ['crm.read', 'crm.write'], ['ready', 'crm.read ready', 'crm.write ready']],
    [
      'of a tool that needs an approval',
      ['crm.read', 'crm.asked'],
      ['blocked', 'crm.read ready', 'crm.asked needs_approval approval'],
    ],
    ['of a tool that a visibility policy hides', ['crm.hidden'], ['blocked', 'crm.hidden blocked visibility']],
    ['of a tool in quarantine', ['crm.odd'], ['blocked', 'crm.odd blocked quarantine']],
    ['of a tool that was refused', ['crm.long'], ['blocked', 'crm.long blocked source']],
    [
      'of a name that no tool has',
      ['crm.nothing', 'crm.read'],
      ['unknown', 'crm.nothing unknown source', 'crm.read ready'],
    ],
    ['of a tool whose source has failed', ['late.report'], ['retry', 'late.report retry source']],
    ['of a glob whose source has failed', ['late.*'], ['retry', 'late.* retry source']],
    ['of a namespace that a source may bring', ['new.tool'], ['retry', 'new.tool retry source']],
    ['of a glob', ['crm.r*', 'crm.read'], ['ready', 'crm.read ready']],
  ])('%s', async (_, needs, expected) => {
    const { states, close, crm } = await start();
    expect(await states(needs)).toEqual(expected);
    expect(crm.calls).toEqual([]);
    await close();
  });

  it('consumes no limit, requests no approval, and reports a reached limit', async () => {
    const { states, toolbox, approvals, close } = await start();
    for (let n = 0; n < 3; n++) expect(await states(['crm.limited'])).toEqual(['ready', 'crm.limited ready']);
    await toolbox.call('crm.limited', {});
    expect(await states(['crm.limited'])).toEqual(['retry', 'crm.limited retry limit']);
    await states(['crm.asked']);
    expect(await approvals.list({ limit: 9 })).toEqual([]);
    await close();
  });

  it('follows a kill switch, and a source that comes back or goes', async () => {
    const { states, killSwitches, late, close, catalog } = await start();
    const { killSwitch } = await killSwitches.engage({ ...OLGA, kind: 'namespace', value: 'crm', tenantId: '' });
    expect(await states(['crm.read'])).toEqual(['blocked', 'crm.read blocked kill_switch']);
    await killSwitches.release(killSwitch.id, { ...OLGA, expectedRevision: killSwitch.revision });
    late.failWith(undefined);
    await catalog.refresh('late');
    expect(await states(['crm.read', 'late.*', 'new.tool'])).toEqual([
      'unknown',
      'crm.read ready',
      'late.report ready',
      'new.tool unknown source',
    ]);
    late.failWith(new Error('away'));
    await catalog.refresh('late').catch(() => undefined);
    expect(await states(['late.report'])).toEqual(['retry', 'late.report retry source']);
    await close();
  });

  it("does not know another tenant's tools", async () => {
    const own = new FakeSource('own', ['plan'], { owner: 'globex' });
    const { toolbox, open, close } = await openToolbox({ sources: [own] });
    for (const need of ['own.plan', 'own.*']) {
      const tools = [expect.objectContaining({ tool: need, state: 'unknown' })];
      expect(await toolbox.preflight([need])).toEqual({ outcome: 'unknown', tools });
      expect(await open({ tenantId: 'globex' }).preflight([need])).toMatchObject({ outcome: 'ready' });
    }
    await close();
  });

  it('takes a glob for what the toolbox was narrowed to, and a name as it is', async () => {
    const { states, toolbox, close } = await start();
    const narrowed = toolbox.narrow({ allow: ['crm.read'] });
    expect(await states(['crm.*'], narrowed)).toEqual(['ready', 'crm.read ready']);
    expect(await states(['crm.write'], narrowed)).toEqual(['blocked', 'crm.write blocked policy']);
    await close();
  });

  it.each<[string, readonly string[]]>([
    ['nothing', []],
    ['a need that is no name', ['two words']],
    ['a need without end', ['a'.repeat(257)]],
    ['too many needs', Array.from({ length: 1001 }, (_, n) => `a.b${n}`)],
  ])('is refused for %s', async (_, needs) => {
    const { toolbox, close } = await start();
    await expect(toolbox.preflight(needs)).rejects.toMatchObject({ code: 'INVALID_REQUEST' });
    await close();
  });
});
