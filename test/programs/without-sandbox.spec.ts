import { withoutSandbox } from '../../bench/tokens/without-sandbox.js';
import { describePrograms } from './program-suite.js';

describePrograms('programs without a sandbox', async () => withoutSandbox);
