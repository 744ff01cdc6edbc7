import { type FactoryProvider, Inject, Injectable, Logger, type OnModuleInit, type Type } from '@nestjs/common';
import { ModuleRef } from '@nestjs/core';
import { ToolApprovals } from '../../access/approvals/tool-approvals.js';
import { AuditTrail } from '../../access/control/audit-trail.js';
import { ControlPlane } from '../../access/control/control-plane.js';
import { KillSwitches } from '../../access/kill-switches/kill-switches.js';
import { StoredPolicies } from '../../access/policies/stored-policies.js';
import { ToolProfiles } from '../../toolbox/profiles/tool-profiles.js';
import { ToolDeprecations } from '../../access/deprecations/tool-deprecations.js';
import { ToolLimits } from '../../access/limits/tool-limits.js';
import { ToolPolicies } from '../../access/policies/tool-policies.js';
import { ToolQuarantine } from '../../access/quarantine/tool-quarantine.js';
import { ToolGate } from '../../access/tool-gate.js';
import { UserCredentials } from '../../access/user-credentials/user-credentials.js';
import { ToolActivations } from '../../activation/tool-activations.js';
import { ToolCatalog } from '../../catalog/tool-catalog.js';
import { TokenLedger } from '../../exposure/ledger/token-ledger.js';
import { createRuntime, type Runtime } from '../../runtime/create-runtime.js';
import { runtimeSettings } from '../../runtime/runtime-settings.js';
import type { RuntimeStores } from '../../runtime/runtime-stores.js';
import { ToolEvents } from '../../tool/tool-event.js';
import { ToolSearchError } from '../../tool/tool-search.error.js';
import { ToolTracing } from '../../tool/tool-tracing.js';
import { LearnedQueries } from '../../toolbox/learned-queries/learned-queries.js';
import { SearchGaps } from '../../toolbox/search-gaps/search-gaps.js';
import { ExampleQueries } from '../../toolbox/example-queries/example-queries.js';
import { SourceQueue } from '../../toolbox/call/source-queue.js';
import { PastDecisions } from '../../toolbox/record/past-decisions.js';
import { DryRun } from '../../toolbox/dry-run/dry-run.js';
import { ToolCallRecords } from '../../toolbox/record/tool-call-records.js';
import { CachedResults } from '../../toolbox/results/cache/cached-results.js';
import { TenantSources } from '../../toolbox/tenants/tenant-sources.js';
import { followRequest } from '../request/request-link.js';
import { DiscoveredCallPolicies } from '../tools/discovered-call-policies.js';
import { DiscoveredInterceptors } from '../tools/discovered-interceptors.js';
import { DiscoveredVisibility } from '../tools/discovered-visibility.js';
import {
  callPolicyFaultLog,
  logCacheFault,
  logCountFault,
  logFault,
  logLearningFault,
  logRecordFault,
  policyFaultLog,
} from './event-log.js';
import { GIVEN_STORES } from './store-providers.js';
import { CHECKED_OPTIONS } from './tool-search.module-definition.js';
import type { ToolSearchModuleOptions } from './tool-search.options.js';
import { RUNTIME } from './tool-search.service.js';

/** The application's runtime. Persistence and telemetry modules provide stores and tracing for the whole application. */
export const RUNTIME_PROVIDER: FactoryProvider<Runtime> = {
  provide: RUNTIME,
  inject: [
    CHECKED_OPTIONS,
    ToolEvents,
    DiscoveredVisibility,
    DiscoveredInterceptors,
    DiscoveredCallPolicies,
    GIVEN_STORES,
    { token: ToolTracing, optional: true },
  ],
  useFactory: (
    options: ToolSearchModuleOptions,
    events: ToolEvents,
    policies: DiscoveredVisibility,
    interceptors: DiscoveredInterceptors,
    callPolicies: DiscoveredCallPolicies,
    stores: RuntimeStores,
    tracing: ToolTracing | undefined,
  ) =>
    createRuntime(runtimeSettings(options), stores, {
      events,
      visibility: () => policies.policies(),
      interceptors: () => interceptors.interceptors(),
      callPolicies: () => callPolicies.policies(),
      tracing,
      isDebugging: () => Logger.isLevelEnabled('debug'),
      onDerived: followRequest,
      reportFault: logFault,
      reportPolicyFault: policyFaultLog(),
      reportCallPolicyFault: callPolicyFaultLog(),
      reportCacheFault: logCacheFault,
      reportCountFault: logCountFault,
      reportLearningFault: logLearningFault,
      reportRecordFault: logRecordFault,
    }),
};

const PARTS: readonly (readonly [Type, (runtime: Runtime) => object])[] = [
  [AuditTrail, ({ audit }) => audit],
  [CachedResults, ({ cachedResults }) => cachedResults],
  [PastDecisions, ({ past }) => past],
  [DryRun, ({ dryRun }) => dryRun],
  [ControlPlane, ({ control }) => control],
  [ExampleQueries, ({ exampleQueries }) => exampleQueries],
  [KillSwitches, ({ killSwitches }) => killSwitches],
  [LearnedQueries, ({ learned }) => learned],
  [SearchGaps, ({ gaps }) => gaps],
  [SourceQueue, ({ queue }) => queue],
  [StoredPolicies, ({ storedPolicies }) => storedPolicies],
  [TenantSources, ({ tenantSources }) => tenantSources],
  [TokenLedger, ({ ledger }) => ledger],
  [ToolActivations, ({ activations }) => activations],
  [ToolApprovals, ({ approvals }) => approvals],
  [ToolCallRecords, ({ records }) => records],
  [ToolCatalog, ({ catalog }) => catalog],
  [ToolGate, ({ gate }) => gate],
  [ToolLimits, ({ toolLimits }) => toolLimits],
  [ToolDeprecations, ({ deprecations }) => deprecations],
  [ToolPolicies, ({ policies }) => policies],
  [ToolProfiles, ({ profiles }) => profiles],
  [ToolQuarantine, ({ quarantine }) => quarantine],
  [UserCredentials, ({ userCredentials }) => userCredentials],
];

export const RUNTIME_PARTS: readonly FactoryProvider[] = PARTS.map(([provide, useFactory]) => ({
  provide,
  inject: [RUNTIME],
  useFactory,
}));

/** Fails the boot if a service was replaced in Nest: the runtime would go on using its own, a gate for example. */
@Injectable()
export class RuntimePartsCheck implements OnModuleInit {
  constructor(
    @Inject(RUNTIME) private readonly runtime: Runtime,
    @Inject(ModuleRef) private readonly moduleRef: ModuleRef,
  ) {}

  /** @throws ToolSearchError `INVALID_CONFIGURATION` */
  onModuleInit(): void {
    for (const [type, part] of PARTS) {
      if (this.moduleRef.get<object>(type) === part(this.runtime)) continue;
      throw new ToolSearchError('INVALID_CONFIGURATION', `${type.name} was replaced, and would decide nothing.`, {
        hint: 'Replace a store (its class is an injection token), or use the options of ToolSearchModule.',
      });
    }
  }
}
