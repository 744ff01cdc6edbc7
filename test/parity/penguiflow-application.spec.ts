import { type CanActivate, type ExecutionContext, Injectable, Logger, Module, UseGuards } from '@nestjs/common';
import { Test } from '@nestjs/testing';
import { Tool, toolCallOf, ToolEvents, ToolSearchModule, type ToolSearchModuleOptions } from '@tool-search/core';
import { KillSwitches, StoredPolicies, ToolPolicies, ToolSearchService } from '@tool-search/core';
import { FakeSource } from '@tool-search/core/testing';

/* What PenguiFlow does around a planner, in a whole application; rows PF-… of docs/parity.md. */

const ACME = { tenantId: 'acme', runId: 'r1' };
const BECAUSE = { actor: 'olga', reason: 'incident 7' };

async function started(options: Partial<ToolSearchModuleOptions> = {}, providers: (new () => object)[] = []) {
  @Module({
    imports: [
      ToolSearchModule.forRoot({
        context: () => ACME,
        exposure: 'deferred',
        sources: [new FakeSource('pay', ['charge', 'refund', 'list'])],
        ...options,
      }),
    ],
    providers,
  })
  class App {}
  const module = await Test.createTestingModule({ imports: [App] })
    .setLogger(false as never)
    .compile();
  return module.init();
}
const namesOf = (tools: readonly { readonly name: string }[]) => tools.map(({ name }) => name);

describe('a guard of a tool', () => {
  let offered: readonly string[] | undefined;

  @Injectable()
  class OnlyBesideRefunds implements CanActivate {
    async canActivate(execution: ExecutionContext) {
      offered = namesOf((await toolCallOf(execution)?.availableTools()) ?? []);
      return offered.includes('pay.refund');
    }
  }

  @Injectable()
  class Desk {
    @UseGuards(OnlyBesideRefunds)
    @Tool({ namespace: 'desk', description: 'Open the till.' })
    open() {
      return 'open';
    }
  }

  it('is told which other tools the caller may use now, after policies, switches and narrowing', async () => {
    const module = await started({ policy: { deny: ['pay.charge'] } }, [Desk]);
    const toolbox = module.get(ToolSearchService).open(ACME);
    expect(await toolbox.call('desk.open', {})).toMatchObject({ ok: true });
    expect(offered).toEqual(['desk.open', 'pay.list', 'pay.refund']);
    expect(await toolbox.narrow({ deny: ['pay.refund'] }).call('desk.open', {})).toMatchObject({
      ok: false,
      code: 'TOOL_FORBIDDEN',
    });
    expect(offered).toEqual(['desk.open', 'pay.list']);
    await module.get(KillSwitches).engage({ kind: 'tool', value: 'pay.list', ...BECAUSE });
    await module.get(ToolSearchService).open(ACME).call('desk.open', {});
    expect(offered).toEqual(['desk.open', 'pay.refund']);
    await module.close();
  });
});

describe('the policy of the module', () => {
  it('is read once, at boot: what is changed afterwards is a stored policy', async () => {
    const deny = ['pay.charge'];
    const policy = { deny };
    const module = await started({ policy });
    const visible = async () => namesOf(await module.get(ToolSearchService).open(ACME).visible());
    expect(await visible()).toEqual(['pay.list', 'pay.refund']);
    deny.length = 0;
    Object.assign(policy, { allow: [], requireTags: ['money'] });
    expect(await visible()).toEqual(['pay.list', 'pay.refund']);
    const stored = module.get(StoredPolicies);
    await stored.set({ tenantId: 'acme' }, { deny: ['pay.list'] }, BECAUSE);
    expect(await visible()).toEqual(['pay.refund']);
    module.get(ToolPolicies).setTenant('acme', { deny: ['pay.refund'] });
    expect(await visible()).toEqual([]);
    await module.close();
  });

  it('counts what it removes, and names it for operators while the log level is debug', async () => {
    const enabled = jest.spyOn(Logger, 'isLevelEnabled');
    const debug = jest.spyOn(Logger.prototype, 'debug').mockImplementation(() => undefined);
    for (const isDebugging of [false, true]) {
      enabled.mockImplementation((level) => isDebugging && level === 'debug');
      debug.mockClear();
      const sources = [
        new FakeSource(
          'many',
          Array.from({ length: 120 }, (_, id) => `t${100 + id}`),
        ),
      ];
      const module = await started({ policy: { deny: ['many.*'] }, sources });
      const events: object[] = [];
      module.get(ToolEvents).on('policy.filtered', (event) => void events.push(event));
      await module.get(ToolSearchService).open(ACME).visible();
      const names = Array.from({ length: 100 }, (_, id) => `many.t${100 + id}`);
      expect(events).toEqual([
        {
          type: 'policy.filtered',
          at: expect.any(Number),
          tenantId: 'acme',
          runId: 'r1',
          layer: 'policy',
          removed: 120,
          visible: 0,
          ...(isDebugging && { tools: names }),
        },
      ]);
      const lines = debug.mock.calls.map(([line]) => line as object);
      expect(lines).toEqual(isDebugging ? [expect.objectContaining({ removed: 120, tools: names })] : []);
      await module.close();
    }
    jest.restoreAllMocks();
  });
});

describe('receipts without a secret', () => {
  it('are warned of at boot, and no other setting is', async () => {
    const warn = jest.spyOn(Logger.prototype, 'warn').mockImplementation(() => undefined);
    for (const [activation, isWarned] of [
      [{ storage: 'messages' }, true],
      [{ storage: 'messages', receiptSecret: 'sixteen letters!' }, false],
      [{ storage: 'store' }, false],
      [{}, false],
    ] as const) {
      warn.mockClear();
      await (await started({ activation })).close();
      const lines = warn.mock.calls.filter(([line]) => String(line).includes('receiptSecret'));
      expect(lines).toHaveLength(isWarned ? 1 : 0);
    }
    jest.restoreAllMocks();
  });
});
