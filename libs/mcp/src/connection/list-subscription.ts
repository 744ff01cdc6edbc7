import { setTimeout as delay } from 'node:timers/promises';
import type { Client, McpSubscription } from '@modelcontextprotocol/client';

const ACKNOWLEDGE_MS = 2_000;
const MIN_WAIT_MS = 1_000;
const MAX_WAIT_MS = 60_000;

/**
 * Calls `changed` whenever the server announces a changed tool list, until `signal` aborts. Servers of the 2025-11-25
 * revision announce changes without a subscription; newer ones need one. A broken subscription is renewed after 1 s,
 * doubling up to 60 s, and counts as a change, because announcements may have been missed. Resolves when the first
 * subscription is established or has failed.
 */
export async function followToolList(client: Client, changed: () => void, signal: AbortSignal): Promise<void> {
  client.setNotificationHandler('notifications/tools/list_changed', () => changed());
  if (client.getProtocolEra() !== 'modern' || !client.getServerCapabilities()?.tools?.listChanged) return;
  void keepUp(client, await subscribe(client, signal), changed, signal);
}

function subscribe(client: Client, signal: AbortSignal): Promise<McpSubscription | undefined> {
  return client.listen({ toolsListChanged: true }, { timeout: ACKNOWLEDGE_MS, signal }).catch(() => undefined);
}

async function keepUp(
  client: Client,
  first: McpSubscription | undefined,
  changed: () => void,
  signal: AbortSignal,
): Promise<void> {
  let subscription = first;
  let waitMs = MIN_WAIT_MS;
  while (!signal.aborted) {
    const since = performance.now();
    await subscription?.closed;
    if (signal.aborted) return;
    changed();
    await delay(waitMs, undefined, { signal, ref: false }).catch(() => undefined);
    waitMs = performance.now() - since > MAX_WAIT_MS ? MIN_WAIT_MS : Math.min(waitMs * 2, MAX_WAIT_MS);
    if (!signal.aborted) subscription = await subscribe(client, signal);
  }
}
