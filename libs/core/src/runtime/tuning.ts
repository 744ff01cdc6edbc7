import { type ApprovalTuning, approvalTuning } from '../access/approvals/tool-approvals.js';
import {
  controlSchema,
  type ControlOptions,
  type ControlTuning,
  controlTuning,
} from '../access/control/control-plane.js';
import { type LimitsTuning, limitsTuning } from '../access/limits/limits-options.js';
import { type UserCredentialTuning, userCredentialTuning } from '../access/user-credentials/user-credential-options.js';
import { type ActivationTuning, activationTuning } from '../activation/activation-options.js';
import { type CatalogTuning, catalogTuning } from '../catalog/tool-catalog.js';
import { type LedgerTuning, ledgerTuning } from '../exposure/ledger/token-ledger.js';
import { object, type OptionsOf, part, rule, withDefaults } from '../options/options.js';
import { type EngineTuning, engineTuning } from '../search/assemble-tool-index.js';
import { type SourceTuning, sourceTuning } from '../tool/source/source-options.js';
import { type SourceQueueTuning, sourceQueueTuning } from '../toolbox/call/source-queue.js';
import { type ExampleQueryTuning, exampleQueryTuning } from '../toolbox/example-queries/example-query-options.js';
import { type LearningTuning, learningTuning } from '../toolbox/learned-queries/learned-queries.js';
import { type RecordTuning, recordTuning } from '../toolbox/record/record-options.js';
import { type ResultCacheTuning, resultCacheTuning } from '../toolbox/results/cache/cache-rules.js';
import { type RedactionTuning, redactionTuning } from '../toolbox/results/redaction/result-redaction.js';
import { type ResultTuning, resultTuning } from '../toolbox/results/result-options.js';
import { type SearchGapTuning, searchGapTuning } from '../toolbox/search-gaps/search-gaps.js';
import { type TenantSourceTuning, tenantSourceTuning } from '../toolbox/tenants/tenant-source-options.js';

const searchTuning = object({
  ...engineTuning.shape,
  /** Bounds of learned queries. */
  learning: part<LearningTuning>(learningTuning),
  /** When search gaps are counted and written. */
  gaps: part<SearchGapTuning>(searchGapTuning),
  /** How a writer of example queries is called. */
  exampleQueries: part<ExampleQueryTuning>(exampleQueryTuning),
});

/** Bounds and waiting times of the search. */
export interface SearchTuning extends EngineTuning, OptionsOf<typeof searchTuning> {}

export const tuningOptions = object({
  activation: part<ActivationTuning>(activationTuning),
  approvals: part<ApprovalTuning>(approvalTuning),
  calls: part<SourceQueueTuning>(sourceQueueTuning),
  catalog: part<CatalogTuning>(catalogTuning),
  control: part<ControlTuning>(controlTuning),
  ledger: part<LedgerTuning>(ledgerTuning),
  limits: part<LimitsTuning>(limitsTuning),
  record: part<RecordTuning>(recordTuning),
  redaction: part<RedactionTuning>(redactionTuning),
  resultCache: part<ResultCacheTuning>(resultCacheTuning),
  results: part<ResultTuning>(resultTuning),
  search: part<SearchTuning>(searchTuning),
  /** Limits of every source, in addition to its own `limits`. */
  sources: part<SourceTuning>(sourceTuning),
  tenantSources: part<TenantSourceTuning>(tenantSourceTuning),
  userCredentials: part<UserCredentialTuning>(userCredentialTuning),
});

/**
 * Intervals, shares and internal bounds. Their defaults fit nearly every application; each is in the group of the option that
 * it belongs to. docs/tuning.md says when to change one.
 */
export interface TuningOptions extends OptionsOf<typeof tuningOptions> {}

interface ControlAndTuning {
  readonly control?: ControlOptions | undefined;
  readonly tuning?: TuningOptions | undefined;
}

const control = (set: ControlAndTuning) => withDefaults(controlSchema, { ...set.control, ...set.tuning?.control });

/** Rules about options together with their tuning. */
export const TUNING_RULES = [
  // Three reads must fit into `closedAfterMs`, however slow, so that one failed read does not close the gate.
  rule<ControlAndTuning>(
    'tuning.control.pollMs',
    'at most a third of control.closedAfterMs, together with tuning.control.readDeadlineMs',
    (set) => control(set).pollMs + control(set).readDeadlineMs <= control(set).closedAfterMs / 3,
  ),
  rule<ControlAndTuning>(
    'tuning.control.staleAfterMs',
    'at most control.closedAfterMs',
    (set) => control(set).staleAfterMs <= control(set).closedAfterMs,
  ),
] as const;
