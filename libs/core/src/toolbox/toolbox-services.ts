import type { ControlPlane } from '../access/control/control-plane.js';
import type { ToolApprovals } from '../access/approvals/tool-approvals.js';
import type { ToolGate } from '../access/tool-gate.js';
import type { RunShelves } from '../activation/runs/run-tool-state.js';
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

/** Parts that all toolboxes of an application share. */
export interface ToolboxServices {
  readonly catalog: ToolCatalog;
  /** The catalog that toolboxes read: the shared one, or one made for a single request. */
  readonly reader: CatalogReader;
  readonly gate: ToolGate;
  readonly control: ControlPlane;
  readonly approvals: ToolApprovals;
  /** Loads each tenant's own sources. @default no tenant has any */
  readonly tenantSources?: TenantSources | undefined;
  readonly views: ToolViews;
  readonly finder: ToolFinder;
  readonly activations: ToolActivations;
  readonly shelves: RunShelves;
  readonly runner: ToolRunner;
  readonly learned: LearnedQueries;
  readonly gaps: SearchGaps;
  /** Counts the tokens that models are shown. */
  readonly ledger: StepLedger;
  readonly pauses: RunPauses;
  readonly events: ToolEvents;
  readonly exposure: Exposure;
  /** Names and formats of the meta tools. */
  readonly dialect: MetaDialect;
  /** The meta tools of all modes, by name. */
  readonly metaTools: ReadonlyMap<string, MetaToolSpec>;
  readonly tokens: DefinitionTokens;
  readonly countTokens: TokenCounter;
  readonly activateOn: 'call' | 'load' | 'search';
  readonly search: Required<Pick<FinderOptions, 'limit' | 'maxLimit' | 'types' | 'replyTokens' | 'offerTokens'>>;
  readonly examples: ExampleOptions;
  /** Descriptions in the model's list. */
  readonly descriptions: ListedDescriptions;
  /** Logs the cause of a failure, which callers do not receive. */
  readonly reportFault: (tool: string, error: unknown) => void;
  /** Called when a context is derived from another within the same request. */
  readonly onDerived: (derived: ToolContext, from: ToolContext) => void;
  /** Records calls and searches as spans. @default nothing is recorded */
  readonly tracing?: ToolTracing | undefined;
}
