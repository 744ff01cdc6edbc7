import { describeToolIndex } from '../testing/tool-index.contract.js';
import { MemoryToolIndex } from './memory-tool-index.js';

describeToolIndex('MemoryToolIndex', () => new MemoryToolIndex(), { law: true });
