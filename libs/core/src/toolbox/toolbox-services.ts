import type { ControlPlane } from '../access/control/control-plane.js';
import type { ToolApprovals } from '../access/approvals/tool-approvals.js';
import type { ToolGate } from '../access/tool-gate.js';
import type { RunShelves } from '../activation/runs/run-shelf.js';
import type { ToolActivations } from '../activation/tool-activations.js';
import type { CatalogReader } from '../catalog/catalog-reader.js';
import type { ToolCatalog } from '../catalog/tool-catalog.js';
import type { DefinitionTokens, TokenCounter } from '../tool/token-count.js';
import type { ToolContext } from '../tool/tool-context.js';
import type { ToolEvents } from '../tool/tool-event.js';
import type { ToolTracing } from '../tool/tool-tracing.js';
import type { ExampleOptions } from './search/described-tool.js';
import type { ListedDescriptions } from './search/listed-description.js';
import type { MetaDialect, MetaToolSpec } from './meta-tools/meta-tool-spec.js';
import type { LearnedQueries } from './analytics/learned-queries.js';
import type { RunPauses } from './runs/run-pauses.js';
import type { SearchGaps } from './analytics/search-gaps.js';
import type { StepLedger } from './surface/step-ledger.js';
import type { Exposure } from './surface/surface.js';
import type { TenantSources } from './tenants/tenant-sources.js';
import type { FinderOptions, ToolFinder } from './search/tool-finder.js';
import type { ToolRunner } from './calls/tool-runner.js';
import type { ToolViews } from './tool-views.js';

/** The application's shared parts, one set for all toolboxes. */
export interface ToolboxServices {
  readonly catalog: ToolCatalog;
  /** What toolboxes read: the catalog itself, or that of one request. */
  readonly reader: CatalogReader;
  readonly gate: ToolGate;
  readonly control: ControlPlane;
  readonly approvals: ToolApprovals;
  /** Brings a tenant's own sources. @default no tenant has any */
  readonly tenantSources?: TenantSources | undefined;
  readonly views: ToolViews;
  readonly finder: ToolFinder;
  readonly activations: ToolActivations;
  readonly shelves: RunShelves;
  readonly runner: ToolRunner;
  readonly learned: LearnedQueries;
  readonly gaps: SearchGaps;
  /** Counts what models are shown. */
  readonly ledger: StepLedger;
  readonly pauses: RunPauses;
  readonly events: ToolEvents;
  readonly exposure: Exposure;
  /** How meta tools are called and how they talk. */
  readonly dialect: MetaDialect;
  /** The meta tools of all modes by their names. */
  readonly metaTools: ReadonlyMap<string, MetaToolSpec>;
  readonly tokens: DefinitionTokens;
  readonly countTokens: TokenCounter;
  readonly activateOn: 'call' | 'load' | 'search';
  readonly search: Required<Pick<FinderOptions, 'limit' | 'maxLimit' | 'types' | 'replyTokens' | 'offerTokens'>>;
  readonly examples: ExampleOptions;
  /** Descriptions as the model's list has them. */
  readonly descriptions: ListedDescriptions;
  /** Told what callers are not: the cause of a failure, for the log. */
  readonly reportFault: (tool: string, error: unknown) => void;
  /** Told that a context was made from another one, of the same request. */
  readonly onDerived: (derived: ToolContext, from: ToolContext) => void;
  /** Records calls and searches as spans. @default nothing is recorded */
  readonly tracing?: ToolTracing | undefined;
}
