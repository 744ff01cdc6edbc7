import { Test, type TestingModule } from '@nestjs/testing';
import { KillSwitches } from '@tool-search/core';
import { evaluateRetrieval, expectVisible, FakeToolSources, ToolSearchTestingModule } from '@tool-search/core/testing';
import { BillingTools, PlanPolicy } from './billing.tools.js';

const PRO = { userId: 'ada', roles: ['pro'] };

describe('our tools', () => {
  let module: TestingModule;
  beforeEach(async () => {
    module = await Test.createTestingModule({
      imports: [
        // Your sources are faked, the rest is real: search, policies, the gate, activation.
        ToolSearchTestingModule.forTools(
          [{ name: 'crm.find', run: ({ id }) => `customer ${String(id)}` }, 'crm.delete'],
          {
            policy: { deny: ['crm.delete'] },
          },
        ),
      ],
      providers: [BillingTools, PlanPolicy],
    }).compile();
  });
  afterEach(() => module.close());

  it('are visible by plan', async () => {
    await expectVisible(await ToolSearchTestingModule.open(module)).toEqual(['billing.list', 'crm.find']);
    await expectVisible(await ToolSearchTestingModule.open(module, PRO)).toContain('billing.refund');
  });

  it('run with the arguments of a model, and refuse wrong ones', async () => {
    const toolbox = await ToolSearchTestingModule.open(module, PRO);
    expect(await toolbox.call('billing.refund', { invoiceId: 'inv_1', amount: 5 })).toMatchObject({
      ok: true,
      content: [{ text: 'acme gave back 5 euros of inv_1' }],
    });
    expect(await toolbox.call('billing.refund', { amount: -5 })).toMatchObject({ code: 'INVALID_ARGUMENTS' });
  });

  it('reach the source with what the model wrote', async () => {
    const toolbox = await ToolSearchTestingModule.open(module);
    await toolbox.call('crm.find', { id: '7' });
    expect(module.get(FakeToolSources).calls).toMatchObject([{ name: 'crm.find', input: { id: '7' } }]);
  });

  it('are gone while they are switched off', async () => {
    const toolbox = await ToolSearchTestingModule.open(module, PRO);
    await module
      .get(KillSwitches)
      .engage({ kind: 'tool', value: 'billing.refund', actor: 'a test', reason: 'why not' });
    expect(await toolbox.call('billing.refund', { invoiceId: 'inv_1', amount: 5 })).toMatchObject({
      code: 'TOOL_NOT_AVAILABLE',
    });
  });

  it('are found by the words of our users', async () => {
    const report = await evaluateRetrieval(await ToolSearchTestingModule.open(module, PRO), [
      { query: 'I want my money back', relevant: ['billing.refund'] },
      { query: 'which invoices does she have?', relevant: ['billing.list'] },
      { query: 'the weather of tomorrow', relevant: [] }, // the right answer is that there is no such tool
    ]);
    expect(report.misses).toEqual([]);
  });
});
