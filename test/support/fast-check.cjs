const real = require('../../node_modules/fast-check/lib/cjs/fast-check.js');
const { runsOf, seed } = require('./tier.cjs');

const DEFAULT_RUNS = 100;

/** fast-check as tests import it: every property has the runs and the seed of the tier. */
const assert = (property, { numRuns = DEFAULT_RUNS, ...parameters } = {}) =>
  real.assert(property, { seed, ...parameters, numRuns: runsOf(numRuns) });

module.exports = { ...real, assert, default: { ...real.default, assert } };
Object.defineProperty(module.exports, '__esModule', { value: true });
