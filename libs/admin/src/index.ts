// Any new export here becomes public API. Named exports only.
export { AdminController, AdminDecision, AdminRead, AdminWrite } from './access/admin-route.decorator.js';
export { TenantIn } from './access/tenant-in.decorator.js';
export { ActivationsController } from './activations/activations.controller.js';
export { ApiProblems } from './api-problems.decorator.js';
export { ApprovalsController } from './approvals/approvals.controller.js';
export { AuditController } from './audit/audit.controller.js';
export { CatalogController } from './catalog/catalog.controller.js';
export type { Every } from './request/every.js';
export { ExplainController } from './explain/explain.controller.js';
export { KillSwitchesController } from './kill-switches/kill-switches.controller.js';
export { PoliciesController } from './policies/policies.controller.js';
export { QuarantineController } from './quarantine/quarantine.controller.js';
export { StatusController } from './status/status.controller.js';
export { adminControllers, ToolAdminModule } from './tool-admin.module.js';
export { adminOptions, type ToolAdminOptions } from './tool-admin.options.js';
export { UsageController } from './usage/usage.controller.js';
