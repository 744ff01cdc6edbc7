import { Test } from '@nestjs/testing';
import { ToolSearchModule, ToolSearchService } from '@tool-search/core';
import { Accounts, BillingTools, BookCosts, HideMargins, SignRefunds } from '../readme/interceptors.js';

describe('the examples of the guide to interceptors', () => {
  const open = async () => {
    const module = await Test.createTestingModule({
      imports: [ToolSearchModule.forRoot({ context: () => ({ tenantId: 'acme' }), exposure: 'all' })],
      providers: [BillingTools, Accounts, BookCosts, SignRefunds, HideMargins],
    })
      .setLogger(false as never)
      .compile();
    await module.init();
    const service = module.get(ToolSearchService);
    const call = (name: string, input: object, roles: readonly string[] = []) =>
      service.open({ tenantId: 'acme', userId: 'ada', roles }).call(name, input);
    return { module, call, accounts: module.get(Accounts) };
  };

  it('fill in who asks, whatever the model writes', async () => {
    const { module, call } = await open();
    for (const input of [{ invoice: 'i7' }, { invoice: 'i7', clerk: 'the boss' }]) {
      expect(await call('billing.refund', input)).toMatchObject({ content: [{ text: 'ada refunded i7' }] });
    }
    await module.close();
  });

  it('book what a call costs, give it back if the call fails, and refuse what costs too much', async () => {
    const { module, call, accounts } = await open();
    expect(await call('billing.rate_credit', { company: 'nowhere' })).toMatchObject({ code: 'TOOL_FAILED' });
    expect(accounts.left.get('acme')).toBe(5);
    expect(await call('billing.rate_credit', { company: 'Acme' })).toMatchObject({ content: [{ text: 'Acme: good' }] });
    expect(accounts.left.get('acme')).toBe(2);
    expect(await call('billing.rate_credit', { company: 'Acme' })).toEqual({
      ok: false,
      code: 'CALL_REFUSED',
      message: 'billing.rate_credit costs more than is left this month.',
      hint: 'Go on without it, or ask an administrator for a larger budget.',
    });
    await module.close();
  });

  it('rewrite a result for those who may not read all of it', async () => {
    const { module, call } = await open();
    expect(await call('billing.quote', { product: 'lamp' })).toMatchObject({
      structured: { product: 'lamp', price: 120 },
      content: [{ text: '{"product":"lamp","price":120}' }],
    });
    expect(await call('billing.quote', { product: 'lamp' }, ['sales'])).toMatchObject({ structured: { margin: 45 } });
    await module.close();
  });
});
