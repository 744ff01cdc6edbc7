import { FakeSource, openToolbox } from '@tool-search/core/testing';
import { policy } from '../readme/argument-rules.js';

it('the rules of the guide refuse what the guide says, and ask about what it says', async () => {
  const anything = { type: 'object' };
  const sources = [
    new FakeSource('billing', [{ name: 'refund_invoice', inputSchema: anything }]),
    new FakeSource('mail', [{ name: 'send', inputSchema: anything }]),
  ];
  const { toolbox, close } = await openToolbox({ sources, policy });
  const codeOf = async (name: string, input: object) => {
    const result = await toolbox.call(name, input);
    return result.ok ? 'ok' : result.message;
  };
  expect(await codeOf('billing.refund_invoice', { amount: 100 })).toBe('ok');
  expect(await codeOf('billing.refund_invoice', { amount: 101 })).toContain('needs the approval of a second person');
  expect(await codeOf('billing.refund_invoice', { amount: 1000 })).toContain('needs the approval of a second person');
  expect(await codeOf('billing.refund_invoice', { amount: 1001 })).toBe(
    'Refunds over 1000 are made by the finance team.',
  );
  expect(await codeOf('mail.send', { to: 'ada@example.com' })).toBe('ok');
  for (const to of ['ada@evil.example', undefined, ['ada@example.com']]) {
    expect(await codeOf('mail.send', { to })).toBe('These arguments are not allowed here.');
  }
  await close();
});
