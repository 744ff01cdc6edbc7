import { fakeTools, FakeSource, openToolbox, type OpenToolbox, say, ScriptedModel } from '@tool-search/core/testing';
import { countTokens } from '../../src/chat/count-tokens.js';
import type { AdapterDriver } from '../support/adapters/adapter-driver.js';
import { ADAPTER_DRIVERS } from '../support/adapters/drivers.js';
import { OWNER, REPORT, reportSource, WANTED } from '../support/large-report.js';

const MODES = ['all', 'deferred', 'bridge', 'native', 'auto'] as const;

let driver: AdapterDriver;
let world: OpenToolbox;
let paid: unknown[];
beforeEach(async () => {
  paid = [];
  const crowd = new FakeSource(
    'crowd',
    fakeTools(40).map(({ name, description, inputSchema }) => ({
      name: name.replaceAll('.', '_'),
      description,
      inputSchema,
    })),
  );
  world = await openToolbox({
    sources: [reportSource((owner) => paid.push(owner)), crowd],
    options: { exposure: { mode: 'auto', contextWindow: 8_000 }, countTokens },
  });
});
afterEach(() => world.close());

describe.each(Object.entries(ADAPTER_DRIVERS))('1 MB from a tool, through %s', (_name, open) => {
  beforeAll(async () => {
    driver = await open();
  });
  afterAll(() => driver.close?.());

  it.each(MODES)(
    'in mode %s: the model reads 2,000 tokens and a handle, and finds the item that it needs',
    async (mode) => {
      expect(REPORT.length).toBeGreaterThan(1_000_000);
      const texts: string[] = [];
      const read = (text: string) => (texts.push(text), text);
      const model = new ScriptedModel([
        say.call('reports.list_items'),
        ({ results }) => {
          const handle = /r_[\w-]{22}/.exec(read(results.at(-1)?.text ?? ''))?.[0];
          return [
            say.call('tool_result', { handle, pointer: `/items/${WANTED}` }),
            ({ results: [item] }) => {
              const owner = /owner-of-\d+/.exec(read(item?.text ?? ''))?.[0];
              return [say.call('reports.pay_owner', { owner }), say.answer('done')];
            },
          ];
        },
      ]);
      const { turns } = await driver.run(world.toolbox, {
        mode,
        prompt: 'Pay the owner of item 4711.',
        script: model.reply,
      });
      expect(paid).toEqual([OWNER]);
      const [report = ''] = texts;
      expect(countTokens(report)).toBeLessThanOrEqual(2000);
      expect(report).not.toContain(OWNER);
      for (const { results } of turns)
        for (const { text } of results) expect(countTokens(text)).toBeLessThanOrEqual(2000);
      const listed = turns.map(({ tools }) => tools.some(({ name }) => name === 'tool_result'));
      expect(listed[0]).toBe(false);
      expect(listed.at(-1)).toBe(mode !== 'bridge');
    },
  );
});
