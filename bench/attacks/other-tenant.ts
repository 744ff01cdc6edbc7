import { OTHER } from './attack.js';
import type { ServerProcess } from '../scenarios/server-process.js';

/** The latency and errors of another tenant meanwhile. */
export interface OtherTenant {
  /** Milliseconds of each response. */
  readonly times: readonly number[];
  /** Whether every request was answered with 200. */
  readonly served: boolean;
}

const EVERY_MS = 25;

const REQUESTS = [
  ['/toolbox'],
  ['/toolbox/search', { query: 'list the invoices that are paid' }],
  ['/toolbox/call', { name: 'billing.list_invoices', arguments: {} }],
] as const;

/** Sends requests of another tenant at a fixed rate, without waiting for responses, until `work` is done. */
export async function otherTenantDuring(
  { request }: Pick<ServerProcess, 'request'>,
  work: Promise<unknown>,
): Promise<OtherTenant> {
  const times: number[] = [];
  const running: Promise<boolean>[] = [];
  const send = async (): Promise<boolean> => {
    const [path, body] = REQUESTS[running.length % REQUESTS.length] ?? ['/toolbox'];
    const began = performance.now();
    // A request without a response is an effect of the attack: it belongs into the report.
    const status = await request(path, OTHER, body).then(
      (response) => response.status,
      () => 0,
    );
    times.push(performance.now() - began);
    return status === 200;
  };
  const timer = setInterval(() => running.push(send()), EVERY_MS);
  try {
    await work;
  } finally {
    clearInterval(timer);
  }
  return { served: (await Promise.all(running)).every(Boolean), times };
}
