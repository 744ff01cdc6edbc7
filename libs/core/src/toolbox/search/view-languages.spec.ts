import { FakeSource } from '../../testing/fakes/fake-source.js';
import { openToolbox } from '../../testing/open-toolbox.js';
import type { ToolboxOptions } from '../../runtime/toolbox-options.js';

import { isLanguageTag } from './view-languages.js';

const ENGLISH = [
  { name: 'create_invoice', description: 'Creates an invoice for the customer with this id.' },
  { name: 'refund', description: 'Refunds the whole of an order to the customer.' },
  { name: 'factorial', description: 'Returns the factorial of a number.' },
];
const GERMAN = [
  { name: 'rechnung_erstellen', description: 'Erstellt eine Rechnung für den Kunden mit dieser Nummer.' },
  { name: 'erstatten', description: 'Erstattet die Summe einer Bestellung an den Kunden.' },
  { name: 'wetter', description: 'Sagt, wie das Wetter in einer Stadt ist und wird.' },
];

async function start(tools: readonly object[], options: ToolboxOptions['search'] = {}, preset?: 'mastra') {
  const source = new FakeSource('crm', tools as never);
  const opened = await openToolbox({
    sources: [source],
    options: { exposure: 'deferred', search: options, ...(preset && { preset }) },
  });
  const queryText = async () => JSON.stringify((await opened.open().surface()).meta[0]);
  return { ...opened, source, queryText };
}

describe('the language of tools', () => {
  it.each([
    ['English', ENGLISH],
    ['German', GERMAN],
  ])('is found and named to models: %s', async (name, tools) => {
    const { queryText, close } = await start(tools);
    expect(await queryText()).toContain(`Action and object, in ${name}, without values`);
    await close();
  });

  it('is not named where it is not clear, nor in the words of a preset', async () => {
    const unclear = await start([{ name: 'ping', description: 'Ping.' }]);
    expect(await unclear.queryText()).toContain('Action and object, without values');
    await unclear.close();
    const preset = await start(ENGLISH, {}, 'mastra');
    expect(await preset.queryText()).not.toContain('English');
    await preset.close();
  });

  it('can be given, as a tag of BCP 47', async () => {
    const { queryText, close } = await start(ENGLISH, { language: 'pt-BR' });
    expect(await queryText()).toContain('in Brazilian Portuguese');
    await close();
    expect(['de', 'pt-BR', 'no language', '', 7].map(isLanguageTag)).toEqual([true, true, false, false, false]);
  });

  it('is that of the tools which the caller sees', async () => {
    const { killSwitches, queryText, close } = await start([...ENGLISH, ...GERMAN]);
    const before = await queryText();
    for (const { name } of ENGLISH) {
      await killSwitches.engage({ kind: 'tool', value: `crm.${name}`, tenantId: '', actor: 'olga', reason: 'a test' });
    }
    expect([before.includes('in German'), (await queryText()).includes('in German')]).toEqual([false, true]);
    await close();
  });

  it('stays that of the run while its tools have words of it, and changes for a clear majority alone', async () => {
    const plain = { name: 'ping', description: 'Ping.' };
    let seen: readonly { name: string }[] = ENGLISH;
    const { open, close } = await openToolbox({
      sources: [new FakeSource('crm', [...ENGLISH, ...GERMAN, plain] as never)],
      options: { exposure: 'deferred' },
      visibility: { filter: (tools) => tools.filter((tool) => seen.some(({ name }) => tool.name === `crm.${name}`)) },
    });
    const languageFor = async (runId: string) => {
      const { meta } = await open({ tenantId: 'acme', userId: 'ada', runId }).surface();
      return /in (English|German)/.exec(JSON.stringify(meta[0]))?.[1];
    };
    const after = async (tools: readonly { name: string }[]) => {
      seen = tools;
      return [await languageFor('old'), await languageFor('new')];
    };
    expect(await languageFor('old')).toBe('English');
    expect(await after([...ENGLISH, ...GERMAN])).toEqual(['English', undefined]);
    expect(await after([...GERMAN, plain])).toEqual(['German', 'German']);
    expect(await after([...ENGLISH, ...GERMAN])).toEqual(['German', 'German']);
    expect(await after([plain])).toEqual([undefined, undefined]);
    await close();
  });

  it('depends only on what the caller sees, not on other views or earlier requests', async () => {
    const plain = { name: 'ping', description: 'Ping.' };
    const sees: Record<string, readonly { name: string }[]> = {
      en: ENGLISH,
      de: GERMAN,
      mixed: [...ENGLISH, ...GERMAN],
      bob: [plain],
    };
    const { open, close } = await openToolbox({
      sources: [new FakeSource('crm', [...ENGLISH, ...GERMAN, plain] as never)],
      options: { exposure: 'deferred' },
      visibility: {
        filter: (tools, { userId = '' }) =>
          tools.filter(({ name }) => sees[userId]?.some((seen) => name === `crm.${seen.name}`)),
      },
    });
    const textFor = async (userId: string) => {
      return JSON.stringify((await open({ tenantId: 'acme', userId, runId: userId }).surface()).meta[0]);
    };
    const [bob, mixed] = [await textFor('bob'), await textFor('mixed')];
    expect([await textFor('en'), await textFor('de')].map((text) => /in (English|German)/.exec(text)?.[1])).toEqual([
      'English',
      'German',
    ]);
    expect([await textFor('bob'), await textFor('mixed')]).toEqual([bob, mixed]);
    expect([bob, mixed].join()).not.toMatch(/in (English|German)/);
    await close();
  });

  it('makes a request in another one weak, and the hint says in which to search', async () => {
    const { open, close } = await start(ENGLISH);
    const search = (request: { query: string }) => open({ tenantId: 'acme', runId: request.query }).search(request);
    const foreign = await search({ query: 'Crea una factorial para el número' });
    expect(foreign).toMatchObject({ verdict: 'weak', hint: expect.stringContaining('search once more in English ') });
    expect(await search({ query: 'factorial of a number' })).toMatchObject({ verdict: 'found' });
    expect(await search({ query: 'スケジュール' })).toMatchObject({
      verdict: 'none',
      hint: expect.stringContaining('in English with other words'),
    });
    await close();
  });
});
