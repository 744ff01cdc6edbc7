import { FakeSource } from '../testing/fakes/fake-source.js';
import { openToolbox } from '../testing/open-toolbox.js';
import { resultText } from '../tool/tool-result.js';

const opened = async (hidden = '') => {
  let clock = 1000;
  return openToolbox({
    now: () => (clock += 1),
    sources: [new FakeSource('crm', ['read_customer', 'list_customers', 'delete_customer'])],
    visibility: { filter: (tools, { roles }) => tools.filter(({ name }) => roles?.length || name !== hidden) },
  });
};

describe('the state of a run', () => {
  it('says what was activated, how and when, and what was offered', async () => {
    const { toolbox, open } = await opened();
    expect(await toolbox.state()).toEqual({ scope: 'run', activated: [], offered: [] });
    await toolbox.call('crm.read_customer', {});
    await toolbox.activate(['crm.list_customers']);
    await toolbox.get(['crm.delete_customer']);
    const [first, second] = (await toolbox.state()).activated;
    expect(await toolbox.state()).toEqual({
      scope: 'run',
      activated: [
        { name: 'crm.read_customer', reason: 'first_use', activatedAt: expect.any(Number) },
        { name: 'crm.list_customers', reason: 'load', activatedAt: expect.any(Number) },
      ],
      offered: ['crm.delete_customer'],
    });
    expect(second!.activatedAt).toBeGreaterThan(first!.activatedAt);
    expect(await open().state()).toEqual(await toolbox.state());
    expect(await open({ runId: 'another' }).state()).toMatchObject({ activated: [], offered: [] });
    expect(await open({ sessionId: 's1' }).state()).toMatchObject({ scope: 'session', activated: [] });
  });

  it('is taken back as a whole, for this run alone', async () => {
    const { toolbox, open } = await opened();
    for (const each of [toolbox, open({ runId: 'another' })]) {
      await each.call('crm.read_customer', {});
      await each.get(['crm.delete_customer']);
    }
    expect(await toolbox.clearState()).toBe(1);
    expect(await toolbox.state()).toMatchObject({ activated: [], offered: [] });
    expect(await toolbox.list()).toEqual([]);
    expect(await toolbox.clearState()).toBe(0);
    expect((await open({ runId: 'another' }).state()).activated).toHaveLength(1);
  });

  it('does not know what is hidden by now, but clears it', async () => {
    const { open } = await opened('crm.read_customer');
    await open({ roles: ['admin'] }).call('crm.read_customer', {});
    expect(await open().state()).toEqual({ scope: 'run', activated: [], offered: [] });
    expect((await open({ roles: ['admin'] }).state()).activated).toHaveLength(1);
    expect(await open().clearState()).toBe(1);
    expect((await open({ roles: ['admin'] }).state()).activated).toEqual([]);
  });

  it('stays taken back where the conversation keeps it, until a tool is found or used again', async () => {
    const { toolbox } = await openToolbox({
      sources: [new FakeSource('crm', ['x', 'y'])],
      options: { exposure: 'deferred', activation: { storage: 'messages' } },
    });
    const listed = async () => (await toolbox.surface({ toolResults })).tools.map(({ name }) => name);
    const toolResults = [resultText(await toolbox.call('crm.x', {}))];
    expect(await listed()).toEqual(['crm.x']);
    toolResults.push(resultText(await toolbox.call('crm.y', {})));
    expect(await toolbox.clearState()).toBe(2);
    expect(await listed()).toEqual([]);
    await toolbox.call('crm.x', {});
    expect(await listed()).toEqual(['crm.x']);
  });

  it('marks what is always loaded by now, beside a list that requests share', async () => {
    const source = new FakeSource('crm', ['x', { name: 'y', loading: 'always' }, { name: 'z', loading: 'always' }]);
    const { toolbox, open, catalog } = await openToolbox({ sources: [source] });
    const fixed = async (runId: string) => (await open({ runId }).surface({ mode: 'bridge' })).tools;
    expect(await fixed('another')).toBe(await fixed('a third'));
    await toolbox.call('crm.x', {});
    source.setTools([
      { name: 'x', loading: 'always' },
      { name: 'y', loading: 'always' },
    ]);
    await catalog.refresh();
    const marks = async (runId: string) => (await open({ runId }).list()).map(({ name, active }) => [name, active]);
    expect(await marks('run-1')).toEqual([
      ['crm.x', true],
      ['crm.y', false],
    ]);
    expect(await marks('another')).toEqual([
      ['crm.x', false],
      ['crm.y', false],
    ]);
  });

  it('is empty where everything is listed', async () => {
    const { toolbox } = await openToolbox({ sources: [new FakeSource('crm', ['x'])], options: { exposure: 'all' } });
    await toolbox.call('crm.x', {});
    expect(await toolbox.state()).toEqual({ scope: 'run', activated: [], offered: [] });
    expect(await toolbox.clearState()).toBe(0);
  });
});
