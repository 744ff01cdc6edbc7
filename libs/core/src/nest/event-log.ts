import { Logger } from '@nestjs/common';
import { ToolEvents } from '../tool/tool-event.js';

/** The application's events; what an operator must know is written to Nest's log as well. */
export function loggedEvents(): ToolEvents {
  const logger = new Logger('ToolSearch');
  const events = new ToolEvents(Date.now, (error) => logger.error('An event listener threw', error));
  events.on('source.loaded', ({ source, tools, refused, ms }) =>
    logger.log(`${source}: ${tools} tools in ${Math.round(ms)} ms${refused > 0 ? `, ${refused} refused` : ''}`),
  );
  events.on('source.degraded', ({ source, code, reason, retryInMs }) =>
    logger.warn(`${source} is degraded (${code}: ${reason}); next try in ${Math.round(retryInMs / 1000)} s`),
  );
  events.on('embedder.ready', ({ embedder, tools, embedded, ms }) =>
    logger.log(`${embedder}: vectors of ${tools} tools, ${embedded} texts embedded in ${Math.round(ms)} ms`),
  );
  events.on('embedder.degraded', ({ embedder, task, reason, retryInMs }) =>
    logger.warn(`${embedder} is degraded (${task}: ${reason}); next try in ${Math.round(retryInMs / 1000)} s`),
  );
  events.on('tool.refused', ({ source, tool, code, reason }) =>
    logger.warn(`${source}: refused ${tool} (${code}): ${reason}`),
  );
  events.on('tool.amended', ({ source, tool, reason }) => logger.warn(`${source}: ${tool}: ${reason}`));
  return events;
}

/** Tells the log that the index was built where it could have been kept, or will be at the next start. */
export function logCacheFault(fault: unknown): void {
  new Logger('ToolSearch').warn(`The search cache could not be read or written: ${String(fault)}`);
}

/** Tells the log that a search's lesson was lost; nobody else notices. */
export function logLearningFault(error: unknown): void {
  new Logger('ToolSearch').error('What searches lead to could not be read or kept', error);
}

/** Tells the log what a tool threw; the caller only learns that it failed. */
export function logFault(tool: string, error: unknown): void {
  new Logger('ToolSearch').error(`${tool} failed`, error);
}
