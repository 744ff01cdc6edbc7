import { once } from 'node:events';
import { Agent, request } from 'node:http';
import { setTimeout } from 'node:timers/promises';
import { percentile } from '../measuring/measures.js';
import type { ServerProcess } from '../scenarios/server-process.js';
import type { ProcessState } from './measured-server.js';
import { type Kind, KINDS, type MixedRequest, MixedRequests } from './mixed-requests.js';

/** Cost of many concurrent connections, and memory in use afterwards. */
export interface MixedReport {
  readonly connections: number;
  readonly requests: number;
  readonly seconds: number;
  readonly requestsPerSecond: number;
  /** CPU milliseconds of the server per request, independent of other load on the machine. */
  readonly cpuMsPerRequest: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly kinds: Readonly<Record<Kind, { readonly p50Ms: number; readonly p99Ms: number }>>;
  /** Delay of the server's event loop. */
  readonly eventLoop: { readonly p50Ms: number; readonly p99Ms: number; readonly maxMs: number };
  /** Before, maximum, and ten seconds after. */
  readonly rssMb: { readonly before: number; readonly peak: number; readonly after: number };
  /** After a garbage collection, before and after the load. */
  readonly heapMb: { readonly before: number; readonly after: number };
}

const SETTLE_MS = 10_000;

/**
 * Sends this many requests; each connection sends its next request after the previous response. @throws Error for an
 * unsuccessful response
 */
export async function runMixed(server: ServerProcess, connections: number, count: number): Promise<MixedReport> {
  const agent = new Agent({ keepAlive: true, maxSockets: connections });
  await setTimeout(SETTLE_MS);
  const before = await stateOf(server);
  const times = new Map(KINDS.map((kind) => [kind, [] as number[]]));
  let begun = 0;
  const converse = async (connection: number): Promise<void> => {
    const requests = new MixedRequests(connection);
    while (begun++ < count) {
      const next = requests.next();
      const began = performance.now();
      const answer = await send(server.url, agent, next, `session-${connection}`);
      times.get(next.kind)?.push(performance.now() - began);
      requests.answered(next, answer);
    }
  };
  const began = performance.now();
  await Promise.all(Array.from({ length: connections }, (_, connection) => converse(connection)));
  const seconds = (performance.now() - began) / 1000;
  const loaded = await stateOf(server);
  agent.destroy();
  await setTimeout(SETTLE_MS);
  const after = await stateOf(server);
  const all = [...times.values()].flat();
  const latency = (known: readonly number[]) => ({
    p50Ms: rounded(percentile(known, 0.5)),
    p99Ms: rounded(percentile(known, 0.99)),
  });
  return {
    connections,
    requests: all.length,
    seconds: rounded(seconds),
    requestsPerSecond: rounded(all.length / seconds),
    cpuMsPerRequest: Number(((loaded.cpuMs - before.cpuMs) / all.length).toFixed(2)),
    ...latency(all),
    kinds: Object.fromEntries([...times].map(([kind, known]) => [kind, latency(known)])) as MixedReport['kinds'],
    eventLoop: { p50Ms: loaded.delayP50Ms, p99Ms: loaded.delayP99Ms, maxMs: loaded.delayMaxMs },
    rssMb: { before: before.rssMb, peak: loaded.peakRssMb, after: after.rssMb },
    heapMb: { before: before.heapMb, after: after.heapMb },
  };
}

function send(url: string, agent: Agent, mixed: MixedRequest, session: string): Promise<string> {
  const { path, token, body } = mixed;
  return new Promise((resolve, reject) => {
    const headers = { authorization: `Bearer ${token}`, 'x-session-id': session, 'content-type': 'application/json' };
    const sent = request(`${url}${path}`, { agent, headers, method: body === undefined ? 'GET' : 'POST' });
    sent.once('error', (error: NodeJS.ErrnoException) => {
      // The server closed the idle connection while the request was on its way, so it did not read the request.
      if (sent.reusedSocket && error.code === 'ECONNRESET') resolve(send(url, agent, mixed, session));
      else reject(error);
    });
    sent.once('response', (response) => {
      let text = '';
      response.setEncoding('utf8');
      response.on('data', (part: string) => (text += part));
      response.once('error', reject);
      response.once('end', () => {
        if (response.statusCode === 200) resolve(text);
        else reject(new Error(`${path} was answered ${response.statusCode}: ${text.slice(0, 300)}`));
      });
    });
    sent.end(body === undefined ? undefined : JSON.stringify(body));
  });
}

async function stateOf({ child }: ServerProcess): Promise<ProcessState> {
  const answer = once(child, 'message');
  child.send('state');
  const [state] = (await answer) as [ProcessState];
  return state;
}

function rounded(value: number): number {
  return Number(value.toFixed(1));
}
