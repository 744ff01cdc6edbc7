import { byTurns } from '../support/tier.cjs';
import { wireName } from '@tool-search/core/adapter';
import { say, type ScriptedDecision, ScriptedModel, type ScriptedStep } from '@tool-search/core/testing';
import type { AdapterDriver, Script, ScriptedTurn } from '../support/adapters/adapter-driver.js';
import { ADAPTER_DRIVERS } from '../support/adapters/drivers.js';
import { openShop, type Shop } from '../support/adapters/shop.js';

const MODES = ['all', 'deferred', 'bridge', 'native', 'auto'] as const;
type Mode = (typeof MODES)[number];

let driver: AdapterDriver;
let shop: Shop;
beforeEach(async () => {
  shop = await openShop();
});
afterEach(() => shop.world.close());

const converse = (mode: Mode, steps: readonly ScriptedStep[], toolbox = shop.world.toolbox) =>
  driver.run(toolbox, { mode, prompt: 'Do what is to be done.', script: new ScriptedModel(steps).reply });
const executed = () => shop.executed.map(({ tool, arguments: input }) => [tool, input]);
const shows = ({ tools }: ScriptedTurn, tool: string) =>
  tools.some(({ name }) => [tool, wireName(tool), wireName(tool, 128)].includes(name));
/** Passes the text of the previous call's result, as the model reads it. */
const read = (use: (text: string) => ScriptedStep | readonly ScriptedStep[]): ScriptedDecision => {
  return ({ results }) => use(results.at(-1)?.text ?? '');
};
const idIn = (text: string) => /(?:customer|invoice)-of-[\w-]+/.exec(text)?.[0] ?? `nothing in ${text}`;
const codesIn = (turns: readonly ScriptedTurn[]) =>
  turns.flatMap(({ results }) =>
    results.flatMap(({ text }) =>
      driver.answersUnlisted?.test(text)
        ? 'TOOL_NOT_AVAILABLE'
        : (/\b(?:TOOL|GATE|INVALID)_[A-Z_]+\b/.exec(text)?.[0] ?? []),
    ),
  );
/** Whether calls of tools that are not listed reach the toolbox. */
const runsUnlisted = (mode: Mode) => driver.answersUnlisted === undefined || mode === 'all';
/** A result without the name that an SDK repeats when it answers a call itself. */
const unechoed = ({ text }: { readonly text: string }) =>
  driver.answersUnlisted ? text.replace(driver.answersUnlisted, 'No such tool') : text;

describe.each(Object.entries(ADAPTER_DRIVERS))('%s', (name, open) => {
  const turn = Object.keys(ADAPTER_DRIVERS).indexOf(name);
  beforeAll(async () => {
    driver = await open();
  });
  afterAll(() => driver.close?.());

  describe.each(byTurns(MODES, turn))('in mode %s', (mode) => {
    it('does a task of three tools, each fed with what the one before gave', async () => {
      const { answer, turns } = await converse(mode, [
        say.search('find a customer by name'),
        say.call('crm.find_customer', { name: 'ada' }),
        read((text) => [
          say.call('billing.list_invoices', { customer: idIn(text) }),
          read((found) => [
            say.call('billing.refund_invoice', { invoice: idIn(found) }),
            read((said) => say.answer(said)),
          ]),
        ]),
      ]);
      expect(answer).toBe('refunded invoice-of-customer-of-ada');
      expect(executed()).toEqual([
        ['crm.find_customer', { name: 'ada' }],
        ['billing.list_invoices', { customer: 'customer-of-ada' }],
        ['billing.refund_invoice', { invoice: 'invoice-of-customer-of-ada' }],
      ]);
      // Guards, events and spans get the actual tools, even if they were called through a meta tool.
      const called = shop.world.eventsOf('tool.called').map(({ tool, outcome }) => [tool, outcome]);
      expect(called).toEqual(shop.executed.map(({ tool }) => [tool, 'ok']));
      const isHeldBack = mode !== 'all';
      expect(shows(turns[0]!, 'billing.refund_invoice')).toBe(!isHeldBack);
      expect(turns[0]!.tools.some(({ name }) => name === 'tool_search')).toBe(isHeldBack);
    });

    it('calls several tools in one step and gets the results in the order of the calls', async () => {
      const { turns } = await converse(mode, [
        say.parallel(
          say.call('crm.find_customer', { name: 'ada' }),
          say.call('billing.list_invoices', { customer: 'c7' }),
          say.call('crm.find_customer', { name: 'grace' }),
        ),
        say.answer('ok'),
      ]);
      expect(executed()).toEqual([
        ['crm.find_customer', { name: 'ada' }],
        ['billing.list_invoices', { customer: 'c7' }],
        ['crm.find_customer', { name: 'grace' }],
      ]);
      expect(turns.at(-1)!.results.map(({ text }) => idIn(text))).toEqual([
        'customer-of-ada',
        'invoice-of-c7',
        'customer-of-grace',
      ]);
    });

    it('answers that no tool was found, and calls none', async () => {
      const { answer, turns } = await converse(mode, [say.search('zzyzx quux'), say.answer('There is no such tool.')]);
      expect(answer).toBe('There is no such tool.');
      expect(executed()).toEqual([]);
      expect(turns).toHaveLength(mode === 'all' ? 1 : 2);
      const found = turns.at(-1)!.results.map(({ text }) => text);
      // A provider whose format allows no message responds with an empty list.
      if (mode !== 'all') expect(found).toEqual([expect.stringMatching(/none|no tool|nothing|^\[\]$/i)]);
    });

    it('refuses a hidden tool as it refuses one that never was', async () => {
      const { turns } = await converse(mode, [
        say.blindly('vault.read_globex_ledger'),
        say.blindly('vault.read_nobodys_ledger'),
        say.answer('ok'),
      ]);
      expect(executed()).toEqual([]);
      expect(codesIn(turns)).toEqual(['TOOL_NOT_AVAILABLE', 'TOOL_NOT_AVAILABLE']);
      const [hidden, unknown] = turns.slice(1).map(({ results }) => results.map(unechoed));
      expect(hidden).toEqual(unknown);
      expect(turns.some((turn) => shows(turn, 'vault.read_globex_ledger'))).toBe(false);
    });

    it('runs a visible tool that is not listed, or no SDK lets its call through', async () => {
      const { turns } = await converse(mode, [
        say.blindly('crm.add_note', { customer: 'c7', note: 'kind' }),
        say.blindly('crm.add_note', { customer: 'c7' }),
        say.answer('ok'),
      ]);
      expect(shows(turns[0]!, 'crm.add_note')).toBe(mode === 'all');
      if (!runsUnlisted(mode)) {
        expect(codesIn(turns)).toEqual(['TOOL_NOT_AVAILABLE', 'TOOL_NOT_AVAILABLE']);
        return expect(executed()).toEqual([]);
      }
      expect(executed()).toEqual([['crm.add_note', { customer: 'c7', note: 'kind' }]]);
      expect(turns[1]!.results.map(({ text }) => text)).toEqual(['noted']);
      expect(codesIn(turns)).toEqual(['INVALID_ARGUMENTS']);
    });

    it('takes a tool that is switched off in the middle of a run from the next step, and refuses it', async () => {
      const target = 'billing.refund_invoice';
      shop.whileClosing = () =>
        shop.world.killSwitches.engage({
          kind: 'tool',
          value: target,
          actor: 'olga',
          reason: 'books are closed',
        });
      const { turns } = await converse(mode, [
        say.call(target, { invoice: 'i1' }),
        say.call('crm.close_day'),
        say.blindly(target, { invoice: 'i2' }),
        say.search('refund an invoice'),
        say.answer('ok'),
      ]);
      expect(executed()).toEqual([
        [target, { invoice: 'i1' }],
        ['crm.close_day', {}],
      ]);
      const closed = turns.findIndex(({ results }) => results.some(({ text }) => text === 'closed'));
      expect(closed).toBeGreaterThan(0);
      // Bridge mode never lists a tool.
      expect(shows(turns[closed - 1]!, target)).toBe(mode !== 'bridge');
      expect(turns.slice(closed).some((turn) => shows(turn, target))).toBe(false);
      expect(codesIn(turns)).toEqual(['TOOL_NOT_AVAILABLE']);
      const after = turns
        .slice(closed + 1)
        .flatMap(({ instructions, results }) => [instructions, ...results.map(unechoed)]);
      expect(after.join()).not.toContain('refund_invoice');
    });

    it('keeps two tenants apart whose runs take turns', async () => {
      const takesTurns = turnTaking(2);
      const run = async (tenantId: string, other: string) => {
        const own = `vault.read_${tenantId}_ledger`;
        const model = new ScriptedModel([
          say.search('read the secret ledger'),
          say.call(own),
          say.blindly(`vault.read_${other}_ledger`),
          say.call('crm.find_customer', { name: tenantId }),
          say.answer(`ok ${tenantId}`),
        ]);
        const turn = takesTurns();
        const script: Script = async (shown) => {
          await turn.mine();
          const said = model.reply(shown);
          if ('text' in said) turn.done();
          return said;
        };
        const toolbox = shop.world.open({ tenantId, runId: `run-of-${tenantId}` });
        return driver.run(toolbox, { mode, prompt: 'Read the ledger.', script });
      };
      const [acme, globex] = await Promise.all([run('acme', 'globex'), run('globex', 'acme')]);
      for (const [{ answer, turns }, tenantId, other] of [
        [acme, 'acme', 'globex'],
        [globex, 'globex', 'acme'],
      ] as const) {
        expect(answer).toBe(`ok ${tenantId}`);
        expect(shop.executed.filter((call) => call.tenantId === tenantId).map(({ tool }) => tool)).toEqual([
          `vault.read_${tenantId}_ledger`,
          'crm.find_customer',
        ]);
        expect(codesIn(turns)).toEqual(['TOOL_NOT_AVAILABLE']);
        const shown = JSON.stringify(
          turns.map(({ tools, instructions, results }) => ({
            tools,
            instructions,
            // Results only: the script itself names the refused tool in its calls.
            results: results.map(unechoed),
          })),
        );
        expect(shown).toContain(`read_${tenantId}_ledger`);
        expect(shown).not.toContain(`read_${other}_ledger`);
        expect(shown).not.toContain(other === 'acme' ? 'gold' : 'silver');
      }
    });
  });
});

/** Runs several scripts in turns, step by step, until all are done. */
function turnTaking(count: number) {
  const waiting: (() => void)[] = [];
  let present = count;
  const next = () => {
    if (waiting.length >= present) waiting.shift()?.();
  };
  return () => ({
    mine: () =>
      new Promise<void>((resolve) => {
        waiting.push(resolve);
        next();
      }),
    done: () => {
      present -= 1;
      next();
    },
  });
}
