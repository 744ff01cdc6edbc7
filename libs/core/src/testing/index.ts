export { describeActivationStore } from './contracts/activation/activation-store.contract.js';
export { describeControlStore } from './contracts/access/control-store.contract.js';
export { describeDefinitionStore } from './contracts/definition-store.contract.js';
export { describeExampleQueryStore } from './contracts/example-query-store.contract.js';
export { describeLimitStore } from './contracts/access/limit-store.contract.js';
export {
  describeUserCredentialStore,
  type OpenUserCredentialStore,
} from './contracts/access/user-credential-store.contract.js';
export { describeHeldResultStore, type OpenHeldResultStore } from './contracts/held-result-store.contract.js';
export { describeLearnedQueryStore } from './contracts/learned-query-store.contract.js';
export { describeSearchGapStore } from './contracts/search-gap-store.contract.js';
export { describeToolCallStore } from './contracts/tool-call-store.contract.js';
export { describeTokenLedgerStore } from './contracts/token-ledger-store.contract.js';
export { FakeSource, type FakeSourceTool, FakeToolSources, type RecordedCall } from './fakes/fake-source.js';
export { fakeTool, fakeTools } from './fakes/fake-tools.js';
export { MemorySearchCache } from './fakes/memory-search-cache.js';
export { openToolbox, type OpenToolbox, type ToolboxSetup } from './open-toolbox.js';
export { describeMessageActivations } from './contracts/activation/message-activations.contract.js';
export { describePausedRunStore } from './contracts/paused-run-store.contract.js';
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
export { describeResultCache, type OpenResultCache } from './contracts/result-cache.contract.js';
export { describeSearchCache, type OpenSearchCache } from './contracts/search-cache.contract.js';
export { describeToolIndex } from './contracts/tool-index.contract.js';
export type { ToolboxOptions } from '../runtime/toolbox-options.js';
export { TrigramEmbedder } from './fakes/trigram-embedder.js';
export {
  evaluateRetrieval,
  type EvaluationOptions,
  type GoldenQuery,
  type RetrievalMiss,
  type RetrievalReport,
} from './evaluate-retrieval.js';
export { expectVisible, type VisibleExpectation } from './expect-visible.js';
export { ToolSearchTestingModule, type ToolSearchTestingOptions } from './tool-search-testing.module.js';
export { describeToolSource, type OpenToolSource, type SourceCall } from './contracts/tool-source.contract.js';
