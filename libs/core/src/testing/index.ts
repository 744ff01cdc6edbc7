export { describeActivationStore } from './activation-store.contract.js';
export { describeControlStore } from './control-store.contract.js';
export { describeDefinitionStore } from './definition-store.contract.js';
export { describeLearnedQueryStore } from './learned-query-store.contract.js';
export { describeSearchGapStore } from './search-gap-store.contract.js';
export { describeTokenLedgerStore } from './token-ledger-store.contract.js';
export { FakeSource, type FakeSourceTool, type RecordedCall } from './fake-source.js';
export { fakeTool, fakeTools } from './fake-tools.js';
export { MemorySearchCache } from './memory-search-cache.js';
export { openToolbox, type OpenToolbox, type ToolboxSetup } from './open-toolbox.js';
export { describeMessageActivations } from './message-activations.contract.js';
export { describePausedRunStore } from './paused-run-store.contract.js';
export { type RankedQuery, retrievalMeasures, type RetrievalMeasures } from './retrieval-measures.js';
export {
  say,
  type SaidCall,
  type SaidTurn,
  type ScriptedCall,
  type ScriptedDecision,
  type ScriptedDialect,
  ScriptedModel,
  type ScriptedModelOptions,
  type ScriptedStep,
  type ShownTurn,
} from './scripted-model.js';
export { describeSearchCache, type OpenSearchCache } from './search-cache.contract.js';
export { describeToolIndex } from './tool-index.contract.js';
export type { ToolboxOptions } from '../exposure/assemble-toolbox-services.js';
export { TrigramEmbedder } from './trigram-embedder.js';
export {
  evaluateRetrieval,
  type EvaluationOptions,
  type GoldenQuery,
  type RetrievalMiss,
  type RetrievalReport,
} from './evaluate-retrieval.js';
export { expectVisible, type VisibleExpectation } from './expect-visible.js';
export { FakeToolSources } from './fake-tool-sources.js';
export { ToolSearchTestingModule, type ToolSearchTestingOptions } from './tool-search-testing.module.js';
export { describeToolSource, type OpenToolSource, type SourceCall } from './tool-source.contract.js';
