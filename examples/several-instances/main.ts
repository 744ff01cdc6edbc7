import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { clientOf } from '../start.js';

/** Starts the compiled server beside this file in a process of its own, on a free port. */
async function startInstance() {
  const file = join(dirname(process.argv[1] ?? ''), 'several-instances', 'server.js');
  const child = spawn(process.execPath, [file], {
    env: { ...process.env, PORT: '0' },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = once(child, 'exit').then(([code]) => Promise.reject(new Error(`an instance ended with ${code}`)));
  for await (const line of createInterface({ input: child.stdout })) {
    const url = /^listening on (\S+)$/.exec(line)?.[1];
    if (url !== undefined) {
      ended.catch(() => undefined);
      return { child, url };
    }
  }
  return ended;
}

async function stop(child: ChildProcess): Promise<void> {
  const ended = once(child, 'exit');
  child.kill('SIGTERM');
  await ended;
}

export async function main(say: (line: string) => void = console.log): Promise<void> {
  const instances = await Promise.all([startInstance(), startInstance()]);
  try {
    const [first, second] = instances;
    const ada = [clientOf(first.url, 'ada-token'), clientOf(second.url, 'ada-token')] as const;
    const olga = clientOf(first.url, 'olga-token');

    // Three an hour for each user, on all instances together.
    const calls = [];
    for (const each of [0, 1, 0, 1] as const) calls.push(await ada[each].call('billing.refund'));
    say(`ada calls each instance in turn: ${calls.join(', ')}`);

    const target = { kind: 'tool', value: 'billing.refund', reason: 'an incident' };
    // Waits until every live instance obeys.
    const { body } = await olga.post('admin/tools/kill-switches?waitMs=30000', target);
    say(`olga turns it off at one instance: ${body.instances.length} obey, ${body.pending.length} do not yet`);
    say(`ada, at the other one: ${await ada[1].call('billing.refund')}`);
    const audit = await clientOf(second.url, 'olga-token').get('admin/tools/audit/verify');
    say(`the audit trail, read at the other one: ${audit.body.entries} entry, valid: ${audit.body.valid}`);
  } finally {
    await Promise.all(instances.map(({ child }) => stop(child)));
  }
}
