import type { LoggingLevel } from '@modelcontextprotocol/server';
import type { CallOptions } from '@tool-search/core/internal';
import type { PausableParts } from './paused-calls.js';

const LEVELS: readonly string[] = ['debug', 'info', 'notice', 'warning', 'error', 'critical', 'alert', 'emergency'];

/** Options of a call that report to and ask its client, on the stream of the newest request. */
export function callOptions({ signal, input, context }: Omit<PausableParts, 'checked'>): CallOptions {
  return {
    signal,
    input,
    onProgress: (update) => {
      const { _meta, notify } = context().mcpReq;
      const progressToken = _meta?.progressToken;
      if (progressToken === undefined) return;
      // Progress is optional: a client that is gone must not fail the call.
      notify({ method: 'notifications/progress', params: { progressToken, ...update } }).catch(() => undefined);
    },
    onLog: ({ level, data, logger }) => {
      if (!LEVELS.includes(level)) return;
      context()
        .mcpReq.log(level as LoggingLevel, data, logger)
        .catch(() => undefined);
    },
  };
}
