import { setImmediate } from 'node:timers/promises';
import { Test } from '@nestjs/testing';
import { KillSwitches, type ToolContext, ToolSearchModule, ToolSearchService } from '@tool-search/core';
import { ToolCallRecords } from '@tool-search/core/operators';
import { FakeSource } from '@tool-search/core/testing';
import { ToolAdminModule } from '../tool-admin.module.js';

it('explains a recorded decision over HTTP after the reason for it is gone', async () => {
  const imports = [
    ToolSearchModule.forRoot({
      context: ({ headers }: { headers: Record<string, string> }): ToolContext => JSON.parse(headers['x-user'] ?? ''),
      sources: [new FakeSource('crm', ['find'])],
    }),
    ToolAdminModule.forRoot({ path: 'admin/tools', guards: [] }),
  ];
  const app = (await Test.createTestingModule({ imports }).compile()).createNestApplication({ logger: false });
  await app.listen(0, '127.0.0.1');
  const ask = async (body: object) => {
    const headers = {
      'x-user': JSON.stringify({ tenantId: 'ops', userId: 'olga', admin: true }),
      'content-type': 'application/json',
    };
    const url = `${await app.getUrl()}/admin/tools/explain/past`;
    const response = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) });
    return JSON.parse(await response.text());
  };
  const context = { tenantId: 'acme', userId: 'ada', runId: 'r1' };
  const switches = app.get(KillSwitches);
  const { killSwitch } = await switches.engage({ kind: 'tool', value: 'crm.find', actor: 'olga', reason: 'incident' });
  await app.get(ToolSearchService).open(context).call('crm.find', {});
  const [call] = await app.get(ToolCallRecords).list({ kind: 'call' }, { limit: 1 });
  // A release in the millisecond of the call would count as made before it.
  while (Date.now() === call?.at) await setImmediate();
  await switches.release(killSwitch.id, { actor: 'olga', reason: 'over', expectedRevision: killSwitch.revision });
  const past = await ask({ tool: 'crm.find', context, at: call?.at });
  expect(past).toMatchObject({ outcome: 'deny', record: call?.id });
  expect(past.layers).toContainEqual({
    layer: 'kill_switch',
    verdict: 'deny',
    rule: killSwitch.id,
    reason: 'incident',
  });
  const other = await ask({ tool: 'crm.find', context: { ...context, userId: 'bob' }, at: call?.at });
  expect(other).toMatchObject({ status: 404, code: 'NOT_FOUND' });
  for (const at of [-1, 1.5, 'now', Date.now() + 60_000]) {
    expect(await ask({ tool: 'crm.find', context, at })).toMatchObject({ code: 'INVALID_REQUEST' });
  }
  await app.close();
});
