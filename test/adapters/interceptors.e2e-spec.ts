import type { InterceptedCall } from '@tool-search/core';
import { say, ScriptedModel } from '@tool-search/core/testing';
import { byTurns } from '../support/tier.cjs';
import type { AdapterDriver } from '../support/adapters/adapter-driver.js';
import { ADAPTER_DRIVERS } from '../support/adapters/drivers.js';
import { openShop } from '../support/adapters/shop.js';

const MODES = ['all', 'deferred', 'bridge', 'native'] as const;

describe.each(Object.entries(ADAPTER_DRIVERS))('%s', (name, open) => {
  let driver: AdapterDriver;
  beforeAll(async () => {
    driver = await open();
  });
  afterAll(() => driver.close?.());

  it.each(byTurns(MODES, Object.keys(ADAPTER_DRIVERS).indexOf(name)))(
    'passes the interceptors of the application with every call of a tool: %s',
    async (mode) => {
      const seen: InterceptedCall[] = [];
      const shop = await openShop([
        {
          intercept: async (call, next) => {
            seen.push(call);
            const { content } = await next({ ...call.arguments, name: 'bob' });
            return { content: [...content, { type: 'text', text: 'as the application says' }] };
          },
        },
      ]);
      const script = new ScriptedModel([
        say.search('find a customer by name'),
        say.call('crm.find_customer', { name: 'ada' }),
        ({ results }) => say.answer(results.at(-1)?.text ?? ''),
      ]).reply;
      const { answer } = await driver.run(shop.world.toolbox, { mode, prompt: 'Find Ada.', script });
      expect(answer).toContain('customer-of-bob');
      expect(answer).toContain('as the application says');
      expect(seen.map(({ tool, arguments: input }) => [tool.name, input])).toEqual([
        ['crm.find_customer', { name: 'ada' }],
      ]);
      await shop.world.close();
    },
  );
});
