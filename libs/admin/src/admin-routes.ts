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

/**
 * The services that the operators' routes use. Each topic extends the previous one, so that a single class has all
 * routes.
 */
export abstract class AdminRoutes {
  // Property injection, so that a subclass can have its own constructor.
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
