import { Injectable, Module } from '@nestjs/common';
import { ToolAdminModule } from '@tool-search/admin';
import { Tool, ToolSearchModule } from '@tool-search/core';
import { AgentController } from '../agent.controller.js';
import { start } from '../start.js';
import { SignedIn, userOf } from '../users.js';

@Injectable()
export class CrmTools {
  @Tool({ description: 'Search the customers.', sideEffects: 'read' })
  search() {
    return 'Ada Lovelace';
  }

  @Tool({ description: 'Rate the credit of a customer; costs money.', tags: ['paid'], sideEffects: 'read' })
  rateCredit() {
    return 'good';
  }
}

@Module({
  imports: [
    ToolSearchModule.forRoot({
      context: userOf,
      limits: {
        rules: [
          { id: 'hourly', match: { tool: 'crm.search' }, per: ['user'], rate: { calls: 2, windowMs: 3_600_000 } },
          { id: 'money', match: { tag: 'paid' }, per: ['tenant'], budget: { of: 'cents', max: 50, every: 'month' } },
        ],
        // A call reserves `bound`, and is charged `of` when it has ended.
        cost: { cents: { bound: () => 20, of: (_tool, result) => (result.ok ? 12 : 0) } },
      },
    }),
    ToolAdminModule.forRoot({ path: 'admin/tools', guards: [SignedIn] }),
  ],
  providers: [CrmTools],
  controllers: [AgentController],
})
export class AppModule {}

export async function main(say: (line: string) => void = console.log): Promise<void> {
  const { app, as } = await start(AppModule);
  const [ada, bob] = [as('ada-token'), as('bob-token')];
  const [hank, olga] = [as('hank-token'), as('olga-token')];
  const inTurn = async (count: number, call: () => Promise<string>) => {
    const outcomes: string[] = [];
    for (let each = 0; each < count; each++) outcomes.push(await call());
    return outcomes.join(', ');
  };

  say(`two an hour for each user, ada: ${await inTurn(3, () => ada.call('crm.search'))}`);
  say(`bob has his own: ${await bob.call('crm.search')}`);
  const refused = await ada.post('agent/call', { name: 'crm.search', arguments: {} });
  say(`what the model reads: ${refused.body.message}`);

  // 12 + 12 + 12 cents; the fourth call might cost 20 more.
  say(`50 cents a month for each tenant, acme: ${await inTurn(4, () => bob.call('crm.rate_credit'))}`);
  say(`globex has its own: ${await hank.call('crm.rate_credit')}`);

  // An operator may add limits at run time; they only restrict.
  const limit = { match: { namespace: 'crm' }, per: ['tenant'], budget: { of: 'calls', max: 1, every: 'day' } };
  const { status } = await olga.put('admin/tools/limits/incident', { limit, reason: 'the CRM is overloaded' });
  say(`an operator sets a limit: ${status}`);
  say(`globex: ${await inTurn(2, () => hank.call('crm.search'))}`);
  await app.close();
}
