// Any new export here becomes public API. Named exports only.
export { AdminDecision, AdminRead, AdminWrite } from './access/admin-route.decorator.js';
export { ApiProblems } from './api-problems.decorator.js';
export { ToolAdminController } from './tool-admin.controller.js';
export { ToolAdminModule } from './tool-admin.module.js';
export type { ToolAdminOptions } from './tool-admin.options.js';
