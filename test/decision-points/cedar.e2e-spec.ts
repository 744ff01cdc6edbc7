import { Test } from '@nestjs/testing';
import { ToolApprovals, ToolEvents, ToolSearchModule, ToolSearchService } from '@tool-search/core';
import { BillingTools, Cedar, CedarCalls, CedarVisibility } from '../readme/cedar.js';

const OLGA = { actor: 'olga', reason: 'seen' };

describe('Cedar in the process', () => {
  const open = async () => {
    const module = await Test.createTestingModule({
      imports: [ToolSearchModule.forRoot({ context: () => ({ tenantId: 'acme' }), exposure: 'all' })],
      providers: [BillingTools, Cedar, CedarVisibility, CedarCalls],
    })
      .setLogger(false as never)
      .compile();
    await module.init();
    const toolbox = (roles: readonly string[]) =>
      module.get(ToolSearchService).open({ tenantId: 'acme', userId: 'ada', sessionId: 's1', roles });
    return { module, toolbox, finance: toolbox(['finance']) };
  };
  const refund = (cents: number) => ['billing.refund', { invoice: 'i7', cents }] as const;

  it('decides with one set of policies which tools are listed, and which calls run', async () => {
    const { module, toolbox, finance } = await open();
    const names = async (roles: readonly string[]) => (await toolbox(roles).list()).map(({ name }) => name).toSorted();
    expect(await names([])).toEqual(['billing.find', 'billing.rate']);
    expect(await names(['finance'])).toEqual(['billing.find', 'billing.rate', 'billing.refund']);
    expect(await toolbox([]).call(...refund(5))).toMatchObject({ code: 'TOOL_NOT_AVAILABLE' });
    expect(await finance.call(...refund(10_000))).toMatchObject({ ok: true });

    const denied: unknown[] = [];
    module.get(ToolEvents).on('tool.denied', (event) => void denied.push(event));
    expect(await finance.call(...refund(100_001))).toMatchObject({
      code: 'ARGUMENTS_NOT_ALLOWED',
      message: 'Our policies forbid this call.',
    });
    expect(denied).toMatchObject([{ layer: 'call_policy', rule: 'CedarCalls', reason: 'large-refund' }]);
    await module.close();
  });

  it('asks for an approval of calls that may not run alone', async () => {
    const { module, finance } = await open();
    const approvals = module.get(ToolApprovals);
    expect(await finance.call(...refund(20_000))).toMatchObject({ code: 'APPROVAL_REQUIRED' });
    const [asked] = await approvals.list({ limit: 9 });
    await approvals.approve(asked!.id, OLGA);
    expect(await finance.call(...refund(20_000))).toMatchObject({ content: [{ text: 'refunded 20000 of i7' }] });
    expect(await finance.call(...refund(20_000))).toMatchObject({ code: 'APPROVAL_REQUIRED' });
    await module.close();
  });

  it('allows nothing where Cedar has no value for an argument, or a policy fails', async () => {
    const { module, finance } = await open();
    const cedar = module.get(Cedar);
    for (const stars of [4.5, null]) {
      expect(await finance.call('billing.rate', { stars })).toMatchObject({ code: 'INTERNAL' });
    }
    expect(await finance.call('billing.rate', { stars: 4 })).toMatchObject({ ok: true });
    const by = { owner: { __entity: { type: 'User', id: 'ada' } } };
    expect(await finance.call('billing.find', { by })).toMatchObject({ code: 'INTERNAL' });
    expect(await finance.call('billing.find', { by: { owner: '"__entity":' } })).toMatchObject({ ok: true });
    // Cedar itself would permit it: the policy that forbids cannot read the member, and is left out.
    const [tool] = (await finance.visible()).filter(({ name }) => name === 'billing.refund');
    expect(() => cedar.refusal('call', tool!, { tenantId: 'acme' }, {})).toThrow(/cents/);
    await module.close();
  });
});
