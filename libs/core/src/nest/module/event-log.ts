import { inspect } from 'node:util';
import { Logger } from '@nestjs/common';
import { shownText } from '../../catalog/ingest/hidden-text.js';
import type { CallPolicyFaultReport } from '../../access/call-policies/call-policies.js';
import type { PolicyFaultReport } from '../../access/visibility-policy.js';
import { ToolEvents } from '../../tool/tool-event.js';
import { LogRateLimiter } from './log-rate-limiter.js';

/** Creates the application's events, and logs those that operators need. */
export function loggedEvents(): ToolEvents {
  const logger = new Logger('ToolSearch');
  const events = new ToolEvents(Date.now, (error) => logger.error('An event listener threw', error));
  const allowance = new LogRateLimiter();
  const warnOf = (source: string, line: string) => {
    const next = allowance.next(source);
    if (next === 'whole') logger.warn(line);
    if (next === 'last')
      logger.warn(`${source}: more tools were held back, reported, refused or amended; the source's status has them`);
  };
  events.on('source.loaded', ({ source, tools, refused, ms }) =>
    logger.log(`${source}: ${tools} tools in ${Math.round(ms)} ms${refused > 0 ? `, ${refused} refused` : ''}`),
  );
  events.on('source.degraded', ({ source, code, reason, retryInMs }) =>
    logger.warn(`${source} is degraded (${code}: ${reason}); next try in ${Math.round(retryInMs / 1000)} s`),
  );
  events.on('source.throttled', ({ source, chars, waitMs }) =>
    logger.warn(
      `${source} changes too often: its loads brought ${chars} characters within a minute (tuning.sources.changedCharsPerMinute); ` +
        `next load in ${Math.round(waitMs / 1000)} s`,
    ),
  );
  events.on('record.lost', ({ records }) =>
    logger.error(`${records} records of calls were lost: the store took none for so long that the buffer was full`),
  );
  events.on('source.recovered', ({ source, downMs }) =>
    logger.log(`${source} is back after ${Math.round(downMs / 1000)} s`),
  );
  events.on('source.changed', ({ source, added, changed, removed }) =>
    logger.log(`${source}: ${added} tools added, ${changed} changed, ${removed} removed`),
  );
  events.on('tool.quarantined', ({ source, tool, reason }) =>
    warnOf(
      source,
      `${source}: ${tool} waits in quarantine: ${reason}. Approve exactly this definition (ToolQuarantine.decide, or ` +
        "the admin API's quarantine routes); the source's option `changes` says what it may change by itself",
    ),
  );
  events.on('tool.reported', ({ source, tool, code, reason }) =>
    warnOf(
      source,
      `${source}: look at ${tool} (${code}): ${reason}. It stays usable; ToolQuarantine.reported() or GET reported of ` +
        'the admin API lists it, and a rejection or a kill switch turns it off',
    ),
  );
  events.on('tenant_sources.degraded', ({ tenantId, code, reason, retryInMs }) =>
    logger.warn(
      `Sources of tenant ${tenantId} are degraded (${code}: ${reason})` +
        (retryInMs > 0 ? `; next try in ${Math.round(retryInMs / 1000)} s` : ''),
    ),
  );
  events.on('embedder.ready', ({ embedder, tools, embedded, ms }) =>
    logger.log(`${embedder}: vectors of ${tools} tools, ${embedded} texts embedded in ${Math.round(ms)} ms`),
  );
  events.on('embedder.degraded', ({ embedder, task, reason, retryInMs }) =>
    logger.warn(`${embedder} is degraded (${task}: ${reason}); next try in ${Math.round(retryInMs / 1000)} s`),
  );
  events.on('example_queries.written', ({ writer, tools, queries, inputTokens, outputTokens }) =>
    logger.log(`${writer} wrote ${queries} example queries for ${tools} tools (${inputTokens + outputTokens} tokens)`),
  );
  events.on('example_queries.degraded', ({ writer, reason, retryInMs }) =>
    logger.warn(`${writer} writes no example queries (${reason}); next try in ${Math.round(retryInMs / 1000)} s`),
  );
  events.on('example_queries.budget_spent', ({ writer }) =>
    logger.warn(`${writer} writes no more example queries: search.exampleQueries.budget is spent`),
  );
  events.on('tool.refused', ({ source, tool, code, reason, count }) =>
    warnOf(source, `${source}: refused ${tool}${andMore(count)} (${code}): ${reason}`),
  );
  events.on('tool.amended', ({ source, tool, reason, count }) =>
    warnOf(source, `${source}: ${tool}${andMore(count)}: ${reason}`),
  );
  for (const type of ['kill_switch.engaged', 'kill_switch.released'] as const) {
    events.on(type, ({ target, tenantId, actor, reason, revision }) =>
      logger.warn(`${type} ${target} for ${tenantId || 'everybody'} by ${actor} at revision ${revision}: ${reason}`),
    );
  }
  for (const type of ['policy.set', 'policy.removed'] as const) {
    events.on(type, ({ tenantId, agentId, actor, revision }) =>
      logger.log(
        `${type} for tenant ${tenantId || 'any'}, agent ${agentId ?? 'any'} by ${actor} at revision ${revision}`,
      ),
    );
  }
  for (const type of ['limit.set', 'limit.removed'] as const) {
    events.on(type, ({ tenantId, limit, actor, revision }) =>
      logger.log(`${type} ${limit} for ${tenantId || 'everybody'} by ${actor} at revision ${revision}`),
    );
  }
  for (const type of ['profile.set', 'profile.removed'] as const) {
    events.on(type, ({ profile, actor, revision }) =>
      logger.log(`${type} ${profile} by ${actor} at revision ${revision}`),
    );
  }
  for (const type of ['deprecation.set', 'deprecation.removed'] as const) {
    events.on(type, ({ tool, actor, revision }) => logger.log(`${type} ${tool} by ${actor} at revision ${revision}`));
  }
  const unchecked = new LogRateLimiter();
  events.on('limit.unchecked', ({ limits, refused, reason }) => {
    const next = unchecked.next('limits');
    const what = refused ? 'calls are refused' : 'calls run unchecked';
    if (next === 'whole') logger.error(`The counters of ${limits.join(', ')} cannot be read, so ${what}: ${reason}`);
    if (next === 'last') logger.error('The counters of limits still cannot be read; no more lines for a minute');
  });
  events.on('control.health_changed', ({ state, ageMs, writable, reason }) => {
    if (!writable)
      logger.error('The control store takes no writes: is its disk full? Every look tries again, and /health is down.');
    const age =
      ageMs === Number.MAX_SAFE_INTEGER ? 'never looked at' : `not looked at for ${Math.round(ageMs / 1000)} s`;
    if (state !== 'ready') logger.error(`Decisions of operators are ${state}: ${reason ?? age}`);
    else if (writable) logger.log('Decisions of operators are fresh and can be written again');
  });
  events.on('control.rolled_back', ({ held, found }) =>
    logger.error(
      `The control store went back from revision ${held} to ${found}, as after a restore. It is not applied, and no tool ` +
        'can be used once the last state is too old. Check the kill switches, then restart this process to take it.',
    ),
  );
  events.on('policy.filtered', ({ tenantId, layer, removed, tools }) => {
    if (tools) logger.debug({ type: 'policy.filtered', tenantId, layer, removed, tools });
  });
  events.on('tool.explained', ({ tool, outcome, layers }) => logger.debug({ tool, outcome, layers }));
  return events;
}

function andMore(count = 1): string {
  return count > 1 ? ` and ${count - 1} more` : '';
}

export function logCacheFault(fault: unknown): void {
  new Logger('ToolSearch').warn(`The search cache could not be read or written: ${String(fault)}`);
}

/** Logs that counts could not be written; they are kept and retried. */
export function logCountFault(error: unknown): void {
  new Logger('ToolSearch').error('Counts could not be written; they are kept and tried again', error);
}

/** Logs that records of calls could not be written; they are kept and retried while there is room. */
export function logRecordFault(error: unknown): void {
  new Logger('ToolSearch').error('Records of calls could not be written; they are kept and tried again', error);
}

export function logLearningFault(error: unknown): void {
  new Logger('ToolSearch').error('What searches lead to could not be read or kept', error);
}

/** Logs which visibility policy failed and why; at most 20 lines a minute per policy. */
export function policyFaultLog(): PolicyFaultReport {
  return faultLog('Visibility policy', 'tools are hidden');
}

/** Logs which call policy failed and why; at most 20 lines a minute per policy. */
export function callPolicyFaultLog(): CallPolicyFaultReport {
  return faultLog('Call policy', 'the call is refused');
}

function faultLog(what: string, effect: string): (policy: string, error: unknown) => void {
  const logger = new Logger('ToolSearch');
  const allowance = new LogRateLimiter();
  return (policy, error) => {
    const next = allowance.next(policy);
    if (next === 'whole') logger.error(`${what} ${policy} failed, so ${effect}: ${shownText(inspect(error))}`);
    if (next === 'last') logger.error(`${what} ${policy} goes on failing; no more lines for a minute`);
  };
}

/**
 * Logs the error of a failed tool. Hidden and control characters are escaped, because a remote server may have written
 * part of the text.
 */
export function logFault(tool: string, error: unknown): void {
  new Logger('ToolSearch').error(`${tool} failed: ${shownText(inspect(error))}`);
}
