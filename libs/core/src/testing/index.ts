export { describeActivationStore } from './activation-store.contract.js';
export { FakeSource, type FakeSourceTool, type RecordedCall } from './fake-source.js';
export { fakeTool, fakeTools } from './fake-tools.js';
export { openToolbox, type OpenToolbox, type ToolboxSetup } from './open-toolbox.js';
export { describeToolIndex } from './tool-index.contract.js';
export type { ToolboxOptions } from '../exposure/toolbox-services.js';
