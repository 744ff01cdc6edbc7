import { fakeTool } from '../testing/fakes/fake-tools.js';
import { CatalogSnapshot } from '../tool/snapshot/catalog-snapshot.js';
import { ToolSet } from '../tool/snapshot/tool-set.js';
import { matchExact } from './scan-search.js';
import { TimeSlicer } from '../async/time-slicer.js';

const TOOLS = [
  fakeTool({ name: 'a.other', tags: ['Mail'] }),
  fakeTool({ name: 'b.mail', tags: ['mail'] }),
  fakeTool({ name: 'c.other', aliases: ['mail'] }),
  fakeTool({ name: 'd.mail_all', description: 'mail', tags: ['mails'] }),
  fakeTool({ name: 'mail', namespace: '' }),
];

async function find(text: string, limit = 9) {
  const scope = ToolSet.of(TOOLS.length, () => true);
  const hits = await matchExact(text, new CatalogSnapshot(1, TOOLS), scope, limit, new TimeSlicer(5));
  return hits.map(({ id, score }) => [TOOLS[id]?.name, score]);
}

describe('matchExact', () => {
  it('prefers the whole name or an alias to the last part of the name, and that to a tag; a part is no match', async () => {
    expect(await find('mail')).toEqual([
      ['c.other', 1],
      ['mail', 1],
      ['b.mail', 0.9],
      ['a.other', 0.5],
    ]);
  });

  it('ignores case and surrounding blanks of the name', async () => {
    expect(await find(' B.MAIL ')).toEqual([['b.mail', 1]]);
  });

  it('keeps the best where there is no room for all', async () => {
    expect(await find('mail', 2)).toEqual((await find('mail')).slice(0, 2));
  });
});
