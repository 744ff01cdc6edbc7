import { FakeSource } from '../../testing/fakes/fake-source.js';
import { openToolbox } from '../../testing/open-toolbox.js';
import type { ExposureChoice } from '../../toolbox/surface/surface.js';
import type { ToolboxOptions } from '../../runtime/toolbox-options.js';
import { MemoryTokenLedgerStore } from './memory-token-ledger-store.js';

const countTokens = (text: string) => text.length;
const size = ({ name, description, inputSchema }: { name: string; description: string; inputSchema: object }) =>
  JSON.stringify({ name, description, parameters: inputSchema }).length;

async function opened(options: ToolboxOptions = {}, ledgerStore = new MemoryTokenLedgerStore()) {
  const source = new FakeSource('files', ['read_file', 'write_file', { name: 'list_files', loading: 'always' }]);
  return openToolbox({
    sources: [source],
    ledgerStore,
    options: { exposure: 'deferred', countTokens, ...options },
    context: { tenantId: 'acme', userId: 'ada', sessionId: 's1', runId: 'r1' },
  });
}

describe('TokenLedger', () => {
  it('counts a run: the whole list, what was shown, what was spent, and what became of the prefix', async () => {
    const { toolbox, open, ledger, eventsOf } = await opened();
    const first = await toolbox.surface();
    const query = { query: 'read file' };
    const found = await toolbox.call('tool_search', query);
    // A second request of the same run.
    const second = await open().surface();
    const visible = await toolbox.visible();
    const full = visible.reduce((sum, tool) => sum + size(tool), 0);
    const shown = [first, second].map(
      ({ tools, meta, prompt }) =>
        [...tools.map(({ definition }) => definition), ...meta].reduce((sum, tool) => sum + size(tool), 0) +
        (prompt.guidance?.length ?? 0),
    );
    expect(second.tools.length).toBeGreaterThan(first.tools.length);
    const shownTokens = (shown[0] ?? 0) + (shown[1] ?? 0);
    const answered = eventsOf('meta_tool.answered');
    expect(answered).toMatchObject([{ kind: 'search', tokenizer: 'custom', sessionId: 's1' }]);
    const searchTokens =
      JSON.stringify(query).length + JSON.stringify('structured' in found && found.structured).length;
    expect(answered[0]?.tokens).toBe(searchTokens);
    const totals = await ledger.ofSession({ tenantId: 'acme', userId: 'ada', sessionId: 's1' });
    expect(totals).toEqual({
      steps: 2,
      fullTokens: 2 * full,
      shownTokens,
      savedTokens: 2 * full - shownTokens,
      metaCalls: 1,
      searchTokens,
      cacheKept: 1,
      cacheBroken: 0,
      tokenizers: ['custom'],
    });
    expect(eventsOf('surface.shown').map(({ cache, shownTokens: tokens }) => [cache, tokens])).toEqual([
      ['first', shown[0]],
      ['kept', shown[1]],
    ]);
  });

  it('records why the mode was chosen: who set it, or what auto has counted', async () => {
    const reasonIn = async (exposure: ExposureChoice) => {
      const { toolbox, eventsOf } = await opened({ exposure });
      const { reason } = await toolbox.surface();
      expect(eventsOf('surface.shown')).toMatchObject([{ mode: 'deferred', reason: reason.text }]);
      return reason.text;
    };
    expect(await reasonIn('deferred')).toBe('asked for by the module');
    expect(await reasonIn({ mode: 'auto', contextWindow: 1000, thresholdPct: 1 })).toMatch(
      /have \d+ tokens, not less than the threshold of 10$/,
    );
  });

  it('says that a tool that goes away breaks the prefix', async () => {
    const { toolbox, ledger, eventsOf, killSwitches } = await opened();
    await toolbox.surface();
    await killSwitches.engage({ kind: 'tool', value: 'files.list_files', actor: 'olga', reason: 'a test' });
    await toolbox.surface();
    expect(eventsOf('surface.shown').map(({ cache }) => cache)).toEqual(['first', 'broken']);
    expect(await ledger.totals()).toMatchObject({ steps: 2, cacheKept: 0, cacheBroken: 1 });
  });

  it('adds up what several instances count, and keeps tenants apart', async () => {
    const store = new MemoryTokenLedgerStore();
    const instances = await Promise.all([opened({}, store), opened({}, store)]);
    await Promise.all(
      instances.flatMap(({ open }) => ['acme', 'globex', 'acme'].map((tenantId) => open({ tenantId }).surface())),
    );
    await instances[1]?.ledger.stop();
    const ledger = instances[0]?.ledger;
    expect((await ledger?.totals())?.steps).toBe(6);
    expect((await ledger?.totals({ tenantId: 'globex' }))?.steps).toBe(2);
    expect((await ledger?.totals({ since: Date.now() + 3_600_000 }))?.steps).toBe(0);
    expect((await ledger?.sessions({ tenantId: 'acme' }, { limit: 5 }))?.map(({ steps }) => steps)).toEqual([4]);
  });

  it.each([
    ['where everything is listed', { exposure: 'all' as const }, 0],
    ['where it is switched off', { ledger: false as const }, 0],
    ['unless it is asked for', { exposure: 'all' as const, ledger: { countAll: true } }, 1],
  ])('counts no tokens %s', async (_, options, steps) => {
    const count = jest.fn(countTokens);
    const { toolbox, ledger, eventsOf } = await opened({ ...options, countTokens: count });
    await toolbox.surface();
    expect(eventsOf('surface.shown')).toHaveLength(steps);
    expect(count.mock.calls.length > 0).toBe(steps > 0);
    expect((await ledger.totals()).steps).toBe(steps);
  });

  it('counts a definition once, however often it is shown', async () => {
    const count = jest.fn(countTokens);
    const { toolbox } = await opened({ countTokens: count });
    await toolbox.surface();
    const counted = count.mock.calls.length;
    for (let step = 0; step < 5; step++) await toolbox.surface();
    expect(count.mock.calls.length).toBe(counted);
  });

  it('forgets what is older than it is kept', async () => {
    const { toolbox, ledger } = await opened({ ledger: { ttlMs: 1 } });
    await toolbox.surface();
    await ledger.stop();
    expect(await ledger.sweep()).toBe(1);
    expect((await ledger.totals()).steps).toBe(0);
  });

  it('a failing store is an error for readers, and none for calls', async () => {
    const store = new MemoryTokenLedgerStore();
    const down = jest.spyOn(store, 'add').mockRejectedValue(new Error('down'));
    const sums = jest.spyOn(store, 'sums').mockRejectedValue(new Error('down'));
    const { toolbox, ledger } = await opened({}, store);
    await toolbox.surface();
    await expect(ledger.totals()).rejects.toMatchObject({ code: 'STORE_UNAVAILABLE' });
    down.mockRestore();
    sums.mockRestore();
    expect((await ledger.totals()).steps).toBe(1);
  });
});
