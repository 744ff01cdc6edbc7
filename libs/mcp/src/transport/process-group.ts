const SIGNALS = ['SIGTERM', 'SIGINT', 'SIGHUP'] as const;

const groups = new Set<number>();

/** Windows has no process groups: there only the process itself is ended, not its children. */
export const HAS_GROUPS = process.platform !== 'win32';

/**
 * Ends a process group when this process exits or receives SIGTERM, SIGINT or SIGHUP.
 *
 * @param pid process id of the group's leader
 */
export function keepGroup(pid: number): void {
  if (groups.size === 0) listen();
  groups.add(pid);
}

/** Called when a group has ended, so that a reused process id is not killed. */
export function forgetGroup(pid: number): void {
  groups.delete(pid);
  if (groups.size === 0) unlisten();
}

/** Sends a signal to all processes of a group; `0` only checks. Returns whether the group still exists. */
export function signalGroup(pid: number, signal: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(HAS_GROUPS ? -pid : pid, signal);
  } catch {
    return false;
  }
}

function endAll(): void {
  for (const pid of groups) signalGroup(pid, 'SIGKILL');
}

// A separate process group does not receive the terminal's signals. If others listen for the signal, they close the
// application, which ends the groups. Otherwise this handler ends the groups and lets the signal end the process, as it
// would without the handler. It runs first and removes itself at once, because listeners such as signal-exit end the
// process only if they are the only ones.
function onSignal(signal: NodeJS.Signals): void {
  process.off(signal, onSignal);
  if (process.listenerCount(signal) > 0) return;
  endAll();
  unlisten();
  process.kill(process.pid, signal);
}

function listen(): void {
  process.on('exit', endAll);
  for (const signal of SIGNALS) process.prependListener(signal, onSignal);
}

function unlisten(): void {
  process.off('exit', endAll);
  for (const signal of SIGNALS) process.off(signal, onSignal);
}
