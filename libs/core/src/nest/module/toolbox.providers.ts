import type { FactoryProvider } from '@nestjs/common';
import { ControlPlane } from '../../access/control/control-plane.js';
import { ToolApprovals } from '../../access/approvals/tool-approvals.js';
import { ToolGate } from '../../access/tool-gate.js';
import { PausedRunStore } from '../../activation/runs/paused-run-store.js';
import { ToolActivations } from '../../activation/tool-activations.js';
import { ToolCatalog } from '../../catalog/tool-catalog.js';
import { type AssembledServices, assembleToolboxServices } from '../../exposure/assemble-toolbox-services.js';
import { TokenLedger } from '../../exposure/ledger/token-ledger.js';
import { TokenLedgerStore } from '../../exposure/ledger/token-ledger-store.js';
import { SearchGapStore } from '../../search/gaps/search-gap-store.js';
import type { ToolIndex } from '../../search/tool-index.js';
import { ToolEvents } from '../../tool/tool-event.js';
import { ToolTracing } from '../../tool/tool-tracing.js';
import { LearnedQueries } from '../../toolbox/analytics/learned-queries.js';
import { SearchGaps } from '../../toolbox/analytics/search-gaps.js';
import { TenantSources } from '../../toolbox/tenants/tenant-sources.js';
import type { ToolboxServices } from '../../toolbox/toolbox-services.js';
import { logCountFault, logFault } from './event-log.js';
import { followRequest } from '../request/request-link.js';
import { CHECKED_OPTIONS, TOOL_INDEX } from './tool-search.module-definition.js';
import type { ToolSearchModuleOptions } from './tool-search.options.js';
import { TOOLBOX_SERVICES } from './tool-search.service.js';

/** Providers of the parts that all toolboxes share, and of those that applications inject. */
export const TOOLBOX_PARTS: readonly FactoryProvider[] = [
  {
    provide: TOOLBOX_SERVICES,
    inject: [
      CHECKED_OPTIONS,
      ToolCatalog,
      ToolGate,
      ControlPlane,
      ToolApprovals,
      ToolActivations,
      ToolEvents,
      TOOL_INDEX,
      LearnedQueries,
      // A telemetry module provides it for the whole application.
      { token: ToolTracing, optional: true },
      { token: PausedRunStore, optional: true },
      { token: TokenLedgerStore, optional: true },
      { token: SearchGapStore, optional: true },
    ],
    useFactory: (
      options: ToolSearchModuleOptions,
      catalog: ToolCatalog,
      gate: ToolGate,
      control: ControlPlane,
      approvals: ToolApprovals,
      activations: ToolActivations,
      events: ToolEvents,
      index: ToolIndex | null,
      learned: LearnedQueries,
      tracing?: ToolTracing,
      pausedRuns?: PausedRunStore,
      ledgerStore?: TokenLedgerStore,
      gapStore?: SearchGapStore,
    ) =>
      assembleToolboxServices(options, {
        learned,
        pausedRuns,
        ledgerStore,
        gapStore,
        reportCountFault: logCountFault,
        catalog,
        gate,
        control,
        approvals,
        activations,
        events,
        index: index ?? undefined,
        reportFault: logFault,
        onDerived: followRequest,
        tracing,
      }),
  },
  {
    provide: TokenLedger,
    inject: [TOOLBOX_SERVICES],
    useFactory: ({ ledger }: AssembledServices) => ledger,
  },
  {
    provide: SearchGaps,
    inject: [TOOLBOX_SERVICES],
    useFactory: ({ gaps }: AssembledServices) => gaps,
  },
  {
    provide: TenantSources,
    inject: [TOOLBOX_SERVICES],
    // Without the option, no tenant has sources of its own.
    useFactory: ({ tenantSources, catalog, events, runner: { running }, reportFault }: ToolboxServices) =>
      tenantSources ?? new TenantSources({ load: () => [] }, { catalog, events, running, reportFault }),
  },
];
