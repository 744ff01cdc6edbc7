import type { ControlStore } from '../access/control/control-store.js';
import type { LimitStore } from '../access/limits/limit-store.js';
import type { UserCredentialStore } from '../access/user-credentials/user-credential-store.js';
import type { ActivationStore } from '../activation/activation-store.js';
import type { PausedRunStore } from '../toolbox/runs/paused-run-store.js';
import type { DefinitionStore } from '../catalog/pinning/definition-store.js';
import type { TokenLedgerStore } from '../exposure/ledger/token-ledger-store.js';
import type { ExampleQueryStore } from '../toolbox/example-queries/example-query-store.js';
import type { SearchGapStore } from '../toolbox/search-gaps/search-gap-store.js';
import type { LearnedQueryStore } from '../search/learned/learned-query-store.js';
import type { SearchCache } from '../search/search-cache.js';
import type { ToolCallStore } from '../toolbox/record/tool-call-store.js';
import type { ResultCache } from '../toolbox/results/cache/result-cache.js';
import type { HeldResultStore } from '../toolbox/results/held/held-result-store.js';

/** Where a runtime stores its state. @default memory; nothing is cached */
export interface RuntimeStores {
  readonly activations?: ActivationStore | undefined;
  readonly calls?: ToolCallStore | undefined;
  readonly control?: ControlStore | undefined;
  readonly definitions?: DefinitionStore | undefined;
  readonly exampleQueries?: ExampleQueryStore | undefined;
  readonly gaps?: SearchGapStore | undefined;
  readonly heldResults?: HeldResultStore | undefined;
  readonly learnedQueries?: LearnedQueryStore | undefined;
  readonly ledger?: TokenLedgerStore | undefined;
  readonly limits?: LimitStore | undefined;
  readonly pausedRuns?: PausedRunStore | undefined;
  readonly resultCache?: ResultCache | undefined;
  readonly searchCache?: SearchCache | undefined;
  readonly userCredentials?: UserCredentialStore | undefined;
}
