import 'reflect-metadata';
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Adapter, createApplication } from './application.js';

/** Finds, calls and disables a tool over HTTP, then checks the state after a restart with the same SQLite file. */
export async function journey(adapter: Adapter): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'tool-search-journey-'));
  const database = join(folder, 'tools.sqlite');
  try {
    const revision = await using(adapter, database, findCallAndKill);
    await using(adapter, database, (send) => releaseAfterRestart(send, revision));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const REFUND = { name: 'billing.refund', arguments: { invoiceId: 'inv_1', amount: 5 } };
const TARGET = { kind: 'tool', value: 'billing.refund' };

async function findCallAndKill(send: Send): Promise<number> {
  const found = await send('agent/search', { query: 'give money back' });
  assert.ok(JSON.stringify(found).includes('billing.refund'), JSON.stringify(found));
  assert.equal(textOf(await send('agent/call', REFUND)), 'acme gave back 5 euros of inv_1');
  assert.equal(await listed(send), 'billing.refund');
  const payout = { name: 'billing.pay_out', arguments: { iban: 'DE02', cents: 7 } };
  assert.equal(textOf(await send('agent/call', payout)), 'acme paid 7 cents to DE02');
  const wrong = await send('agent/call', { name: 'billing.pay_out', arguments: { iban: 'DE02', cents: -7 } });
  assert.equal((wrong as Answer).ok, false);
  const killed = await send('admin/tools/kill-switches', { ...TARGET, reason: 'an incident' });
  assert.equal(((await send('agent/call', REFUND)) as Answer).code, 'TOOL_NOT_AVAILABLE');
  return (killed as { killSwitch: { revision: number } }).killSwitch.revision;
}

async function releaseAfterRestart(send: Send, expectedRevision: number): Promise<void> {
  assert.equal(((await send('agent/call', REFUND)) as Answer).code, 'TOOL_NOT_AVAILABLE');
  assert.equal(await listed(send), 'billing.pay_out');
  await send('admin/tools/kill-switches/release', { ...TARGET, expectedRevision, reason: 'the incident is over' });
  assert.equal(await listed(send), 'billing.pay_out, billing.refund');
  const trail = (await send('admin/tools/audit/verify')) as { entries?: number };
  assert.equal(trail.entries, 2, JSON.stringify(trail));
}

// Returns one string: `deepEqual` distinguishes arrays of Jest's realm from those of this one.
async function listed(send: Send): Promise<string> {
  return ((await send('agent/tools')) as string[]).toSorted().join(', ');
}

type Send = (path: string, body?: object) => Promise<unknown>;

interface Answer {
  readonly ok: boolean;
  readonly code?: string;
  readonly content?: readonly { readonly text: string }[];
}

function textOf(answer: unknown): string | undefined {
  const { ok, content } = answer as Answer;
  return ok ? content?.[0]?.text : JSON.stringify(answer);
}

async function using<T>(adapter: Adapter, database: string, work: (send: Send) => Promise<T>): Promise<T> {
  const app = await createApplication(adapter, { database });
  await app.listen(0, '127.0.0.1');
  const url = await app.getUrl();
  try {
    return await work(async (path, body) => {
      const response = await fetch(`${url}/${path}`, {
        method: body ? 'POST' : 'GET',
        headers: {
          'x-tenant': 'acme',
          'x-session': 's1',
          ...(path.startsWith('admin') && { 'x-operator': 'olga' }),
          ...(body && { 'content-type': 'application/json' }),
        },
        body: body && JSON.stringify(body),
      });
      const answer: unknown = await response.json();
      assert.ok(response.ok, `${path}: ${response.status} ${JSON.stringify(answer)}`);
      return answer;
    });
  } finally {
    await app.close();
  }
}
