import { CatalogSnapshot, ToolSet } from '@tool-search/core/engine';
import { fakeTool } from '../../core/src/testing/fakes/fake-tools.js';
import { Fts5ToolIndex } from '../src/fts5-tool-index.js';

/**
 * Indexes its own catalog in the given SQLite file, together with tools that all children share; prints the tool it
 * finds.
 */
async function index([database, name]: string[]): Promise<void> {
  const common = Array.from({ length: 200 }, (_, i) => fakeTool({ name: `common.tool_${i}` }));
  const own = fakeTool({ name: `own.${name}`, description: `Only ${name} has this.` });
  const snapshot = new CatalogSnapshot(1, [...common, own]);
  const tools = new Fts5ToolIndex({ database });
  await tools.open();
  await tools.apply({ next: snapshot });
  const visible = ToolSet.of(snapshot.tools.length, () => true);
  const { hits } = await tools.search({ text: name ?? '', type: 'fts', limit: 5 }, snapshot, visible);
  process.stdout.write(hits.map(({ id }) => snapshot.at(id).name).join(' '));
  await tools.close();
}

void index(process.argv.slice(2));
