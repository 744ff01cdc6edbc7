import { setTimeout as delay } from 'node:timers/promises';
import type { Client, McpSubscription } from '@modelcontextprotocol/client';
import type { ItemList } from '../items/exposed-items.js';

type Filter = Parameters<Client['listen']>[0];

const ACKNOWLEDGE_MS = 2_000;
const MIN_WAIT_MS = 1_000;
const MAX_WAIT_MS = 60_000;

/**
 * Calls `changed` whenever the server announces that a list that is read has changed, until `signal` aborts. Servers of the 2025-11-25
 * revision announce changes without a subscription; newer ones need one. A broken subscription is renewed after 1 s,
 * doubling up to 60 s, and counts as a change, because announcements may have been missed. Resolves when the first
 * subscription is established or has failed.
 */
export async function followLists(
  client: Client,
  lists: readonly ItemList[],
  changed: () => void,
  signal: AbortSignal,
): Promise<void> {
  const has = (capability: ItemList['capability']) => lists.some((list) => list.capability === capability);
  client.setNotificationHandler('notifications/tools/list_changed', () => changed());
  if (has('resources')) client.setNotificationHandler('notifications/resources/list_changed', () => changed());
  if (has('prompts')) client.setNotificationHandler('notifications/prompts/list_changed', () => changed());
  if (client.getProtocolEra() !== 'modern') return;
  const { tools, resources, prompts } = client.getServerCapabilities() ?? {};
  const filter: Filter = {
    ...(tools?.listChanged && { toolsListChanged: true }),
    ...(resources?.listChanged && has('resources') && { resourcesListChanged: true }),
    ...(prompts?.listChanged && has('prompts') && { promptsListChanged: true }),
  };
  if (Object.keys(filter).length === 0) return;
  const subscribe = () => client.listen(filter, { timeout: ACKNOWLEDGE_MS, signal }).catch(() => undefined);
  void keepUp(subscribe, await subscribe(), changed, signal);
}

async function keepUp(
  subscribe: () => Promise<McpSubscription | undefined>,
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
    if (!signal.aborted) subscription = await subscribe();
  }
}
