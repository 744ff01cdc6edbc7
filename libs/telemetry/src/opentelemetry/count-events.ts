import type { Meter } from '@opentelemetry/api';
import type { ToolEvents } from '@tool-search/core';
import { denialReason } from './denial-reason.js';

const SEARCH_BUCKETS = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5];

/** Records counters and search durations from the application's events. @returns a function that stops recording */
export function countEvents(events: ToolEvents, meter: Meter): () => void {
  const counter = (name: string, unit: string, description: string) =>
    meter.createCounter(`tool_search.${name}`, { unit: `{${unit}}`, description });
  const queries = counter(
    'queries',
    'query',
    'Searches that were answered, by how they matched and whether they found anything.',
  );
  // The unit is part of the name, because not every exporter to Prometheus appends it; none appends it twice.
  const durations = meter.createHistogram('tool_search.query.duration_seconds', {
    unit: 's',
    description: 'Duration of a search in the catalog.',
    advice: { explicitBucketBoundaries: SEARCH_BUCKETS },
  });
  const activations = counter(
    'activations',
    'activation',
    'Tools that runs and sessions activated, or had no room for.',
  );
  const denials = counter('denials', 'call', 'Calls that the gate refused, by layer and kind of rule.');
  const limits = counter('limits', 'call', 'Calls that limits refused or could not count, by what became of them.');
  const tokens = counter('tokens', 'token', 'Tokens that models were shown, were spared, and spent on searching.');
  const surfaces = counter(
    'surfaces',
    'step',
    "Steps at which a model was given tools, by mode and what became of the prompt's prefix.",
  );
  const gaps = counter('search.gaps', 'search', 'Searches in vain, never used, or in circles.');
  const lost = counter('records.lost', 'record', 'Records of calls that were lost, because the store took none.');
  const written = counter('written_queries', 'query', 'Example queries that a writer wrote.');
  const writing = counter(
    'writing.tokens',
    'token',
    "Tokens that writing example queries cost, by the provider's count or an estimate.",
  );
  const writingFailures = counter(
    'writing.failures',
    'failure',
    'Failures of the writer of example queries, or of its store, after which it rests.',
  );
  const stops = [
    events.on('tool.searched', ({ effectiveType, verdict, ms }) => {
      queries.add(1, { mode: effectiveType, outcome: verdict });
      durations.record(ms / 1000);
    }),
    events.on('tool.activated', ({ scope }) => activations.add(1, { scope, outcome: 'activated' })),
    events.on('activation.refused', ({ scope }) => activations.add(1, { scope, outcome: 'refused' })),
    events.on('limit.reached', () => limits.add(1, { outcome: 'reached' })),
    events.on('limit.unchecked', ({ refused }) => limits.add(1, { outcome: refused ? 'refused' : 'unchecked' })),
    events.on('surface.shown', ({ mode, cache, shownTokens, fullTokens }) => {
      surfaces.add(1, { mode, cache });
      tokens.add(shownTokens, { use: 'shown' });
      // Counters must not decrease: if deferral cost more than it saved, add 0.
      tokens.add(Math.max(0, fullTokens - shownTokens), { use: 'saved' });
    }),
    events.on('meta_tool.answered', ({ tokens: spent }) => tokens.add(spent, { use: 'searching' })),
    events.on('search.gap_found', ({ kind }) => gaps.add(1, { kind })),
    events.on('example_queries.written', ({ queries: count, inputTokens, outputTokens }) => {
      written.add(count);
      writing.add(inputTokens, { direction: 'input' });
      writing.add(outputTokens, { direction: 'output' });
    }),
    events.on('example_queries.degraded', () => writingFailures.add(1)),
    events.on('record.lost', ({ records }) => lost.add(records)),
    events.on('tool.denied', ({ layer, rule }) => denials.add(1, { layer, reason: denialReason(layer, rule) })),
  ];
  return () => stops.forEach((stop) => stop());
}
