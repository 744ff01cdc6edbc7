import { MemoryToolIndex } from '@tool-search/core/engine';
import { IndexEngine } from './index-engine.js';
import { KeptInMemory } from './kept-in-memory.js';

/** Our default engine with default settings. */
export class ToolSearchEngine extends IndexEngine {
  constructor() {
    const cache = new KeptInMemory();
    super({
      name: 'tool-search',
      config: 'defaults',
      type: 'bm25',
      create: () => new MemoryToolIndex(),
      createCached: () => new MemoryToolIndex({ cache }),
    });
  }
}
