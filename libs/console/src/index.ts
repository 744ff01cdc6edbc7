// Any new export here becomes public API. Named exports only.
export { ConsoleForgeryGuard } from './console-forgery.guard.js';
export { ToolConsoleController } from './tool-console.controller.js';
export { ToolConsoleModule } from './tool-console.module.js';
export type { ToolConsoleOptions } from './tool-console.options.js';
