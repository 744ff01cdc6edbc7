import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { isToolSearchError, type ToolCall } from '@tool-search/core';

const LOOK_EVERY_MS = 500;
/** Time that is left for a call after the user has connected. */
const SPARE_MS = 5_000;

/**
 * Shows the caller the address of a connection, if the caller's client opens addresses, and waits until the account is
 * connected or the call's time is nearly over.
 *
 * @param error the reason why the call cannot run
 * @param isConnected looks whether the account is connected
 * @returns whether the call can run now
 */
export async function askToConnect(
  source: string,
  error: unknown,
  call: ToolCall,
  signal: AbortSignal,
  isConnected: () => Promise<boolean>,
): Promise<boolean> {
  const url = isToolSearchError(error) && error.code === 'CREDENTIALS_REQUIRED' ? error.connectUrl : undefined;
  if (url === undefined || !call.ask || !call.asks?.includes('elicitation/create')) return false;
  const params = {
    mode: 'url',
    url,
    elicitationId: randomUUID(),
    message: `${source}: connect your account to go on.`,
  };
  try {
    const { connect } = await call.ask({ connect: { method: 'elicitation/create', params } });
    if (connect?.['action'] !== 'accept') return false;
  } catch (asked) {
    signal.throwIfAborted();
    // The client does not open addresses: the answer of the call names it.
    if (isToolSearchError(asked) && asked.code === 'INPUT_REQUIRED') return false;
    throw asked;
  }
  while (Date.now() < call.deadline - SPARE_MS) {
    if (await isConnected()) return true;
    await delay(LOOK_EVERY_MS, undefined, { signal });
  }
  return false;
}
