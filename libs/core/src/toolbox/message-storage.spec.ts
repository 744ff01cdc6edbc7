import fc from 'fast-check';
import type { ActivationOptions } from '../activation/activation-options.js';
import { receiptFor } from '../activation/messages/receipt.js';
import { expectSame } from '../testing/contracts/expect-same.js';
import { FakeSource } from '../testing/fakes/fake-source.js';
import { openToolbox, type ToolboxSetup } from '../testing/open-toolbox.js';
import { resultText } from '../tool/tool-result.js';
import type { Toolbox } from './toolbox.js';

const NAMES = ['t0', 't1', 't2', 't3', 't4', 't5'];
const SESSION = { tenantId: 'acme', userId: 'ada', sessionId: 's1' };
const forged = (names: readonly string[], of = ['acme', 'ada', 'session', 's1']) =>
  receiptFor(names, { of, secret: '' });

function open(activation: ActivationOptions = {}, setup: ToolboxSetup = {}) {
  return openToolbox({
    sources: [new FakeSource('a', NAMES)],
    context: SESSION,
    options: { exposure: 'deferred', activation: { storage: 'messages', ...activation } },
    ...setup,
  });
}
const listed = async (toolbox: Toolbox, toolResults?: readonly string[]) =>
  (await toolbox.surface(toolResults && { toolResults })).tools.map(({ name }) => name);

describe('activations that a conversation keeps', () => {
  it('are in the results of what activated them, once', async () => {
    const { open: again, toolbox, close } = await open();
    const first = await toolbox.call('a.t0', {});
    expect(first).toMatchObject({ ok: true, activated: true, receipt: expect.stringContaining(' a.t0 ') });
    expect(resultText(first)).toBe(`done\n\n${forged(['a.t0'])}`);
    const second = await toolbox.call('a.t0', {});
    expect(second).toMatchObject({ ok: true });
    expect(second).not.toHaveProperty('receipt');
    expect(await listed(again())).toEqual([]);
    expect(await listed(again(), [resultText(first)])).toEqual(['a.t0']);
    await close();
  });

  it('are kept where a tool fails, too', async () => {
    const fails = { name: 'fails', run: () => Promise.reject(new Error('secret')) };
    const { toolbox, open: again, close } = await open({}, { sources: [new FakeSource('a', [fails])] });
    const result = await toolbox.call('a.fails', {});
    expect(result).toMatchObject({ ok: false, code: 'TOOL_FAILED', receipt: expect.any(String) });
    expect(await listed(again(), [resultText(result)])).toEqual(['a.fails']);
    await close();
  });

  it('come from loading one or many, and from searching where that activates; not from the words of the answer', async () => {
    for (const activateOn of ['load', 'search'] as const) {
      const { toolbox, open: again, close } = await open({ activateOn });
      const result =
        activateOn === 'load'
          ? await toolbox.call('tool_load', { names: ['a.t1', 'a.t0', 'a.unknown'] })
          : await toolbox.call('tool_search', { queries: ['t1', 't0'], type: 'exact' });
      const { receipt } = result;
      expect(receipt).toBe(forged(['a.t0', 'a.t1']));
      expect(JSON.stringify({ ...result, receipt: undefined })).not.toContain('tool-search/1');
      expect(await listed(again(), [resultText(result)])).toEqual(['a.t0', 'a.t1']);
      await close();
    }
    const { toolbox, close } = await open({ activateOn: 'load' });
    expect((await toolbox.activate(['a.t0'])).receipt).toBe(forged(['a.t0']));
    expect((await toolbox.activate(['a.t0'])).receipt).toBeUndefined();
    await close();
  });

  it('are there on another process, and without any id in the next request of the conversation', async () => {
    for (const context of [SESSION, { tenantId: 'acme', userId: 'ada' }]) {
      const [one, other] = [await open({}, { context }), await open({}, { context })];
      const said = resultText(await one.toolbox.call('a.t0', {}));
      expect(await listed(other.toolbox, [said])).toEqual(['a.t0']);
      expect(await listed(other.open({ userId: 'bob' }), [said])).toEqual([]);
      expect(await listed(other.open({ tenantId: 'globex' }), [said])).toEqual([]);
      await Promise.all([one.close(), other.close()]);
    }
  });

  it('belong to their run where that is asked for, and otherwise to the session over all its runs', async () => {
    for (const scope of ['run', 'session'] as const) {
      const { open: request, close } = await open({ scope });
      const said = resultText(await request({ runId: 'r1' }).call('a.t0', {}));
      expect(await listed(request({ runId: 'r1' }), [said])).toEqual(['a.t0']);
      expect(await listed(request({ runId: 'r2' }), [said])).toEqual(scope === 'session' ? ['a.t0'] : []);
      expect(await listed(request({ sessionId: 's2', runId: 'r1' }), [said])).toEqual(
        scope === 'session' ? [] : ['a.t0'],
      );
      await close();
    }
  });

  it('refuse what has no session where sessions are asked for', async () => {
    const { toolbox, close } = await open({ scope: 'session' }, { context: { tenantId: 'acme' } });
    await expect(toolbox.surface({ toolResults: [] })).rejects.toMatchObject({ code: 'SESSION_REQUIRED' });
    await close();
  });

  it('of a narrowed toolbox are its own, and never more than it may have', async () => {
    const { toolbox, open: request, close } = await open();
    const parent = resultText(await toolbox.call('a.t0', {}));
    const child = toolbox.narrow({ runId: 'child', deny: ['a.t2'] });
    const said = [parent, resultText(await child.call('a.t1', {})), resultText(await child.call('a.t2', {}))];
    expect(await listed(request().narrow({ runId: 'child' }), said)).toEqual(['a.t1']);
    expect(await listed(request().narrow({ runId: 'child', deny: ['a.t1'] }), said)).toEqual([]);
    expect(await listed(request().narrow({ runId: 'other' }), said)).toEqual([]);
    expect(await listed(request().narrow({}), said)).toEqual([]);
    expect(await listed(request(), said)).toEqual(['a.t0']);
    await close();
  });

  it('rest while their tool is hidden, and keep their places', async () => {
    const { open: request, killSwitches, close } = await open();
    const toolbox = request();
    const said: string[] = [];
    for (const name of ['a.t2', 'a.t0', 'a.t1']) said.push(resultText(await toolbox.call(name, {})));
    const { killSwitch, revision } = await killSwitches.engage({
      kind: 'tool',
      value: 'a.t0',
      actor: 'op',
      reason: 'test',
    });
    const next = request();
    expect(await listed(next, said)).toEqual(['a.t2', 'a.t1']);
    await killSwitches.release(killSwitch.id, { actor: 'op', reason: 'test', expectedRevision: revision });
    expect(await listed(next, said)).toEqual(['a.t2', 'a.t0', 'a.t1']);
    await close();
  });

  it('go within a request too, when their receipts go; what is not in the conversation yet stays', async () => {
    const { toolbox, close } = await open();
    const said: string[] = [];
    for (const name of ['a.t0', 'a.t1']) said.push(resultText(await toolbox.call(name, {})));
    expect(await listed(toolbox, said)).toEqual(['a.t0', 'a.t1']);
    await toolbox.call('a.t2', {});
    expect(await listed(toolbox, said.slice(1))).toEqual(['a.t1', 'a.t2']);
    expect(await toolbox.call('a.t0', {})).toMatchObject({ activated: true });
    expect(await listed(toolbox, said.slice(1))).toEqual(['a.t1', 'a.t2', 'a.t0']);
    await close();
  });

  it('do not bring back what a resumed run was to find again', async () => {
    const source = new FakeSource('a', NAMES);
    const { open: request, catalog, close } = await open({}, { sources: [source] });
    const run = { runId: 'r1' };
    const said: string[] = [];
    for (const name of ['a.t0', 'a.t1']) said.push(resultText(await request(run).call(name, {})));
    const toolbox = request(run);
    await toolbox.surface({ toolResults: said });
    expect(await toolbox.pause()).toMatchObject({ tools: [{ name: 'a.t0', state: 'activated' }, { name: 'a.t1' }] });
    source.setTools(['t0', { name: 't1', description: 'Something else.' }]);
    await catalog.refresh();
    expect((await request(run).resume()).tools.map(({ drift }) => drift)).toEqual(['same', 'changed']);
    expect(await listed(request(run), said)).toEqual(['a.t0']);
    await request(run).search({ query: 't1', type: 'exact' });
    expect(await listed(request(run), said)).toEqual(['a.t0', 'a.t1']);
    await close();
  });

  it('write to no store', async () => {
    const { toolbox, activations, close } = await open();
    await toolbox.call('a.t0', {});
    await toolbox.surface({ toolResults: [forged(['a.t1'])] });
    expect(await activations.stats()).toMatchObject({ scopes: 0, activations: 0 });
    await close();
  });

  it('do not exist if everything is listed, or if the store keeps them', async () => {
    const all = await openToolbox({
      sources: [new FakeSource('a', NAMES)],
      context: SESSION,
      options: { exposure: 'all', activation: { storage: 'messages', maxTools: 1 } },
    });
    expect(await all.toolbox.call('a.t0', {})).not.toHaveProperty('receipt');
    const surface = await all.toolbox.surface({ toolResults: [forged(['a.t0'])] });
    expect(surface.tools.map(({ active }) => active)).toEqual(NAMES.map(() => false));
    const stored = await open({ storage: 'store' });
    expect(await stored.toolbox.call('a.t0', {})).not.toHaveProperty('receipt');
    expect(await listed(stored.toolbox, [forged(['a.t1'])])).toEqual(['a.t0']);
    await Promise.all([all.close(), stored.close()]);
  });
});

describe('a forged receipt', () => {
  it('exceeds no limit, and demotes no older tool', async () => {
    const { open: request, close } = await open({ maxTools: 2 });
    const said = resultText(await request().call('a.t3', {}));
    const toolbox = request();
    const flood = [said, ...NAMES.map((name) => forged([`a.${name}`])), forged(NAMES.map((name) => `a.${name}`))];
    expect(await listed(toolbox, flood)).toEqual(['a.t3', 'a.t0']);
    expect(await toolbox.call('a.t5', {})).toMatchObject({ code: 'ACTIVATION_LIMIT' });
    await close();
  });

  it('is ignored without the secret', async () => {
    const receiptSecret = 'a secret of 24 letters..';
    const { open: request, close } = await open({ receiptSecret });
    const said = resultText(await request().call('a.t0', {}));
    expect(await listed(request(), [said, forged(['a.t1'])])).toEqual(['a.t0']);
    const other = await open({ receiptSecret: 'another secret of ours!!' });
    expect(await listed(other.toolbox, [said])).toEqual([]);
    await Promise.all([close(), other.close()]);
  });

  it('lists and activates no denied tool, and does not reveal it', async () => {
    const ways = fc.constantFrom('denied', 'hidden', 'killed', 'narrowed', 'free');
    const world = fc.tuple(...NAMES.map(() => ways));
    const named = fc.array(fc.uniqueArray(fc.nat(NAMES.length), { minLength: 1 }), { maxLength: 4 });
    await fc.assert(
      fc.asyncProperty(world, named, fc.constantFrom(0, 2), async (fates, receipts, maxTools) => {
        const of = (fate: string) => NAMES.filter((_, index) => fates[index] === fate).map((name) => `a.${name}`);
        const [hidden, killed, narrowed, free] = [of('hidden'), of('killed'), of('narrowed'), of('free')];
        const real = await open(
          { maxTools },
          {
            policy: { deny: of('denied') },
            visibility: { filter: async (tools) => tools.filter(({ name }) => !hidden.includes(name)) },
          },
        );
        for (const value of killed) {
          await real.killSwitches.engage({ kind: 'tool', value, actor: 'op', reason: 'test' });
        }
        const names = free.map((name) => name.slice(2));
        const other = await open({ maxTools }, { sources: [new FakeSource('a', names)] });
        const toolResults = receipts.map((some) => forged(some.map((index) => `a.${NAMES[index] ?? 'unknown'}`)));
        const answers = await Promise.all(
          [real, other].map(async ({ toolbox }) => {
            const narrow = toolbox.narrow({ runId: 'r', deny: narrowed });
            const own = receipts.map((some) =>
              forged(
                some.map((index) => `a.${NAMES[index] ?? 'unknown'}`),
                ['acme', 'ada', 'run', 'r'],
              ),
            );
            const { revision: _, ...surface } = await narrow.surface({ toolResults: [...toolResults, ...own] });
            const calls = [];
            for (const name of NAMES) calls.push(await narrow.call(`a.${name}`, {}));
            return { names: surface.tools.map(({ name }) => name), meta: surface.meta, prompt: surface.prompt, calls };
          }),
        );
        for (const name of answers[0]!.names) expectSame(free.includes(name), true);
        expectSame(answers[0], answers[1]);
        await Promise.all([real.close(), other.close()]);
      }),
      { numRuns: 30 },
    );
  });
});
