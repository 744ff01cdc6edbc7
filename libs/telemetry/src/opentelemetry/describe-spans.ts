import type { ToolEvents } from '@tool-search/core';
import { denialReason } from './denial-reason.js';
import { runningSpan } from './span-tracing.js';

/**
 * Adds `tool_search.*` attributes from events to the span of the running call or search; never queries, tenants or
 * arguments. Events are synchronous, so the running span is the right one.
 *
 * @returns a function that stops it
 */
export function describeSpans(events: ToolEvents): () => void {
  const stops = [
    events.on('tool.searched', ({ searchId, effectiveType, results, verdict }) => {
      runningSpan()?.setAttributes({
        'tool_search.search_id': searchId,
        'tool_search.mode': effectiveType,
        'tool_search.results': results,
        'tool_search.verdict': verdict,
      });
    }),
    events.on('tool.denied', ({ layer, rule }) => {
      runningSpan()?.setAttributes({
        'tool_search.decision': layer === 'approval' ? 'approve' : 'deny',
        'tool_search.layer': layer,
        'tool_search.reason': denialReason(layer, rule),
      });
    }),
    events.on('tool.activated', ({ scope }) => {
      runningSpan()?.setAttribute('tool_search.activated', scope);
    }),
  ];
  return () => stops.forEach((stop) => stop());
}
