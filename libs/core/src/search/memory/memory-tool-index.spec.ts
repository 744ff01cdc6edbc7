import { describeToolIndex } from '../../testing/tool-index.contract.js';
import { MemoryToolIndex } from './memory-tool-index.js';

describeToolIndex('MemoryToolIndex', () => new MemoryToolIndex(), { law: true });

// Few tools are enough to make such an index merge, or to keep it from merging.
const often = { minDelta: 2, deltaShare: 0.2, deadShare: 0.2 };
const never = { minDelta: Infinity, deltaShare: 1, deadShare: 1 };
describeToolIndex('MemoryToolIndex that merges often', () => new MemoryToolIndex({ thresholds: often }), { law: true });
describeToolIndex('MemoryToolIndex that never merges', () => new MemoryToolIndex({ thresholds: never }), { law: true });
