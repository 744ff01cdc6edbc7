import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { clientOf } from '../start.js';

/** Starts the compiled server beside this file in a process of its own, on a free port. Returns its address. */
async function startInstance(children: ChildProcess[]): Promise<string> {
  const file = join(dirname(process.argv[1] ?? ''), 'several-instances', 'server.js');
  const child = spawn(process.execPath, [file], {
    env: { ...process.env, PORT: '0' },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  children.push(child);
  return new Promise((resolve, reject) => {
    createInterface({ input: child.stdout }).on('line', (line) => {
      const found = /^listening on (\S+)$/.exec(line)?.[1];
      if (found !== undefined) resolve(found);
    });
    child.once('exit', (code) => reject(new Error(`an instance ended with ${code}`)));
  });
}

async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null) return;
  const ended = once(child, 'exit');
  child.kill('SIGTERM');
  await ended;
}

export async function main(say: (line: string) => void = console.log): Promise<void> {
  const children: ChildProcess[] = [];
  try {
    const [first, second] = [await startInstance(children), await startInstance(children)];
    const ada = [clientOf(first, 'ada-token'), clientOf(second, 'ada-token')] as const;
    const olga = clientOf(first, 'olga-token');

    // Three an hour for each user, on all instances together.
    const calls = [];
    for (const each of [0, 1, 0, 1] as const) calls.push(await ada[each].call('billing.refund'));
    say(`ada calls each instance in turn: ${calls.join(', ')}`);

    const target = { kind: 'tool', value: 'billing.refund', reason: 'an incident' };
    // Waits until every live instance obeys.
    const { body } = await olga.post('admin/tools/kill-switches?waitMs=30000', target);
    say(`olga turns it off at one instance: ${body.instances.length} obey, ${body.pending.length} do not yet`);
    say(`ada, at the other one: ${await ada[1].call('billing.refund')}`);
    const audit = await clientOf(second, 'olga-token').get('admin/tools/audit/verify');
    say(`the audit trail, read at the other one: ${audit.body.entries} entry, valid: ${audit.body.valid}`);
  } finally {
    await Promise.all(children.map(stop));
  }
}
