import { start } from '../start.js';
import { AppModule } from './app.module.js';

export { AppModule };

export async function main(say: (line: string) => void = console.log): Promise<void> {
  process.env.STATE_FILE ??= ':memory:';
  const { app, as } = await start(AppModule);
  const [ada, bob, olga] = [as('ada-token'), as('bob-token'), as('olga-token')];
  const refund = (amount: number) => ada.call('billing.refund', { invoiceId: 'inv_1', amount });
  const query = 'give a customer their money back';

  say(`without a token: ${(await as('').post('agent/search', { query })).status}`);
  say(`bob (free) finds: ${await bob.search(query)}`);
  say(`ada (pro) finds: ${await ada.search(query)}`);
  say(`ada refunds 5: ${await refund(5)}`);
  say(`ada refunds 500: ${await refund(500)}`);

  const { body: waiting } = await olga.get('admin/tools/approvals?status=pending');
  await olga.post(`admin/tools/approvals/${waiting.items[0].id}/approve`, { reason: 'the heating failed' });
  say(`olga approves, ada repeats: ${await refund(500)}`);

  const context = { tenantId: 'acme', userId: 'bob', roles: [] };
  const { body: explained } = await olga.post('admin/tools/explain', { tool: 'billing.refund', context });
  const denying = explained.layers.find(({ verdict }: { verdict: string }) => verdict === 'deny');
  say(`why not for bob: ${denying.layer}`);

  await olga.post('admin/tools/kill-switches', { kind: 'tag', value: 'money', reason: 'an incident' });
  say(`olga stops all tools that move money, ada refunds 5: ${await refund(5)}`);
  const [forOlga, forAda] = await Promise.all([olga, ada].map((each) => each.get('admin/tools/status')));
  say(`what the console asks for: olga ${forOlga?.status}, ada ${forAda?.status}`);
  await app.close();
}
