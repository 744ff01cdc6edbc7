import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** State of the server's process, sent on request. */
export interface ProcessState {
  /** Delay of the event loop since the previous request, in milliseconds. */
  readonly delayP50Ms: number;
  readonly delayP99Ms: number;
  readonly delayMaxMs: number;
  readonly cpuMs: number;
  readonly rssMb: number;
  /** Maximum resident memory so far. */
  readonly peakRssMb: number;
  /** After a garbage collection. */
  readonly heapMb: number;
}

// The reference server as started by `npm start`; reports its state to its parent process.

const RESOLUTION_MS = 5;
const delay = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
const late = (nanoseconds: number) => Math.max(0, Math.round(nanoseconds / 1e6 - RESOLUTION_MS));
const megabytes = (bytes: number) => Math.round(bytes / 1e6);

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

function state(): ProcessState {
  const { user, system } = process.cpuUsage();
  const rssMb = megabytes(process.memoryUsage.rss());
  const delays = {
    delayP50Ms: late(delay.percentile(50)),
    delayP99Ms: late(delay.percentile(99)),
    delayMaxMs: late(delay.max),
  };
  collect();
  const { heapUsed } = process.memoryUsage();
  // Linux counts in units of 1024 bytes.
  const peakRssMb = megabytes(process.resourceUsage().maxRSS * 1024);
  return {
    ...delays,
    cpuMs: Math.round((user + system) / 1000),
    rssMb,
    peakRssMb,
    heapMb: megabytes(heapUsed),
  };
}

process.on('message', () => {
  process.send?.(state());
  delay.reset();
});
process.channel?.unref();
delay.enable();

require('../../src/main.js');
