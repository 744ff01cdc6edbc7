import type { Interaction } from './interaction.js';
import { settled } from './page-faults.js';
import { ADA, type ConsoleRun, decide, open, REFUND, shows, TOKENS, typeContext, until } from './run.js';

const NOTE = 'Tell her that it takes two days.';
const SMALL = { invoiceId: 'inv_1001', amount: 1, reason: 'check' };
const LARGE = { ...SMALL, amount: 900 };

/** A policy with one rule on the amount of a refund. */
function onAmounts(then: 'deny' | 'approve') {
  const when = { required: ['amount'], properties: { amount: { exclusiveMinimum: 500 } } };
  const rule = {
    id: 'large-refund',
    tools: ['billing.refund_*'],
    when,
    then,
    reason: 'refunds over 500 are looked at',
  };
  return { arguments: [rule] };
}

/** Types the policy of acme into the form of its row, and sets it. */
async function changePolicy({ page }: ConsoleRun, policy: object, reason: string): Promise<void> {
  await open(page, 'policies', 'Access policies');
  await page.locator('tr', { hasText: 'acme' }).getByRole('button', { name: 'Edit' }).click();
  await page.fill('textarea[name=policy]', JSON.stringify(policy));
  // The dry run of the earlier text is shown until that of this one is asked for.
  await settled(page);
  await shows(page, /would have refused \d+ of [1-9]\d*/);
  await page.getByRole('button', { name: 'Change…' }).click();
  await decide(page, reason);
  await page.locator('tr', { hasText: reason }).waitFor();
}

/** Waits until calls of ada end on each instance as they should. */
async function endOnEach(run: ConsoleRun, input: object, session: string, isMeant: (code: string) => boolean) {
  await until(`calls in the session ${session} end so on each instance`, async () =>
    (await run.call(TOKENS.ada, REFUND, input, session)).every(isMeant),
  );
}

/** The interactions about what one call would do. They begin and end without a policy of acme. */
export const ON_ARGUMENTS: readonly Interaction[] = [
  {
    name: 'approvals: one call with all its arguments, approved with a note that its model reads, runs once',
    run: async (run) => {
      const { page, servers } = run;
      const input = { ...SMALL, reason: 'write to ada@example.com' };
      const isWaiting = (code: string) => code.startsWith('APPROVAL_');
      await run.admin('policies/tenants/acme', { policy: { approval: [REFUND] }, reason: 'each call' });
      await endOnEach(run, input, 'one-call', isWaiting);
      await open(page, 'approvals', 'Approvals');
      const row = page.locator('tr', { hasText: 'one-call' });
      await row.getByText('one call in the session').waitFor();
      await row.getByText('invoiceId: "inv_1001"').waitFor();
      await row.getByText('reason: "write to').waitFor();
      if ((await row.innerText()).includes('ada@example.com')) throw new Error('the arguments are not redacted');
      await row.getByRole('button', { name: 'Approve…' }).click();
      const dialog = page.locator('dialog[open]');
      await dialog.getByText('one call with exactly these arguments').waitFor();
      await dialog.getByText('amount: 1').waitFor();
      await dialog.locator('input[name=note]').fill(NOTE);
      await decide(page, 'checked the invoice');
      await row.waitFor({ state: 'detached' });
      const other = await run.call(TOKENS.ada, REFUND, { ...input, amount: 2 }, 'one-call');
      if (!other.every(isWaiting)) throw new Error(`calls with other arguments ended with ${other.join(', ')}`);
      const call = { name: REFUND, arguments: input };
      const done = await servers[0]?.request('/toolbox/call', TOKENS.ada, call, { 'x-session-id': 'one-call' });
      if (!String(done?.body['note']).includes(NOTE))
        throw new Error(`the call answered ${JSON.stringify(done?.body).slice(0, 200)}`);
      const again = await run.call(TOKENS.ada, REFUND, input, 'one-call');
      if (!again.every(isWaiting)) throw new Error(`repeats of the call ended with ${again.join(', ')}`);
    },
  },
  {
    name: 'a rule on an amount: its dry run, set in the form, refuses calls above it on each instance, and says why',
    run: async (run) => {
      const { page } = run;
      await open(page, 'policies', 'Access policies');
      await run.call(TOKENS.ada, REFUND, LARGE, 'recorded');
      await page.locator('tr', { hasText: 'acme' }).getByRole('button', { name: 'Edit' }).click();
      await page.fill('textarea[name=policy]', JSON.stringify(onAmounts('deny')));
      await shows(page, /would have refused [1-9]\d* of [1-9]\d*/);
      await changePolicy(run, onAmounts('deny'), 'finance makes large refunds');
      await endOnEach(run, LARGE, 'refused', (code) => code === 'ARGUMENTS_NOT_ALLOWED');
      const small = await run.call(TOKENS.ada, REFUND, SMALL, 'refused');
      if (small.some((code) => code !== 'ok')) throw new Error(`small refunds ended with ${small.join(', ')}`);
      await open(page, 'explain', 'Why not?');
      await typeContext(page, 'left', ADA);
      await page.fill('input[name=tool]', REFUND);
      await page.locator('summary', { hasText: 'checks pass' }).click();
      await shows(page, 'it depends on the arguments');
      await page.fill('textarea[name=arguments]', JSON.stringify(LARGE));
      const outcome = page.locator('p.outcome-deny', { hasText: 'rules on arguments' });
      await outcome.getByText('refunds over 500 are looked at').waitFor();
      await page.fill('textarea[name=arguments]', JSON.stringify(SMALL));
      await page.locator('p.outcome-allow').waitFor();
    },
  },
  {
    name: 'the same rule asks for an approval instead: of calls above the amount only, which operators see with its name',
    run: async (run) => {
      const { page } = run;
      await changePolicy(run, onAmounts('approve'), 'somebody looks at large refunds');
      await endOnEach(run, LARGE, 'asked', (code) => code.startsWith('APPROVAL_'));
      const small = await run.call(TOKENS.ada, REFUND, SMALL, 'asked');
      if (small.some((code) => code !== 'ok')) throw new Error(`small refunds ended with ${small.join(', ')}`);
      await open(page, 'explain', 'Why not?');
      await typeContext(page, 'left', ADA);
      await page.fill('input[name=tool]', REFUND);
      await page.fill('textarea[name=arguments]', JSON.stringify(LARGE));
      await page.locator('p.outcome-approve', { hasText: 'refunds over 500 are looked at' }).waitFor();
      await open(page, 'approvals', 'Approvals');
      const row = page.locator('tr', { hasText: 'session asked' });
      await row.getByText('arguments:large-refund').waitFor();
      await row.getByText('amount: 900').waitFor();
      await row.getByRole('button', { name: 'Refuse…' }).click();
      await decide(page, 'not without the customer');
      await endOnEach(run, LARGE, 'asked', (code) => code === 'APPROVAL_REFUSED');
      await open(page, 'policies', 'Access policies');
      await page.locator('tr', { hasText: 'large refunds' }).getByRole('button', { name: 'Remove…' }).click();
      await decide(page, 'the test is over');
      await shows(page, /No access policy is stored/);
    },
  },
];
