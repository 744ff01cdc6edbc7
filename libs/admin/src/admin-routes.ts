import { Inject } from '@nestjs/common';
import {
  AuditTrail,
  ControlPlane,
  KillSwitches,
  SearchGaps,
  StoredPolicies,
  TokenLedger,
  ToolActivations,
  ToolApprovals,
  ToolCatalog,
  ToolPolicies,
  ToolQuarantine,
  ToolSearchService,
} from '@tool-search/core';

/** What the routes of the operators work with. Each topic is built upon the one before, so that one class has them all. */
export abstract class AdminRoutes {
  // Properties, so that a subclass is free to have a constructor of its own.
  @Inject(ControlPlane) protected readonly plane: ControlPlane;
  @Inject(AuditTrail) protected readonly trail: AuditTrail;
  @Inject(KillSwitches) protected readonly killSwitches: KillSwitches;
  @Inject(StoredPolicies) protected readonly policies: StoredPolicies;
  @Inject(ToolPolicies) protected readonly staticPolicies: ToolPolicies;
  @Inject(ToolCatalog) protected readonly catalog: ToolCatalog;
  @Inject(ToolSearchService) protected readonly toolSearch: ToolSearchService;
  @Inject(ToolQuarantine) protected readonly quarantine: ToolQuarantine;
  @Inject(ToolApprovals) protected readonly approvals: ToolApprovals;
  @Inject(ToolActivations) protected readonly activations: ToolActivations;
  @Inject(TokenLedger) protected readonly ledger: TokenLedger;
  @Inject(SearchGaps) protected readonly gaps: SearchGaps;
}
