import { FakeSource } from '../../testing/fakes/fake-source.js';
import { openToolbox } from '../../testing/open-toolbox.js';
import { LazyTokenizer } from '../../exposure/ledger/lazy-tokenizer.js';
import type { Toolbox } from '../../toolbox/toolbox.js';
import type { ToolboxOptions } from '../../runtime/toolbox-options.js';
import type { Loading } from '../../tool/tool-definition.js';
import { TokenCounting } from './token-counting.js';

async function counting(options: ToolboxOptions, loading: Loading = 'deferred') {
  const source = new FakeSource('files', [{ name: 'read_file', loading }]);
  const application = await openToolbox({ sources: [source], options });
  const lines: string[] = [];
  const started = new TokenCounting(application, {
    log: (line: string) => void lines.push(line),
    error: (line: string) => void lines.push(line),
  });
  return { ...application, started, source, lines, tokenizer: application.tokenizer };
}

describe('TokenCounting', () => {
  it('lets the real tokenizer take over in the background, says so, and settles auto with it', async () => {
    const exposure = { mode: 'auto', contextWindow: 1000, thresholdPct: 5 } as const;
    const { started, toolbox, tokenizer, lines } = await counting({ exposure });
    const measuredBy = async () => (await toolbox.surface()).reason.measured?.tokenizer;
    expect(await measuredBy()).toBe('estimate');
    started.start();
    expect(tokenizer.tokenizer).toBe('estimate');
    await started.done();
    expect([await measuredBy(), tokenizer.tokenizer]).toEqual(['o200k_base', 'o200k_base']);
    expect(lines).toEqual(['Tokens are counted by o200k_base']);
    await started.stop();
  });

  it.each([
    ['everything is listed', { exposure: 'all' as const }, 'deferred' as const, true],
    ['there is nothing to hold back', {}, 'always' as const, true],
    ['the estimate is far below the threshold of auto', {}, 'deferred' as const, true],
    ['an estimate is asked for', { tokenizer: 'estimate' as const }, 'deferred' as const, false],
  ])('loads no tokenizer where %s', async (_, options, loading, isLazy) => {
    const { started, tokenizer, lines } = await counting(options, loading);
    started.start();
    await started.stop();
    expect([tokenizer.isLazy, tokenizer.tokenizer, lines]).toEqual([isLazy, 'estimate', []]);
  });

  it('survives a tokenizer that is missed only after boot', async () => {
    const world = await counting({ tokenizer: 'o200k_base' }, 'always');
    const { source, catalog, lines } = world;
    const missing = () => Promise.reject(new Error('Cannot find module'));
    const tokenizer = new LazyTokenizer({ tokenizer: 'o200k_base' }, missing);
    const log = (line: string) => void lines.push(line);
    const started = new TokenCounting({ ...world, tokenizer }, { log, error: log });
    started.start(true);
    await started.done();
    source.setTools([{ name: 'read_file', loading: 'deferred' }]);
    await catalog.refresh();
    // No code awaits it by now: an unhandled rejection would end the process, and this test.
    await new Promise(setImmediate);
    expect(lines).toEqual([expect.stringContaining('not installed')]);
    await expect(started.stop()).resolves.toBeUndefined();
  });

  it('counts what has changed before it is published, so that no request has to', async () => {
    const { started, source, catalog, tokens, events } = await counting({ exposure: 'deferred' });
    started.start();
    await started.done();
    const counted = jest.spyOn(tokens, 'of');
    const publications: (readonly string[])[] = [];
    events.on('catalog.published', () => publications.push(counted.mock.calls.map(([tool]) => tool.name)));
    source.setTools([{ name: 'read_file', description: 'Reads it anew.' }, { name: 'write_file' }]);
    await catalog.refresh();
    expect(publications).toEqual([['files.read_file', 'files.write_file']]);
    await started.stop();
  });

  it('has counted what is published while it begins before the tokenizer takes over', async () => {
    const { started, source, catalog, tokens, tokenizer } = await counting({ exposure: 'deferred' });
    const many = Array.from({ length: 50 }, (_, i) => ({ name: `read_${i}` }));
    source.setTools(many);
    await catalog.refresh();
    const of = tokens.of.bind(tokens);
    const counted = new Map<string, string>();
    let refreshed: Promise<void> | undefined;
    jest.spyOn(tokens, 'of').mockImplementation((tool, count) => {
      // So slow that each tool takes one turn of the event loop, in which the catalog changes.
      const until = performance.now() + 5;
      while (performance.now() < until);
      counted.set(tool.name, tokenizer.tokenizer);
      if (!refreshed) {
        source.setTools([...many, { name: 'late' }]);
        refreshed = catalog.refresh();
      }
      return of(tool, count);
    });
    started.start();
    await started.done();
    await refreshed;
    expect(counted.get('files.late')).toBe('estimate');
    await started.stop();
  });

  it('loads it at boot while a source is still to come, not when that arrives', async () => {
    const { started, tokenizer, catalog } = await counting({ exposure: 'deferred' }, 'always');
    const late = new FakeSource('mail', []);
    late.failWith(new Error('not there yet'));
    await catalog.add(late);
    started.start();
    await started.done();
    expect(tokenizer.tokenizer).toBe('o200k_base');
    await started.stop();
  });

  it.each([
    ['a request holds tools back', (toolbox: Toolbox) => toolbox.surface({ mode: 'deferred' })],
    ['a program searches', (toolbox: Toolbox) => toolbox.search({ query: 'read a file' })],
  ])('loads it in a small catalog when %s', async (_, use) => {
    const { started, tokenizer, toolbox } = await counting({});
    started.start();
    await toolbox.surface();
    expect(tokenizer.isLazy).toBe(true);
    await use(toolbox);
    expect(tokenizer.isLazy).toBe(false);
    await started.done();
    expect(tokenizer.tokenizer).toBe('o200k_base');
    await started.stop();
  });

  it('loads the tokenizer when a tool appears that could be deferred', async () => {
    const { started, tokenizer, source, catalog } = await counting({ exposure: 'deferred' }, 'always');
    started.start();
    source.setTools([{ name: 'read_file', loading: 'deferred' }]);
    await catalog.refresh();
    await started.stop();
    expect(tokenizer.tokenizer).toBe('o200k_base');
  });
});
