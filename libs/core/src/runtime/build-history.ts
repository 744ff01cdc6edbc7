import { MemoryTokenLedgerStore } from '../exposure/ledger/memory-token-ledger-store.js';
import { TokenLedger } from '../exposure/ledger/token-ledger.js';
import { MemoryExampleQueryStore } from '../toolbox/example-queries/memory-example-query-store.js';
import { MemorySearchGapStore } from '../toolbox/search-gaps/memory-search-gap-store.js';
import { MemoryLearnedQueryStore } from '../search/learned/memory-learned-query-store.js';
import { LearnedQueries } from '../toolbox/learned-queries/learned-queries.js';
import { SearchGaps } from '../toolbox/search-gaps/search-gaps.js';
import { DryRun } from '../toolbox/dry-run/dry-run.js';
import { ExampleQueries } from '../toolbox/example-queries/example-queries.js';
import { MemoryToolCallStore } from '../toolbox/record/memory-tool-call-store.js';
import { PastDecisions } from '../toolbox/record/past-decisions.js';
import { ToolCallRecords } from '../toolbox/record/tool-call-records.js';
import type { AccessServices } from './build-access.js';
import type { ToolboxServices } from './build-toolbox.js';
import type { CatalogServices } from './build-catalog.js';
import type { RuntimeHooks } from './runtime-hooks.js';
import type { RuntimeSettings } from './runtime-settings.js';
import type { RuntimeStores } from './runtime-stores.js';

/** What is kept of searches and calls, and what is learned from them. */
export function buildHistory(
  { search, ...settings }: RuntimeSettings,
  stores: RuntimeStores,
  hooks: RuntimeHooks,
  { catalog, index, lazy, tokens }: CatalogServices,
  { approvals, control, policies }: AccessServices,
  { redaction }: ToolboxServices,
) {
  const { events, reportCountFault, now } = hooks;
  const records = new ToolCallRecords(
    {
      store: stores.calls ?? new MemoryToolCallStore(),
      events,
      controlRevision: () => control.snapshot()?.revision ?? 0,
      policyHash: (tenantId) => policies.digestOf(tenantId),
      redaction,
      tokens,
      eraseBeside: (whose) => approvals.eraseArguments(whose),
      onFault: hooks.reportRecordFault,
      now,
    },
    settings.record,
  );
  const exampleQueries = new ExampleQueries(
    {
      catalog,
      plane: control,
      store: stores.exampleQueries ?? new MemoryExampleQueryStore(),
      events,
      index: lazy ?? (index && { isNeeded: true }),
      waits: hooks.writingWaits,
    },
    search.exampleQueries,
  );
  if (lazy) lazy.onNeeded = () => exampleQueries.look();
  const learned = stores.learnedQueries ?? new MemoryLearnedQueryStore();
  const gaps = stores.gaps ?? new MemorySearchGapStore();
  const ledger = stores.ledger ?? new MemoryTokenLedgerStore();
  return {
    records,
    dryRun: new DryRun(records, catalog),
    past: new PastDecisions(records, now),
    exampleQueries,
    learned: new LearnedQueries(learned, search.learning, hooks.reportLearningFault),
    gaps: new SearchGaps(gaps, events, search.gaps, reportCountFault, now),
    ledger: new TokenLedger(ledger, tokens, events, settings.ledger, reportCountFault, now),
  };
}
