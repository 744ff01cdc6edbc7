const real = require('../../node_modules/fast-check/lib/cjs/fast-check.js');
const { runsOf, seed } = require('./tier.cjs');

const DEFAULT_RUNS = 100;

// A suite may assert one property in many rounds: with one seed for all, each round would draw the values of the first.
let asserted = 0;
const nextSeed = () => (seed + Math.imul(asserted++, 0x9e3779b1)) | 0;

/**
 * fast-check as tests import it: every property has the runs of the tier, and a seed that follows from that of the tier. The
 * first property of a suite has the tier's seed itself, so that the seed printed by a failure repeats it with `-t`.
 */
const assert = (property, { numRuns = DEFAULT_RUNS, ...parameters } = {}) =>
  real.assert(property, { seed: nextSeed(), ...parameters, numRuns: runsOf(numRuns) });

module.exports = { ...real, assert, default: { ...real.default, assert } };
Object.defineProperty(module.exports, '__esModule', { value: true });
