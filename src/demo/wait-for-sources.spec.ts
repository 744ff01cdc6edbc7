import { ToolCatalog, ToolEvents } from '@tool-search/core';
import { catalogSettings, FakeSource } from '@tool-search/core/testing';
import { waitForSources } from './wait-for-sources.js';

/** Its loads end when the test releases them. */
class HeldSource extends FakeSource {
  release: () => void = () => undefined;
  readonly #released = new Promise<void>((resolve) => (this.release = resolve));

  override async load(signal: AbortSignal) {
    await this.#released;
    return super.load(signal);
  }
}

describe('the demo waits for its sources', () => {
  let catalog: ToolCatalog;
  beforeEach(() => {
    // Automatic retries would hide whether the wait itself retries.
    catalog = new ToolCatalog(undefined, new ToolEvents(), catalogSettings({ bootWaitMs: 1, retryMinMs: 3_600_000 }));
  });
  afterEach(() => catalog.close());

  it('longer than the boot does, and names the missing ones alone', async () => {
    const github = new HeldSource('github', ['list_issues']);
    await catalog.add(new FakeSource('crm', ['read']));
    await catalog.refresh('crm'); // crm is loaded, however long that took
    await catalog.add(github);
    const lines: string[] = [];
    await waitForSources(
      catalog,
      (line) => {
        lines.push(line);
        if (lines.length === 2) github.release(); // released only after two progress lines
      },
      1,
    );
    expect(catalog.current().tools.map(({ name }) => name)).toContain('github.list_issues');
    expect(lines[0]).toMatch(/^waiting for github \(\d+\.\d s\) …$/);
  });

  it('loads a source that failed once more', async () => {
    const github = new FakeSource('github', ['list_issues']);
    github.failWith(new Error('busy'));
    await catalog.add(github);
    github.failWith(undefined);
    await waitForSources(catalog, () => undefined);
    expect(catalog.current().tools).toHaveLength(1);
    expect(github.loads).toBe(2);
  });

  it('and fails with the reason of each that failed twice', async () => {
    const files = new FakeSource('files', [], { owner: 'acme' });
    files.failWith(new Error('down'));
    await catalog.add(files, new FakeSource('crm', ['read']));
    await expect(waitForSources(catalog, () => undefined)).rejects.toThrow(
      'The demo needs all its sources. files of acme could not be loaded: loading failed (SOURCE_UNAVAILABLE).',
    );
    expect(files.loads).toBe(2);
  });
});
