const SIGNALS = ['SIGTERM', 'SIGINT', 'SIGHUP'] as const;

const groups = new Set<number>();

/** Whether the system has process groups; Windows has none, and there a process is ended without what it started. */
export const HAS_GROUPS = process.platform !== 'win32';

/** A group of processes that ends with this process, however that ends in order. @param pid of its leader */
export function keepGroup(pid: number): void {
  if (groups.size === 0) listen();
  groups.add(pid);
}

/** It has been ended. */
export function forgetGroup(pid: number): void {
  groups.delete(pid);
  if (groups.size === 0) unlisten();
}

/** Sends a signal to all processes of a group; whether there is still one. 0 only asks. */
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

// A group of its own does not get the signals of a terminal. Who else listens for the signal closes the application, which ends them
// in order, or exits; where nobody does, the signal ends this process at once, as it would without us. First in line and gone at once:
// others, signal-exit among them, end the process only where nobody but them listens.
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
