import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { percentile } from '../measuring/measures.js';
import { memberTable } from '../measuring/text-table.js';
import { crowd } from './speed/crowd.js';
import { GATEWAY_TOOLS } from './speed/gateway.app.js';
import { main } from '../command/command.js';
import { count } from '../command/options.js';

/** Cost of a call through the gateway, and what a crowd of clients meets. */
interface GatewayReport {
  readonly tools: number;
  readonly directP50Ms: number;
  /** Through a server and a client of the SDK that only pass the call on. */
  readonly proxyP50Ms: number;
  readonly gatewayP50Ms: number;
  readonly gatewayP99Ms: number;
  /** Gateway to proxy, of the medians. */
  readonly ratio: number;
  readonly clients: number;
  readonly errors: number;
  readonly leaks: number;
  /** Resident memory of the gateway's process after garbage collection, before the clients come. */
  readonly rssBeforeMb: number;
  /** After they have left and their sessions have ended. */
  readonly rssAfterMb: number;
  /** Heap and external memory in use at these two moments. */
  readonly usedBeforeMb: number;
  readonly usedAfterMb: number;
}

// V8 still compiles during the first 2,000 calls: each of the three servers gets twice as fast in that time.
const WARM_UP = 2_500;
// Longer than a session of the measured gateway lives without a request, and than the pause between two sweeps.
const FORGOTTEN_MS = 95_000;

interface Measured {
  readonly child: ChildProcess;
  readonly url: string;
}

async function started(role: string, target = ''): Promise<Measured> {
  const child = fork(join(__dirname, 'speed/measured-server.js'), [role, target], {
    execArgv: ['--expose-gc'],
    stdio: ['ignore', 2, 2, 'ipc'],
  });
  const [{ url }] = (await once(child, 'message')) as [{ url: string }];
  return { child, url };
}

async function connected(url: string): Promise<Client> {
  const client = new Client(
    { name: 'bench', version: '1.0.0' },
    { versionNegotiation: { mode: { pin: '2026-07-28' } } },
  );
  const requestInit = { headers: { authorization: 'Bearer tenant1.ada' } };
  await client.connect(new StreamableHTTPClientTransport(new URL(url), { requestInit }));
  return client;
}

/** Calls in turns, each time starting with another server, so that other load on the machine affects all alike. */
async function callTimes(urls: readonly (readonly [string, string])[], calls: number): Promise<readonly number[][]> {
  const clients = await Promise.all(urls.map(([url]) => connected(url)));
  const times = urls.map((): number[] => []);
  for (let turn = -WARM_UP; turn < calls; turn++) {
    for (let step = 0; step < urls.length; step++) {
      const at = (step + Math.abs(turn)) % urls.length;
      const started = performance.now();
      const answer = await clients[at]?.callTool({ name: urls[at]?.[1] ?? '', arguments: { words: `turn ${turn}` } });
      if (turn >= 0) times[at]?.push(performance.now() - started);
      if (!JSON.stringify(answer?.content).includes(`turn ${turn}`)) throw new Error('A call was not answered.');
    }
  }
  await Promise.all(clients.map((client) => client.close()));
  return times;
}

interface Memory {
  readonly rssMb: number;
  readonly usedMb: number;
}

async function memoryOf({ child }: Measured): Promise<Memory> {
  child.send('memory');
  const [{ rssMb, usedMb }] = (await once(child, 'message')) as [Memory];
  return { rssMb: Number(rssMb.toFixed(1)), usedMb: Number(usedMb.toFixed(1)) };
}

async function measure({ calls, clients }: { calls: number; clients: number }): Promise<GatewayReport> {
  const upstream = await started('upstream');
  const proxy = await started('proxy', upstream.url);
  const gateway = await started('gateway', upstream.url);
  try {
    const servers = [
      [upstream.url, 'echo'],
      [proxy.url, 'echo'],
      [gateway.url, 'up__echo'],
    ] as const;
    const [direct = [], proxied = [], governed = []] = await callTimes(servers, calls);
    // The first crowd fills pools, caches and compiled code.
    await crowd(gateway.url, clients);
    await delay(FORGOTTEN_MS);
    const before = await memoryOf(gateway);
    const measured = await crowd(gateway.url, clients);
    await delay(FORGOTTEN_MS);
    const after = await memoryOf(gateway);
    const rounded = (times: readonly number[], at: number) => Number(percentile(times, at).toFixed(2));
    return {
      tools: GATEWAY_TOOLS,
      directP50Ms: rounded(direct, 0.5),
      proxyP50Ms: rounded(proxied, 0.5),
      gatewayP50Ms: rounded(governed, 0.5),
      gatewayP99Ms: rounded(governed, 0.99),
      ratio: Number((percentile(governed, 0.5) / percentile(proxied, 0.5)).toFixed(3)),
      clients,
      ...measured,
      rssBeforeMb: before.rssMb,
      rssAfterMb: after.rssMb,
      usedBeforeMb: before.usedMb,
      usedAfterMb: after.usedMb,
    };
  } finally {
    for (const { child } of [gateway, proxy, upstream]) child.kill();
  }
}

main({
  purpose: 'What the gateway costs a call, beside a proxy that only passes it on, and what a crowd of clients meets.',
  options: { calls: count(2000), clients: count(1000) },
  run: measure,
  text: memberTable,
  fault: ({ errors, leaks }) => (errors + leaks > 0 ? `${errors} errors, ${leaks} leaks` : undefined),
});
